import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Address,
  type Input,
  initBankTransfer,
  initTransaction,
  logIn,
  payIntoAccount,
  type Reply,
  type Route,
  requestOf,
} from '@kobo/contract'
import pg from 'pg'

/** What is acknowledged, and all that was answered meanwhile. */
export interface Seen {
  /** When something was answered with 200, by this process's clock. */
  readonly succeededAt: number[]
  /** How often each status was answered; 0 where nothing was. */
  readonly answers: Map<number, number>
  /** The longest that an answer took, in milliseconds. */
  slowest: number
}

export interface Load {
  /** Payment references that were acknowledged, with the transaction's. */
  readonly inits: Map<string, string>
  /** Transaction references whose credit was acknowledged. */
  readonly credits: Set<string>
  /** Begins to see anew. */
  readonly look: () => Seen
  readonly stop: () => Promise<void>
}

const ANSWER_MILLISECONDS_MAX = 20_000
const TRY_SECONDS_MAX = 90
const UNDER_WAY_MAX = 400
export const AMOUNT_NAIRA = 5_000

type Credentials = { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string }

/** So many payments a second over all gateways: each an initialization, sent until it is answered, and a credit, sent once. */
export async function startLoad(urls: readonly string[], perSecond: number, credentials: Credentials): Promise<Load> {
  const token = (await logIn({ baseUrl: urls[0] ?? '' }, credentials)).accessToken
  const load = { inits: new Map<string, string>(), credits: new Set<string>() }
  const newSeen = (): Seen => ({ succeededAt: [], answers: new Map(), slowest: 0 })
  let seen = newSeen()
  let turn = 0
  const alive = watchAlive(urls)
  const next = (): string => alive.urls()[turn++ % alive.urls().length] ?? ''
  const underWay = new Set<Promise<void>>()

  async function send<R extends Route>(
    route: R & Address<R>,
    input: Input<R>,
    key?: string,
  ): Promise<Reply<R> | undefined> {
    const { url, ...request } = requestOf({ baseUrl: next(), token }, route, input)
    const headers = { ...request.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const began = performance.now()
    const answer = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX) })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    return note(answer?.status ?? 0, answer?.text, began)
  }

  function note<T>(status: number, text: string | undefined, began: number): T | undefined {
    const now = performance.now()
    seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1)
    seen.slowest = Math.max(seen.slowest, now - began)
    if (status !== 200 || text === undefined) return undefined
    seen.succeededAt.push(now)
    return JSON.parse(text).responseBody
  }

  async function payment(): Promise<void> {
    const paymentReference = randomUUID()
    const body = {
      amount: AMOUNT_NAIRA,
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      paymentReference,
      paymentDescription: 'Shoes',
      currencyCode: 'NGN',
      contractCode: credentials.contractCode,
    } as const
    const deadline = performance.now() + TRY_SECONDS_MAX * 1_000
    let made = await send(initTransaction, { body }, paymentReference)
    while (made === undefined && performance.now() < deadline) {
      await pause(500)
      made = await send(initTransaction, { body }, paymentReference)
    }
    if (made === undefined) return
    const { transactionReference } = made
    load.inits.set(paymentReference, transactionReference)
    const account = await send(initBankTransfer, { body: { transactionReference } })
    if (account === undefined) return
    const { bankCode, accountNumber } = account
    const paid = await send(payIntoAccount, { body: { bankCode, accountNumber, amount: AMOUNT_NAIRA } })
    if (paid?.status === 'ACCEPTED') load.credits.add(transactionReference)
  }

  const timer = setInterval(() => {
    if (underWay.size >= UNDER_WAY_MAX) return
    const one: Promise<void> = payment().finally(() => underWay.delete(one))
    underWay.add(one)
  }, 1_000 / perSecond)

  return {
    ...load,
    look: () => {
      seen = newSeen()
      return seen
    },
    stop: async () => {
      clearInterval(timer)
      alive.stop()
      await Promise.all(underWay)
    },
  }
}

const LOOK_MILLISECONDS = 500
const LOOK_MILLISECONDS_MAX = 1_000

/** Keeps in mind which gateways live, as a balancer before them does; all where none does. */
function watchAlive(urls: readonly string[]): { readonly urls: () => readonly string[]; readonly stop: () => void } {
  let alive = urls
  const lives = (url: string): Promise<boolean> =>
    fetch(`${url}/health/live`, { signal: AbortSignal.timeout(LOOK_MILLISECONDS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const timer = setInterval(async () => {
    const found = await Promise.all(urls.map(lives))
    alive = urls.filter((_, index) => found[index])
  }, LOOK_MILLISECONDS)
  return { urls: () => (alive.length === 0 ? urls : alive), stop: () => clearInterval(timer) }
}

/** Writes to the primary by itself, without a gateway: what the engine takes to be back. */
export function startProbe(url: string): { readonly succeededAt: number[]; readonly stop: () => Promise<void> } {
  const succeededAt: number[] = []
  let isStopped = false
  const once = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create table if not exists ha_probe (at timestamptz)')
      await client.query('insert into ha_probe values (now())')
      succeededAt.push(performance.now())
      await client.end()
    } catch {
      client.connection.stream.destroy()
    }
  }
  const going = (async () => {
    while (!isStopped) {
      await once()
      await pause(200)
    }
  })()
  return {
    succeededAt,
    stop: async () => {
      isStopped = true
      await going
    },
  }
}
