import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import { serviceSignature } from '@kobo/gateway/core/messages/outbox/index.ts'
import type { Random } from '@kobo/gateway/features/sandbox/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { invariant } from '@kobo/gateway/kernel/errors.ts'
import { type Kobo, naira, percentage, subtract, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { hmacSha256Base64 } from '@kobo/gateway/platform/crypto.ts'
import type { Remote } from '../remote.ts'
import { accountOf, payInto } from '../sandbox-actions.ts'
import { type ApiFault, type ApiProxy, type ApiRequest, isQuery } from './api-proxy.ts'
import { isAcknowledged, type Order, type Shop, type Webhook } from './shop.ts'

/** The pauses of the check, in milliseconds. */
export interface Pace {
  /** How long the shop may work in the background before we check what it delivered. */
  readonly settle: number
  readonly late: number
  readonly slow: number
  /** The time between two attempts to deliver a webhook. */
  readonly retry: number
}

export const PACES = {
  normal: { settle: 3_000, late: 15_000, slow: 5_000, retry: 2_000 },
  fast: { settle: 100, late: 200, slow: 200, retry: 100 },
} as const satisfies Record<string, Pace>

/** A mistake of the shop that ends its scenario. */
export class Mistake extends Error {}

type FaultOf = (request: ApiRequest) => ApiFault | undefined
type Sign = (body: string, key?: string) => Webhook

/** The actions that scenarios are made of. If one returns a text, that is the shop's mistake. */
export interface Stage {
  readonly pace: Pace
  readonly random: Random
  /** Makes the shop create an order while faults are injected into its API requests. */
  readonly tryOrder: (faultOf?: FaultOf) => Promise<Order | { readonly problem: string }>
  readonly order: (faultOf?: FaultOf) => Promise<Order>
  /** A random share of an amount, in basis points. */
  readonly share: () => bigint
  /** Pays an order as the customer: first the given share, then the rest. Returns the webhook of each payment. */
  readonly pay: (order: Order, share?: bigint) => Promise<readonly [Webhook, Webhook]>
  readonly payPart: (order: Order, share: bigint) => Promise<Webhook>
  /** Pays after the payment has expired. */
  readonly payTooLate: (order: Order) => Promise<Webhook>
  readonly send: Shop['send']
  /** Sends a genuine webhook as the gateway does, with retries. */
  readonly deliver: (webhook: Webhook) => Promise<string | undefined>
  /** Returns a webhook, forged by `make`, that reports an unpaid order as paid. */
  readonly forge: (order: Order, make: (webhook: Webhook, sign: Sign) => Webhook) => Promise<Webhook>
  /** Returns a webhook with a valid signature and other event data. */
  readonly changed: (webhook: Webhook, data: object) => Webhook
  readonly returnTo: Shop['returnTo']
  readonly wait: (what: keyof Pace) => Promise<void>
  readonly hasQueried: (order: Order) => Promise<boolean>
  readonly deliveredOnce: (order: Order) => Promise<string | undefined>
  readonly deliveredAtMostOnce: (order: Order) => Promise<string | undefined>
  readonly notDelivered: (order: Order) => Promise<string | undefined>
}

const ATTEMPTS_MAX = 8
const DELIVERY_SECONDS_MAX = 30
const EVENT_SECONDS_MAX = 60
const POLL_MILLISECONDS = 200
const WHOLE = 10_000n

export interface StageParts {
  readonly remote: Remote
  readonly proxy: ApiProxy
  readonly shop: Shop
  readonly random: Random
  readonly pace: Pace
  /** Aborts everything that waits. */
  readonly signal: AbortSignal
}

export async function openStage(parts: StageParts): Promise<Stage> {
  const { remote, proxy, shop, random, pace, signal } = parts
  const wait = (milliseconds: number): Promise<void> => pause(milliseconds, undefined, { signal })
  const tryOrder: Stage['tryOrder'] = (faultOf) => {
    proxy.reset(faultOf)
    return shop.placeOrder()
  }
  const payments = paymentsAt(remote, await webhooksOf(remote, wait), () => proxy.markPayment())
  return {
    pace,
    random,
    tryOrder,
    order: async (faultOf) => {
      const order = await tryOrder(faultOf)
      if ('problem' in order) throw new Mistake(order.problem)
      return order
    },
    share: () => BigInt(random.between(10, 90)) * (WHOLE / 100n),
    ...payments,
    ...webhooksTo(parts, wait),
    ...deliveriesOf(shop, pace, wait),
    returnTo: shop.returnTo,
    wait: (what) => wait(pace[what]),
    hasQueried: async (order) => {
      const names = (request: ApiRequest): readonly string[] => [
        decodeURIComponent(request.url.pathname.split('/').at(-1) ?? ''),
        ...request.url.searchParams.values(),
      ]
      const references = [order.reference, await transactionOf(remote, order)]
      const queries = proxy.seenSincePayment().filter(isQuery)
      return queries.some((one) => names(one).some((name) => references.includes(name)))
    },
  }
}

async function transactionOf({ call }: Remote, { reference }: Order): Promise<string> {
  try {
    return (await call(contract.queryTransaction, { query: { paymentReference: reference } })).transactionReference
  } catch (error) {
    if (!(error instanceof contract.Refused && error.code === 'UNKNOWN_TRANSACTION')) throw error
    throw new Mistake(`your shop took the order, but ${reference} has no payment; check the API's response`)
  }
}

type Wait = (milliseconds: number) => Promise<void>

/** Pays orders as the customer, by bank transfer. */
function paymentsAt(
  remote: Remote,
  nextWebhook: (order: Order) => Promise<Webhook>,
  onPayment: () => void,
): Pick<Stage, 'pay' | 'payPart' | 'payTooLate'> {
  const account = async (order: Order) => accountOf(remote, await transactionOf(remote, order))
  const payNow = async (order: Order, to: Awaited<ReturnType<typeof account>>, amount: Kobo) => {
    onPayment()
    const { status } = await payInto(remote, to, toNairaText(amount))
    return { webhook: await nextWebhook(order), isRejected: status === 'REJECTED' }
  }
  return {
    pay: async (order, share = WHOLE) => {
      const to = await account(order)
      const total = naira(to.totalPayable)
      const first = await payNow(order, to, percentage(total, share))
      if (share >= WHOLE) return [first.webhook, first.webhook]
      // If the merchant rejects part payments, the whole amount is still due.
      const rest = first.isRejected ? total : subtract(total, percentage(total, share))
      return [first.webhook, (await payNow(order, to, rest)).webhook]
    },
    payPart: async (order, share) => {
      const to = await account(order)
      return (await payNow(order, to, percentage(naira(to.totalPayable), share))).webhook
    },
    payTooLate: async (order) => {
      const to = await account(order)
      await remote.call(contract.advanceClock, { body: { seconds: to.accountDurationSeconds + 60 } })
      return (await payNow(order, to, naira(to.totalPayable))).webhook
    },
  }
}

/** Sends webhooks to the shop: genuine, changed and forged ones. */
function webhooksTo(
  { remote, shop, pace }: StageParts,
  wait: Wait,
): Pick<Stage, 'send' | 'deliver' | 'forge' | 'changed'> {
  const sign = signer(remote.credentials.secretKey)
  let genuine: Webhook | undefined
  return {
    send: shop.send,
    deliver: async (webhook) => {
      genuine ??= webhook
      let status = await shop.send(webhook)
      for (let attempt = 1; attempt < ATTEMPTS_MAX && !isAcknowledged(status); attempt++) {
        await wait(pace.retry)
        status = await shop.send(webhook)
      }
      if (isAcknowledged(status)) return undefined
      return `your server returned ${status ?? 'no response'} to a genuine webhook ${ATTEMPTS_MAX} times; return 200`
    },
    forge: async (order, make) => {
      invariant(genuine !== undefined, 'the plain order comes first')
      const template = genuine
      const data = { paymentReference: order.reference, transactionReference: await transactionOf(remote, order) }
      const signed = sign(template, withData(template.body, data))
      return make(signed, (body, key) => sign(template, body, key))
    },
    changed: (webhook, data) => sign(webhook, withData(webhook.body, data)),
  }
}

/** Counts how often the shop has delivered an order, and compares that with how often it should. */
function deliveriesOf(
  shop: Shop,
  pace: Pace,
  wait: Wait,
): Pick<Stage, 'deliveredOnce' | 'deliveredAtMostOnce' | 'notDelivered'> {
  /** Waits until the goods are delivered, and a little longer in case they are delivered again. */
  const count = async (order: Order, least: number): Promise<number> => {
    const polls = least === 0 ? 0 : (DELIVERY_SECONDS_MAX * 1_000) / POLL_MILLISECONDS
    for (let poll = 0; poll < polls && (await shop.deliveries(order)) < least; poll++) await wait(POLL_MILLISECONDS)
    await wait(pace.settle)
    return shop.deliveries(order)
  }
  return {
    deliveredOnce: async (order) => {
      const deliveries = await count(order, 1)
      return deliveries === 1 ? undefined : `delivered ${deliveries} times instead of once`
    },
    deliveredAtMostOnce: async (order) => {
      const deliveries = await count(order, 0)
      return deliveries <= 1 ? undefined : `delivered ${deliveries} times instead of once`
    },
    notDelivered: async (order) => ((await count(order, 0)) === 0 ? undefined : 'delivered; do not deliver it'),
  }
}

const withData = (body: string, data: object): string => {
  const event = JSON.parse(body)
  return JSON.stringify({ ...event, eventData: { ...event.eventData, ...data } })
}

/** Returns a function that signs a body now, and uses the header names of another webhook. */
function signer(secretKey: string) {
  return ({ headers }: Webhook, body: string, key: string = secretKey): Webhook => {
    const id = `evt_${randomInt(1e12)}`
    const timestamp = String(Math.floor(wallClock.now().getTime() / 1_000))
    const own: Readonly<Record<string, string>> = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmacSha256Base64(key, `${id}.${timestamp}.${body}`)}`,
    }
    const signature = serviceSignature(key, body)
    return { body, headers: Object.fromEntries(Object.keys(headers).map((name) => [name, own[name] ?? signature])) }
  }
}

/** Returns a function that waits for the next webhook of an order, oldest first. */
async function webhooksOf(remote: Remote, wait: Wait) {
  let { cursor } = await remote.call(contract.listenToEvents, { query: {} })
  let waiting: readonly (Webhook & { readonly reference: unknown })[] = []
  return async ({ reference }: Order): Promise<Webhook> => {
    for (let poll = 0; poll < (EVENT_SECONDS_MAX * 1_000) / POLL_MILLISECONDS; poll++) {
      const found = waiting.find((one) => one.reference === reference)
      waiting = waiting.filter((one) => one !== found)
      if (found !== undefined) return { body: found.body, headers: found.headers }
      const page = await remote.call(contract.listenToEvents, { query: { after: cursor } })
      cursor = page.cursor
      const received = page.events.map(({ body, headers }) => ({
        body,
        headers,
        reference: JSON.parse(body).eventData.paymentReference,
      }))
      waiting = [...waiting, ...received]
      if (received.length === 0) await wait(POLL_MILLISECONDS)
    }
    throw new Error(`No webhook event for ${reference} within a minute.`)
  }
}
