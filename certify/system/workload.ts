import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@kobo/gateway/features/sandbox/random.ts'
import { until } from '../../deploy/ha/processes.ts'
import type { Operation, ReadPayment, ReadTransfer } from '../checker/history.ts'
import { type Answer, type Api, type Credentials, inKobo } from './api.ts'

const CLIENTS = 16
const PAYMENT_NAIRA = 5_000
const TRIES_MAX = 100
const RETRY_MILLISECONDS = 500
const BANK_CODE = '058'
/** The bank knows the outcome of transfers to the second account only after a minute. */
const ACCOUNTS = ['1000001789', '1000001002'] as const
const SLOW_SHARE = 0.03
/** The range of the random amounts. Equal transfers would look like duplicates. */
const TRANSFER_KOBO = { least: 2_000, most: 1_000_000 }

type Reported<One extends Operation> = Omit<One, 'client' | 'invokedAt' | 'endedAt' | 'outcome'>

/** Simulated customers and merchants, who record every call and its result. */
export interface Workload {
  readonly operations: readonly Operation[]
  /** Ends all clients and waits for their last calls. */
  readonly stop: () => Promise<void>
}

type Act = (client: Client, name: string) => Promise<void>

interface Client {
  readonly api: Api
  readonly credentials: Credentials
  /** The holders of the accounts. */
  readonly names: ReadonlyMap<string, string>
  readonly random: Random
  readonly isStopping: () => boolean
  /** Makes a call and records it with its result. */
  readonly note: <One extends Operation>(
    call: () => Promise<Answer>,
    report: (answer: Answer) => Reported<One>,
  ) => Promise<Answer>
}

export async function startWorkload(
  api: Api,
  credentials: Credentials,
  random: Random,
  pauseMilliseconds: number,
): Promise<Workload> {
  const operations: Operation[] = []
  let isStopping = false
  const names = new Map<string, string>()
  for (const accountNumber of ACCOUNTS) {
    const path = `/api/v1/disbursements/account/validate?accountNumber=${accountNumber}&bankCode=${BANK_CODE}`
    await until('the account has a name', async () => {
      const { outcome, body } = await api.send('GET', path)
      names.set(accountNumber, String(body['accountName']))
      return outcome === 'ok'
    })
  }
  const run = async (nth: number): Promise<void> => {
    const name = `client-${nth}`
    const note: Client['note'] = async (call, report) => {
      const invokedAt = performance.now()
      const answer = await call()
      const { outcome } = answer
      const seen = { ...report(answer), client: name, invokedAt, endedAt: performance.now(), outcome }
      operations.push(seen as unknown as Operation)
      return answer
    }
    const client = { api, credentials, names, random, isStopping: () => isStopping, note }
    for (let count = 0; !isStopping; count++) {
      await pickAct(random)(client, `${name}-${count}`)
      await pause(pauseMilliseconds)
    }
  }
  const running = Array.from({ length: CLIENTS }, (_, nth) => run(nth))
  return {
    operations,
    stop: async () => {
      isStopping = true
      await Promise.all(running)
    },
  }
}

function pickAct(random: Random): Act {
  const share = random.part()
  return share < 0.5 ? makePayment : share < 0.85 ? makeTransfer : readBalance
}

export const initPayment = (api: Api, { contractCode }: Credentials, reference: string): Promise<Answer> =>
  api.send(
    'POST',
    '/api/v1/merchant/transactions/init-transaction',
    {
      amount: PAYMENT_NAIRA,
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      paymentReference: reference,
      paymentDescription: 'Shoes',
      currencyCode: 'NGN',
      contractCode,
    },
    reference,
  )

const makePayment: Act = async (client, reference) => {
  const { api, credentials, note } = client
  const init = (): Promise<Answer> =>
    note(
      () => initPayment(api, credentials, reference),
      ({ body: { transactionReference } }) => ({ kind: 'init', reference, ...text({ transactionReference }) }),
    )
  const { outcome, body: made } = await repeat(client, init)
  if (outcome !== 'ok') return
  await readPayment(client, reference)
  const account = await api.send('POST', '/api/v1/merchant/bank-transfer/init-payment', {
    transactionReference: made['transactionReference'],
  })
  if (account.outcome !== 'ok') return
  const { bankCode, accountNumber } = account.body
  await note(
    () => api.send('POST', '/sandbox/transfers', { bankCode, accountNumber, amount: PAYMENT_NAIRA }),
    () => ({ kind: 'pay', reference, amount: inKobo(PAYMENT_NAIRA) }),
  )
  await readPayment(client, reference)
}

const makeTransfer: Act = async (client, reference) => {
  const { api, credentials, names, random, note } = client
  const accountNumber = ACCOUNTS[random.part() < SLOW_SHARE ? 1 : 0]
  const amount = random.between(TRANSFER_KOBO.least, TRANSFER_KOBO.most)
  const body = {
    amount: amount / 100,
    reference,
    narration: 'Rent for March',
    destinationBankCode: BANK_CODE,
    destinationAccountNumber: accountNumber,
    destinationAccountName: names.get(accountNumber),
    currency: 'NGN',
    sourceAccountNumber: credentials.walletAccountNumber,
  }
  const transfer = (): Promise<Answer> =>
    note(
      () => api.send('POST', '/api/v2/disbursements/single', body, reference),
      () => ({ kind: 'transfer', reference, amount }),
    )
  await repeat(client, transfer)
  await readTransfer(client, reference)
}

const readBalance: Act = async ({ api, credentials, note }) => {
  const { walletAccountNumber: reference } = credentials
  await note(
    () => api.send('GET', `/api/v2/disbursements/wallet-balance?accountNumber=${reference}`),
    ({ outcome, body: { availableBalance, ledgerBalance } }) => ({
      kind: 'readBalance',
      reference,
      ...(outcome === 'ok' ? { available: inKobo(availableBalance), ledger: inKobo(ledgerBalance) } : {}),
    }),
  )
}

/** Repeats a call with the same reference until its outcome is known. */
async function repeat({ isStopping }: Client, call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call()
  for (let tries = 1; answer.outcome === 'unknown' && tries < TRIES_MAX && !isStopping(); tries++) {
    await pause(RETRY_MILLISECONDS)
    answer = await call()
  }
  return answer
}

const text = (values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))

const readPayment = ({ api, note }: Pick<Client, 'api' | 'note'>, reference: string): Promise<Answer> =>
  note<ReadPayment>(
    () => read(api, `/api/v2/merchant/transactions/query?paymentReference=${reference}`),
    ({ body: { paymentStatus: status, amountPaid, transactionReference } }) => ({
      kind: 'readPayment',
      reference,
      ...text({ status, transactionReference }),
      ...(amountPaid === undefined ? {} : { amountPaid: inKobo(amountPaid) }),
    }),
  )

const readTransfer = ({ api, note }: Pick<Client, 'api' | 'note'>, reference: string): Promise<Answer> =>
  note<ReadTransfer>(
    () => read(api, `/api/v2/disbursements/single/summary?reference=${reference}`),
    ({ body: { status, amount, fee } }) => ({
      kind: 'readTransfer',
      reference,
      ...text({ status }),
      ...(amount === undefined ? {} : { amount: inKobo(amount), fee: inKobo(fee) }),
    }),
  )

/** Reads a path. A 404 also counts as a successful read. */
async function read(api: Api, path: string): Promise<Answer> {
  const answer = await api.send('GET', path)
  return answer.status === 404 ? { outcome: 'ok', status: 404, body: {} } : answer
}

const READERS = 8

/** Reads every payment and transfer once more. Repeats a read until it gets a response. */
export async function readAll(
  api: Api,
  operations: readonly Operation[],
): Promise<readonly (ReadPayment | ReadTransfer)[]> {
  const reads: (ReadPayment | ReadTransfer)[] = []
  const note: Client['note'] = async (call, report) => {
    const invokedAt = performance.now()
    let answer = await call()
    while (answer.outcome !== 'ok') {
      await pause(RETRY_MILLISECONDS)
      answer = await call()
    }
    const { outcome } = answer
    const seen = { ...report(answer), client: 'last reader', invokedAt, endedAt: performance.now(), outcome }
    reads.push(seen as unknown as ReadPayment)
    return answer
  }
  const written = new Map(
    operations.flatMap(({ kind, reference }) =>
      kind === 'init' || kind === 'transfer' ? [[reference, kind] as const] : [],
    ),
  )
  const left = [...written]
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop())
        await (next[1] === 'init' ? readPayment : readTransfer)({ api, note }, next[0])
    }),
  )
  return reads
}
