import { setTimeout as pause } from 'node:timers/promises'
import { type Random, seededRandom } from '@kobo/gateway/features/sandbox/random.ts'
import { until } from '../deploy/ha/processes.ts'
import { checkBooks } from '../gateway/test/bookkeeper/check-books.ts'
import { findViolations, type Violation } from './checker/check.ts'
import type { BankEffect, History, Operation, Outcome } from './checker/history.ts'
import { missingFor, pick, type Scenario, type Stage, together } from './scenarios/scenario.ts'
import { type Api, inKobo, openApi } from './system/api.ts'
import { type Receiver, startReceiver } from './system/receiver.ts'
import { reconcile } from './system/statement.ts'
import { queryRows, type System } from './system/system.ts'
import { readAll, startWorkload, type Workload } from './system/workload.ts'

export interface Options<Broken extends System> {
  readonly start: () => Promise<Broken>
  readonly scenarios: readonly Scenario<Broken>[]
  /** How often each scenario runs alone. */
  readonly repeat?: number
  /** How long to run: first all scenarios one by one, then random pairs until the time is over. */
  readonly minutes: number
  readonly seed: number
  readonly say: (line: string) => void
}

/** The result of one scenario. */
export interface Row {
  readonly scenario: string
  readonly seconds: number
  /** The longest time in which no write succeeded. Reads may continue meanwhile. */
  readonly secondsWithoutSuccess: number
  readonly outcomes: Readonly<Record<Outcome, number>>
}

export interface Findings {
  readonly rows: readonly Row[]
  readonly skipped: readonly string[]
  readonly operations: Readonly<Record<string, Readonly<Record<Outcome, number>>>>
  readonly events: { readonly received: number; readonly repeated: number }
  readonly violations: readonly Violation[]
  readonly notes: readonly string[]
  readonly databases: readonly string[]
}

const FUNDS_NAIRA = 1_000_000_000
const PAUSE_MILLISECONDS = 20
const QUIET_MILLISECONDS = 5_000
const DRAINED_SECONDS_MAX = 600
const WRITES: ReadonlySet<Operation['kind']> = new Set(['init', 'pay', 'transfer'])

/** Puts a system under load, injects faults, and checks the results that clients, webhook endpoints and banks saw. */
export async function certify<Broken extends System>(options: Options<Broken>): Promise<Findings> {
  const { start, scenarios, repeat = 1, minutes, seed, say } = options
  const system = await start()
  const receiver = await startReceiver(system.credentials.secretKey)
  try {
    const api = openApi(
      system.gateways.map(({ url }) => url),
      system.credentials,
    )
    const startBalance = await prepare(api, system, receiver)
    const random = seededRandom(seed)
    const workload = await startWorkload(api, system.credentials, random, PAUSE_MILLISECONDS)
    const reported: Violation[] = []
    const report: Stage['report'] = (promise, what) => void reported.push({ promise, what })
    const stage = { system, receiver, random, report }
    const missing = scenarios.flatMap((one) => missingFor(one) ?? [])
    const rows: Row[] = []
    for (const scenario of order(
      scenarios.filter((one) => missingFor(one) === undefined),
      repeat,
      minutes,
      random,
    )) {
      const row = await playOne(scenario, stage, workload).catch((error: Error) => {
        report('The system recovers without help', `${scenario.name}: ${error.message}`)
      })
      if (row === undefined) break // nothing more can be learnt from a system that is broken
      rows.push(row)
      say(lineOf(row))
    }
    await workload.stop()
    say('Waiting for the last transfers and webhooks')
    const history = await readHistory(api, stage, workload, startBalance)
    const violations = [...reported, ...findViolations(history), ...(await checkDatabase(system))]
    return {
      rows,
      skipped: missing,
      operations: countOf(workload.operations),
      events: eventsOf(history),
      violations,
      notes: system.notes ?? [],
      databases: [await databaseOf(system)],
    }
  } finally {
    receiver.stop()
    await system.stop()
  }
}

/** Yields all scenarios one by one, then random pairs of scenarios until the time is over. */
function* order<Broken extends System>(
  scenarios: readonly Scenario<Broken>[],
  repeat: number,
  minutes: number,
  random: Random,
): Generator<Scenario<Broken>> {
  const deadline = performance.now() + minutes * 60_000
  for (const one of scenarios) yield* Array.from({ length: repeat }, () => one)
  const paired = scenarios.filter(({ isAlone }) => isAlone !== true)
  while (performance.now() < deadline && paired.length > 1) {
    const one = pick(random, paired)
    yield together(
      one,
      pick(
        random,
        paired.filter((other) => other !== one),
      ),
    )
  }
}

/** Funds the wallet, and makes sure that only transfers change its balance. Returns the balance in kobo. */
async function prepare(api: Api, { credentials }: System, { url }: Receiver): Promise<number> {
  const settlementAccount = { bankCode: '058', accountNumber: '1000002789', accountName: 'Demo Shop' }
  for (const [method, path, body] of [
    ['POST', '/sandbox/wallet/fund', { amount: FUNDS_NAIRA }],
    ['PUT', '/sandbox/settings', { otpEnabled: false, settlementDestination: 'BANK', settlementAccount }],
    ['PUT', '/sandbox/settings', { webhookUrl: url }],
  ] as const)
    await until(`${method} ${path} returns 200`, async () => (await api.send(method, path, body)).status === 200)
  return readBalance(api, credentials.walletAccountNumber)
}

async function readBalance(api: Api, accountNumber: string): Promise<number> {
  let balance = Number.NaN
  await until('the balance is read', async () => {
    const path = `/api/v2/disbursements/wallet-balance?accountNumber=${accountNumber}`
    const { outcome, body } = await api.send('GET', path)
    balance = inKobo(body['availableBalance'])
    return outcome === 'ok'
  })
  return balance
}

async function playOne<Broken extends System>(
  { name, play }: Scenario<Broken>,
  stage: Stage<Broken>,
  { operations }: Workload,
): Promise<Row> {
  await stage.system.untilReady()
  await pause(QUIET_MILLISECONDS)
  const [since, first] = [performance.now(), operations.length]
  await play(stage).catch((error: Error) => stage.report('Every scenario can run', `${name}: ${error.message}`))
  await stage.system.untilReady()
  await pause(QUIET_MILLISECONDS)
  const seen = operations.slice(first)
  const succeeded = seen
    .flatMap(({ kind, outcome, endedAt }) => (outcome === 'ok' && WRITES.has(kind) ? endedAt : []))
    .sort((a, b) => a - b)
  const times = [since, ...succeeded, performance.now()]
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  return {
    scenario: name,
    seconds: (performance.now() - since) / 1_000,
    secondsWithoutSuccess: Math.max(...gaps) / 1_000,
    outcomes: outcomesOf(seen),
  }
}

const lineOf = ({ scenario, seconds, secondsWithoutSuccess, outcomes: { ok, failed, unknown } }: Row): string =>
  `${scenario}: ${seconds.toFixed(0)} s, ${secondsWithoutSuccess.toFixed(1)} s without a successful write; ${ok} ok, ${failed} failed, ${unknown} unknown`

function outcomesOf(operations: readonly Operation[]): Record<Outcome, number> {
  const count = { ok: 0, failed: 0, unknown: 0 }
  for (const { outcome } of operations) count[outcome]++
  return count
}

const countOf = (operations: readonly Operation[]): Findings['operations'] =>
  Object.fromEntries([...Map.groupBy(operations, ({ kind }) => kind)].map(([kind, all]) => [kind, outcomesOf(all)]))

/**
 * Waits until nothing is pending and every expected event has arrived, or until a timeout; then reads everything twice.
 */
async function readHistory(
  api: Api,
  { system, receiver }: Stage,
  { operations }: Workload,
  startBalance: number,
): Promise<History> {
  await system.untilReady().catch(() => {}) // reported already
  let finalReads = await readAll(api, operations)
  await until(
    'nothing is pending',
    async () => {
      if (!isDrained(finalReads, receiver)) finalReads = await readAll(api, operations)
      return isDrained(finalReads, receiver)
    },
    DRAINED_SECONDS_MAX,
  ).catch(() => {}) // the checks report what is still pending
  return {
    startBalance,
    operations,
    finalReads: [...finalReads, ...(await readAll(api, operations))],
    finalBalance: await readBalance(api, system.credentials.walletAccountNumber),
    events: receiver.events,
    ...(system.bank === undefined ? { bankEffects: await readBank(system) } : await reconcile(system.bank, system)),
  }
}

function isDrained(finalReads: History['finalReads'], { events }: Receiver): boolean {
  const reported = new Set(events.map(({ reference }) => reference))
  return finalReads.every(
    ({ kind, status, reference }) =>
      status === undefined ||
      status === 'FAILED' ||
      (status === 'PENDING' && kind === 'readPayment') ||
      ((status === 'SUCCESS' || status === 'PAID' || status === 'OVERPAID') && reported.has(reference)),
  )
}

/**
 * Reads the transfers that the simulated bank has stored, with the merchant's references. A transfer that Kobo does not
 * know has the bank's reference.
 */
async function readBank({ databaseUrl }: System): Promise<readonly BankEffect[]> {
  const rows = await queryRows(
    databaseUrl(),
    `select coalesce(t.reference, 'order ' || e.reference) as reference, e.facts->>'amount' as amount
       from simulated_entry e
       left join rail_order o on o.reference = e.reference
       left join transfer t on t.merchant_id = o.merchant_id and t.id = o.id
      where e.rail = 'transfer' and e.facts->>'neverSeen' is null
        and (o.purpose = 'transfer' or o.purpose is null)`,
  )
  return rows.map(({ reference, amount }) => ({ reference: String(reference), amount: Number(amount) }))
}

async function databaseOf({ databaseUrl }: System): Promise<string> {
  const [row] = await queryRows(databaseUrl(), 'show server_version')
  return `PostgreSQL ${row?.['server_version']}`
}

/** Checks the ledger in the database twice: with an independent checker, and with the gateway's own verification. */
async function checkDatabase({ databaseUrl, kobo }: System): Promise<readonly Violation[]> {
  const books = (await checkBooks(databaseUrl())).map((what) => ({ promise: 'The books are right', what }))
  try {
    await kobo('ledger', 'verify')
    return books
  } catch (error) {
    return [...books, { promise: '`kobo ledger verify` finds nothing', what: (error as Error).message }]
  }
}

function eventsOf({ events }: History): Findings['events'] {
  const different = new Set(events.map(({ eventType, reference }) => `${eventType} ${reference}`))
  return { received: events.length, repeated: events.length - different.size }
}
