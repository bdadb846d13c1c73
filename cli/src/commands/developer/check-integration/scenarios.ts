import type { ApiFault, ApiRequest } from './api-proxy.ts'
import { isInit, isQuery } from './api-proxy.ts'
import { isAcknowledged, SetUpError } from './shop.ts'
import type { Stage } from './stage.ts'

/** The criteria of the report, with the guide that explains each. */
export const CRITERIA = {
  signatures: { title: 'Signatures verified', guide: 'webhooks#write-a-webhook-endpoint' },
  duplicates: { title: 'Duplicates handled', guide: 'webhooks#write-a-webhook-endpoint' },
  timing: { title: 'Late, slow and unordered webhooks handled', guide: 'webhooks#how-we-handle-your-response' },
  status: { title: 'Status queried before delivery', guide: 'first-payment#check-the-status' },
  amount: { title: 'Amount and currency compared', guide: 'testing#check-your-integration' },
  retries: { title: 'Retries with the same reference', guide: 'idempotency#your-references' },
  redirects: { title: 'Redirects not trusted', guide: 'checkout#hosted-checkout' },
} as const
export type Criterion = keyof typeof CRITERIA

/** One order with a fault. `play` returns the shop's mistake, if it made one. */
export interface Scenario {
  readonly name: string
  readonly criterion: Criterion
  readonly play: (stage: Stage) => Promise<string | undefined>
}

/** Injects a fault into the first requests of a kind. */
function onFirst(count: number, matches: (request: ApiRequest) => boolean, fault: ApiFault) {
  let left = count
  return (request: ApiRequest): ApiFault | undefined => (matches(request) && left-- > 0 ? fault : undefined)
}

/** A plain paid order, which runs first: the other scenarios mean nothing if the shop does not deliver it. */
export const PLAIN: Scenario = {
  name: 'a plain paid order',
  criterion: 'status',
  play: async (stage) => {
    const order = await stage.order()
    const [webhook] = await stage.pay(order)
    const problem = (await stage.deliver(webhook)) ?? (await stage.deliveredOnce(order))
    if (problem !== undefined) throw new SetUpError(`A plain paid order fails: ${problem}. Fix this first.`)
    return (await stage.hasQueried(order)) ? undefined : 'delivered without a query of the payment’s status'
  },
}

const PARTS_OF_SIGNATURE = /signature/

const forged = (name: string, forge: Parameters<Stage['forge']>[1]): Scenario => ({
  name,
  criterion: 'signatures',
  play: async (stage) => {
    const order = await stage.order()
    const status = await stage.send(await stage.forge(order, forge))
    if (status !== null && status < 300) return `your server returned ${status}; reject it with 401`
    return stage.notDelivered(order)
  },
})

const FORGERIES: readonly Scenario[] = [
  forged('a webhook without a signature', ({ body, headers }) => ({
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !PARTS_OF_SIGNATURE.test(name))),
  })),
  forged('a webhook signed with another key', ({ body }, sign) => sign(body, 'another-key')),
  forged('a webhook signed with an empty key', ({ body }, sign) => sign(body, '')),
  forged('a webhook changed after it was signed', ({ body }, sign) => ({ ...sign(`${body} `), body })),
]

/** An order while the API fails. The shop must retry its request, and always with the same reference. */
const withBadApi = (name: string, faultOf: (stage: Stage) => ApiFault): Scenario => ({
  name,
  criterion: 'retries',
  play: async (stage) => {
    const order = await stage.tryOrder(onFirst(1, isInit, faultOf(stage)))
    if ('problem' in order) return `${order.problem}; retry the request with the same reference`
    if (order.references.length > 1)
      return `${order.references.length} payments for one order; retry with the same reference`
    const [webhook] = await stage.pay(order)
    return (await stage.deliver(webhook)) ?? stage.deliveredOnce(order)
  },
})

const WEBHOOKS: readonly Scenario[] = [
  {
    name: 'the same webhook three times',
    criterion: 'duplicates',
    play: async (stage) => {
      const order = await stage.order()
      const [webhook] = await stage.pay(order)
      const twice = await Promise.all([stage.deliver(webhook), stage.deliver(webhook)])
      const problem = twice.find((one) => one !== undefined) ?? (await stage.deliver(webhook))
      return problem ?? stage.deliveredOnce(order)
    },
  },
  {
    name: 'a webhook that arrives after the customer returned',
    criterion: 'timing',
    play: async (stage) => {
      const order = await stage.order()
      const [webhook] = await stage.pay(order)
      await stage.returnTo(order)
      await stage.wait('late')
      return (await stage.deliver(webhook)) ?? stage.deliveredOnce(order)
    },
  },
  {
    name: 'a webhook that arrives slowly',
    criterion: 'timing',
    play: async (stage) => {
      const order = await stage.order()
      const [webhook] = await stage.pay(order)
      const status = await stage.send(webhook, stage.pace.slow)
      if (!isAcknowledged(status)) return `your server returned ${status ?? 'no response'} instead of 200`
      return stage.deliveredOnce(order)
    },
  },
  {
    name: 'webhooks out of order',
    criterion: 'timing',
    play: async (stage) => {
      const order = await stage.order()
      const [part, whole] = await stage.pay(order, stage.share())
      const problem = (await stage.deliver(whole)) ?? (await stage.deliver(part))
      return problem ?? stage.deliveredOnce(order)
    },
  },
  {
    name: 'a status query that fails',
    criterion: 'retries',
    play: async (stage) => {
      const order = await stage.order(onFirst(stage.random.between(1, 6), isQuery, { kind: 'unavailable' }))
      const [webhook] = await stage.pay(order)
      return (await stage.deliver(webhook)) ?? stage.deliveredOnce(order)
    },
  },
]

const MONEY: readonly Scenario[] = [
  {
    name: 'a part payment',
    criterion: 'amount',
    play: async (stage) => {
      const order = await stage.order()
      await stage.send(await stage.payPart(order, stage.share()))
      return stage.notDelivered(order)
    },
  },
  {
    name: 'an overpayment',
    criterion: 'amount',
    play: async (stage) => {
      const order = await stage.order()
      const [webhook] = await stage.pay(order, 10_000n + stage.share())
      return (await stage.deliver(webhook)) ?? stage.deliveredAtMostOnce(order)
    },
  },
  {
    name: 'an amount that the customer changed in the browser',
    criterion: 'amount',
    play: async (stage) => {
      const amount = stage.random.between(20, 100)
      const change = { kind: 'changed', request: (body: object) => ({ ...body, amount }) } as const
      const order = await stage.order((request) => (isInit(request) ? change : undefined))
      const [webhook] = await stage.pay(order)
      await stage.send(webhook)
      return stage.notDelivered(order)
    },
  },
  {
    name: 'a payment in another currency',
    criterion: 'amount',
    play: async (stage) => {
      const currency = stage.random.of(['USD', 'GHS', 'XOF'])
      const inCurrency = (body: object) => ({ ...body, currency, currencyCode: currency })
      const order = await stage.order((request) =>
        isQuery(request) ? { kind: 'changed', response: inCurrency } : undefined,
      )
      const [webhook] = await stage.pay(order)
      await stage.send(stage.changed(webhook, { currency }))
      return stage.notDelivered(order)
    },
  },
  {
    name: 'a payment that the bank reversed before the webhook arrived',
    criterion: 'status',
    play: async (stage) => {
      const reversed = (body: object) => ({ ...body, paymentStatus: 'FAILED' })
      const order = await stage.order((request) =>
        isQuery(request) ? { kind: 'changed', response: reversed } : undefined,
      )
      const [webhook] = await stage.pay(order)
      await stage.send(webhook)
      return stage.notDelivered(order)
    },
  },
  {
    name: 'a payment that arrives after the session expired',
    criterion: 'status',
    play: async (stage) => {
      const order = await stage.order()
      await stage.send(await stage.payTooLate(order))
      return stage.notDelivered(order)
    },
  },
]

const REDIRECTS: readonly Scenario[] = [
  {
    name: 'a customer who returns without paying',
    criterion: 'redirects',
    play: async (stage) => {
      const order = await stage.order()
      await stage.returnTo(order)
      return stage.notDelivered(order)
    },
  },
  {
    name: 'a forged redirect that says PAID',
    criterion: 'redirects',
    play: async (stage) => {
      const order = await stage.order()
      await stage.returnTo(order, { status: 'PAID', paymentStatus: 'PAID', amountPaid: '1000000' })
      return stage.notDelivered(order)
    },
  },
]

/** All scenarios except the plain one. The seed decides in which order they run. */
export const SCENARIOS: readonly Scenario[] = [
  ...FORGERIES,
  ...WEBHOOKS,
  ...MONEY,
  ...REDIRECTS,
  withBadApi('an API that returns 503', () => ({ kind: 'unavailable' })),
  withBadApi('a response that is lost', () => ({ kind: 'lost' })),
  withBadApi('a response that is late', ({ pace }) => ({ kind: 'late', milliseconds: pace.slow })),
]
