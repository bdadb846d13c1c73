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

/** The responses since a moment. */
export interface Responses {
  /** Times of responses with status 200, by this process's clock. */
  readonly succeededAt: number[]
  /** Number of responses by status; 0 is no response. */
  readonly counts: Map<number, number>
  /** The slowest response in milliseconds. */
  slowest: number
}

export interface Load {
  /** Acknowledged payment references with their transaction references. */
  readonly inits: Map<string, string>
  /** Transaction references whose credit was acknowledged. */
  readonly credits: Set<string>
  /** Starts new statistics. */
  readonly observe: () => Responses
  readonly stop: () => Promise<void>
}

const RESPONSE_MILLISECONDS_MAX = 20_000
const RETRY_SECONDS_MAX = 90
const CONCURRENT_MAX = 400
export const AMOUNT_NAIRA = 5_000

type Credentials = { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string }
type Send = <R extends Route>(route: R & Address<R>, input: Input<R>, key?: string) => Promise<Reply<R> | undefined>

/** Makes payments at a fixed rate over all gateways: each init is retried until acknowledged, each credit is sent once. */
export async function startLoad(urls: readonly string[], perSecond: number, credentials: Credentials): Promise<Load> {
  const token = (await logIn({ baseUrl: urls[0] ?? '' }, credentials)).accessToken
  const acknowledged = { inits: new Map<string, string>(), credits: new Set<string>() }
  let responses: Responses = { succeededAt: [], counts: new Map(), slowest: 0 }
  const alive = watchAlive(urls)
  const send = sender(token, alive.urls, () => responses)
  const pending = new Set<Promise<void>>()
  const timer = setInterval(() => {
    if (pending.size >= CONCURRENT_MAX) return
    const one: Promise<void> = makePayment(send, credentials, acknowledged).finally(() => pending.delete(one))
    pending.add(one)
  }, 1_000 / perSecond)

  return {
    ...acknowledged,
    observe: () => {
      responses = { succeededAt: [], counts: new Map(), slowest: 0 }
      return responses
    },
    stop: async () => {
      clearInterval(timer)
      alive.stop()
      await Promise.all(pending)
    },
  }
}

/** Sends requests to the gateways in turn and records the responses. */
function sender(token: string, urls: () => readonly string[], responses: () => Responses): Send {
  let turn = 0
  return async (route, input, key) => {
    const baseUrl = urls()[turn++ % urls().length] ?? ''
    const { url, ...request } = requestOf({ baseUrl, token }, route, input)
    const headers = { ...request.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const startedAt = performance.now()
    const response = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(RESPONSE_MILLISECONDS_MAX) })
      .then(async (one) => ({ status: one.status, text: await one.text() }))
      .catch(() => ({ status: 0, text: '' }))
    const now = performance.now()
    const { counts, succeededAt } = responses()
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
    responses().slowest = Math.max(responses().slowest, now - startedAt)
    if (response.status !== 200) return undefined
    succeededAt.push(now)
    return JSON.parse(response.text).responseBody
  }
}

async function makePayment(
  send: Send,
  { contractCode }: Credentials,
  { inits, credits }: Pick<Load, 'inits' | 'credits'>,
): Promise<void> {
  const paymentReference = randomUUID()
  const body = {
    amount: AMOUNT_NAIRA,
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    paymentReference,
    paymentDescription: 'Shoes',
    currencyCode: 'NGN',
    contractCode,
  } as const
  const deadline = performance.now() + RETRY_SECONDS_MAX * 1_000
  let made = await send(initTransaction, { body }, paymentReference)
  while (made === undefined && performance.now() < deadline) {
    await pause(500)
    made = await send(initTransaction, { body }, paymentReference)
  }
  if (made === undefined) return
  const { transactionReference } = made
  inits.set(paymentReference, transactionReference)
  const account = await send(initBankTransfer, { body: { transactionReference } })
  if (account === undefined) return
  const { bankCode, accountNumber } = account
  const paid = await send(payIntoAccount, { body: { bankCode, accountNumber, amount: AMOUNT_NAIRA } })
  if (paid?.status === 'ACCEPTED') credits.add(transactionReference)
}

const CHECK_MILLISECONDS = 500
const CHECK_MILLISECONDS_MAX = 1_000

/** Tracks which gateways are alive, as a load balancer does; returns all if none is. */
function watchAlive(urls: readonly string[]): { readonly urls: () => readonly string[]; readonly stop: () => void } {
  let alive = urls
  const isAlive = (url: string): Promise<boolean> =>
    fetch(`${url}/health/live`, { signal: AbortSignal.timeout(CHECK_MILLISECONDS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    )
  const timer = setInterval(async () => {
    const found = await Promise.all(urls.map(isAlive))
    alive = urls.filter((_, index) => found[index])
  }, CHECK_MILLISECONDS)
  return { urls: () => (alive.length === 0 ? urls : alive), stop: () => clearInterval(timer) }
}

/** Writes to the primary directly, to measure the database's own outage. */
export function startProbe(url: string): { readonly succeededAt: number[]; readonly stop: () => Promise<void> } {
  const succeededAt: number[] = []
  let isStopped = false
  const write = async (): Promise<void> => {
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
  const running = (async () => {
    while (!isStopped) {
      await write()
      await pause(200)
    }
  })()
  return {
    succeededAt,
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
