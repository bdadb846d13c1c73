import { readFile } from 'node:fs/promises'

/** A page of docs/ that is also served under `/docs/guides`. */
export interface Guide {
  /** Its file's name without `.md`, and the last part of its address. */
  readonly name: string
  readonly title: string
}

/** In the order in which a newcomer reads them. */
export const GUIDES: Readonly<Record<string, readonly Guide[]>> = {
  Guides: [
    { name: 'first-payment', title: 'First payment' },
    { name: 'first-shop', title: 'A shop of your own' },
    { name: 'testing', title: 'Testing' },
    { name: 'webhooks', title: 'Webhooks' },
    { name: 'idempotency', title: 'Sending again safely' },
    { name: 'reconciling', title: 'Reconciling' },
    { name: 'disputes', title: 'Disputes' },
    { name: 'checkout', title: 'Checkout' },
    { name: 'dashboard', title: 'Dashboard' },
    { name: 'going-live', title: 'Going live' },
    { name: 'coming-from', title: 'Coming from another gateway' },
  ],
  'In detail': [
    { name: 'events', title: 'Events' },
    { name: 'errors', title: 'Errors' },
    { name: 'states', title: 'States' },
    { name: 'permissions', title: 'Permissions' },
    { name: 'answers', title: 'What it answers exactly' },
    { name: 'versioning', title: 'Versions and changes' },
  ],
}

export const ALL_GUIDES: readonly Guide[] = Object.values(GUIDES).flat()

export const guideAddress = (name: string): string => `/docs/guides/${name}`

/** The guide's text as Markdown. */
export const readGuide = ({ name }: Guide): Promise<string> =>
  readFile(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8')

const PICTURE_NAME = /^[a-z0-9-]{1,64}\.jpg$/

/** A picture of the guides; undefined where there is none of this name. */
export const readPicture = async (name: string): Promise<Buffer | undefined> =>
  PICTURE_NAME.test(name)
    ? readFile(new URL(`../../../../docs/pictures/${name}`, import.meta.url)).catch(() => undefined)
    : undefined
