import { readFile } from 'node:fs/promises'

/** A page of docs/ that is also served under `/docs/guides`. */
export interface Guide {
  /** The file's name without `.md`, and the last part of its URL. */
  readonly name: string
  /** The folder of docs/ that holds it. */
  readonly folder: 'guides' | 'operate' | 'reference'
  readonly title: string
}

/** The guides, in the order in which a newcomer reads them. */
export const GUIDES: Readonly<Record<string, readonly Guide[]>> = {
  Guides: [
    { name: 'first-payment', folder: 'guides', title: 'First payment' },
    { name: 'first-shop', folder: 'guides', title: 'Build a shop' },
    { name: 'accept-card', folder: 'guides', title: 'Accept a card' },
    { name: 'accept-transfers', folder: 'guides', title: 'Accept bank transfers' },
    { name: 'reserved-accounts', folder: 'guides', title: 'Reserved accounts' },
    { name: 'subscriptions', folder: 'guides', title: 'Subscriptions' },
    { name: 'payouts', folder: 'guides', title: 'Payouts' },
    { name: 'splits', folder: 'guides', title: 'Split payments' },
    { name: 'direct-debit', folder: 'guides', title: 'Direct debit' },
    { name: 'refunds', folder: 'guides', title: 'Refunds' },
    { name: 'testing', folder: 'guides', title: 'Testing' },
    { name: 'api-keys', folder: 'guides', title: 'API keys' },
    { name: 'webhooks', folder: 'guides', title: 'Webhooks' },
    { name: 'idempotency', folder: 'guides', title: 'Retries and idempotency' },
    { name: 'reconciling', folder: 'guides', title: 'Reconciliation' },
    { name: 'disputes', folder: 'guides', title: 'Disputes' },
    { name: 'checkout', folder: 'guides', title: 'Checkout' },
    { name: 'dashboard', folder: 'guides', title: 'Dashboard' },
    { name: 'till', folder: 'guides', title: 'Till' },
    { name: 'apps', folder: 'guides', title: 'Mobile apps' },
    { name: 'wordpress', folder: 'guides', title: 'WordPress and WooCommerce' },
    { name: 'coming-from', folder: 'guides', title: 'Move from another gateway' },
    { name: 'go-live', folder: 'guides', title: 'Go live' },
    { name: 'going-live', folder: 'operate', title: 'Run your own gateway' },
  ],
  Reference: [
    { name: 'concepts', folder: 'reference', title: 'Concepts' },
    { name: 'events', folder: 'reference', title: 'Webhook events' },
    { name: 'errors', folder: 'reference', title: 'Errors' },
    { name: 'states', folder: 'reference', title: 'States' },
    { name: 'permissions', folder: 'reference', title: 'Permissions' },
    { name: 'answers', folder: 'reference', title: 'API behaviour' },
    { name: 'clients', folder: 'reference', title: 'Clients of Monnify’s API' },
    { name: 'sdk-calls', folder: 'reference', title: 'SDK calls' },
    { name: 'commands', folder: 'reference', title: 'Commands' },
    { name: 'versioning', folder: 'reference', title: 'Versions and compatibility' },
  ],
}

export const ALL_GUIDES: readonly Guide[] = Object.values(GUIDES).flat()

export const guideAddress = (name: string): string => `/docs/guides/${name}`

/** Reads the guide's text as Markdown. */
export const readGuide = ({ name, folder }: Guide): Promise<string> =>
  readFile(new URL(`../../../../../docs/${folder}/${name}.md`, import.meta.url), 'utf8')

const PICTURE_NAME = /^[a-z0-9-]{1,64}\.jpg$/

/** Reads a picture of the guides; returns undefined if none has this name. */
export const readPicture = async (name: string): Promise<Buffer | undefined> =>
  PICTURE_NAME.test(name)
    ? readFile(new URL(`../../../../../docs/pictures/${name}`, import.meta.url)).catch(() => undefined)
    : undefined
