import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiProxy, fieldOf, isInit } from './api-proxy.ts'

/** A signed webhook, ready to be sent. */
export interface Webhook {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** An order that the shop has created. */
export interface Order {
  /** The payment reference, as the shop sent it to the API. */
  readonly reference: string
  readonly redirectUrl: string | undefined
  /** The payment references of all requests that the shop sent for this order. */
  readonly references: readonly string[]
  /** The values of the fields that `--deliveries` may contain, such as {reference}. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The developer's shop: three URLs. */
export interface Shop {
  /** Creates an order; returns the problem if the shop fails. */
  readonly placeOrder: () => Promise<Order | { readonly problem: string }>
  /** How often the goods of an order have been delivered. */
  readonly deliveries: (order: Order) => Promise<number>
  /** Sends a webhook and returns the status; null if there is no response. */
  readonly send: (webhook: Webhook, pauseMilliseconds?: number) => Promise<number | null>
  /** Returns to the shop from the checkout, as the customer's browser. */
  readonly returnTo: (order: Order, query?: Readonly<Record<string, string>>) => Promise<void>
}

export interface ShopUrls {
  readonly order: string
  readonly deliveries: string
  readonly webhook: string
}

/** The shop cannot be checked as it is set up. After the first order, it may have crashed, which counts as its mistake. */
export class SetUpError extends Error {}

const SHOP_SECONDS_MAX = 60
const WEBHOOK_SECONDS_MAX = 10
const OK = 200

export function openShop(
  { order: orderUrl, deliveries: deliveriesUrl, webhook: webhookUrl }: ShopUrls,
  proxy: ApiProxy,
): Shop {
  const call = async (url: string, method: string): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(SHOP_SECONDS_MAX * 1_000)
      return await fetch(url, { method, headers: { accept: 'application/json' }, redirect: 'manual', signal })
    } catch (error) {
      throw new SetUpError(`Your shop does not answer ${method} ${url}. Is it running?`, { cause: error })
    }
  }
  return {
    placeOrder: async () => {
      const response = await call(orderUrl, 'POST')
      const fields = await jsonOf(response)
      const inits = proxy.seen().filter(isInit)
      const references = [...new Set(inits.map((request) => String(fieldOf(request, 'paymentReference'))))]
      const last = inits.at(-1)
      const reference = references.at(-1)
      if (last === undefined || reference === undefined)
        throw new SetUpError(
          `POST ${orderUrl} returned ${response.status}, and your shop sent no init-transaction request to ${proxy.url}. Use it as the base URL of Kobo's API in your shop.`,
        )
      if (response.status >= 400) return { problem: `POST ${orderUrl} returned ${response.status}` }
      const redirectUrl = fieldOf(last, 'redirectUrl')
      return {
        reference,
        references,
        redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : undefined,
        fields: { ...fields, reference },
      }
    },
    deliveries: async ({ fields }) => {
      const url = filledIn(deliveriesUrl, fields)
      const response = await call(url, 'GET')
      const { deliveries } = await jsonOf(response)
      if (!Number.isInteger(deliveries))
        throw new SetUpError(
          `GET ${url} returned ${response.status} without a number "deliveries" in its JSON, such as {"deliveries": 1}.`,
        )
      return Number(deliveries)
    },
    send: (webhook, pauseMilliseconds = 0) => post(webhookUrl, webhook, pauseMilliseconds),
    returnTo: async ({ reference, redirectUrl }, query = {}) => {
      if (redirectUrl === undefined) return
      const url = new URL(redirectUrl)
      for (const [name, value] of Object.entries({ paymentReference: reference, ...query }))
        url.searchParams.set(name, value)
      await call(url.href, 'GET')
    },
  }
}

const jsonOf = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const value: unknown = await response.json().catch(() => undefined)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const filledIn = (url: string, fields: Readonly<Record<string, unknown>>): string =>
  url.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (fields[name] === undefined) throw new SetUpError(`The response of your order URL has no field "${name}".`)
    return encodeURIComponent(String(fields[name]))
  })

/** Posts a webhook as the gateway does. With a pause, it sends the second half of the body late. */
async function post(url: string, { body, headers }: Webhook, pauseMilliseconds: number): Promise<number | null> {
  const bytes = Buffer.from(body)
  const half = pauseMilliseconds === 0 ? bytes.length : Math.floor(bytes.length / 2)
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
    signal: AbortSignal.timeout(WEBHOOK_SECONDS_MAX * 1_000 + pauseMilliseconds),
  }
  return new Promise((resolve) => {
    const request = send(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? null))
      response.on('error', () => resolve(null))
    })
    request.on('error', () => resolve(null))
    request.write(bytes.subarray(0, half))
    if (half === bytes.length) request.end()
    else pause(pauseMilliseconds).then(() => request.end(bytes.subarray(half)))
  })
}

export const isAcknowledged = (status: number | null): boolean => status === OK
