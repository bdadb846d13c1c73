import { availableParallelism } from 'node:os'
import * as contract from '@kobo/contract'
import { type Bench, type Measure, median, type PlainBenchmark } from './benchmark.ts'
import { costOf, openCostMeter, type Spent } from './cost.ts'
import { openPayable, payInto } from './credits.ts'
import { load } from './load.ts'
import { aTransaction, login } from './merchant.ts'
import { predict } from './model.ts'
import type { RunningGateway } from './processes.ts'
import { startProgram } from './program.ts'

/**
 * The numbers of serving processes. A single process also does the background work; otherwise another process does it.
 */
const PROCESSES = [1, 2, 4] as const
const CONNECTIONS = 64
const ACCOUNTS_A_SECOND = 5_000
const WARM_SECONDS = 1

const OPERATIONS = ['init-transactions', 'credits'] as const

interface Found {
  readonly operation: (typeof OPERATIONS)[number]
  readonly processes: number
  readonly perSecond: number
  readonly cost: Spent | undefined
}

/** Measures the program with one, two and four processes in turn. Compares the rates with those that we predict. */
export const workers: PlainBenchmark = async (bench) => {
  const found: Found[] = []
  for (let n = 1; n <= bench.rounds; n++)
    // The order alternates between rounds.
    for (const processes of n % 2 === 1 ? PROCESSES : PROCESSES.toReversed())
      found.push(...(await measureWith(bench, processes, n)))
  return Object.assign(
    {},
    ...OPERATIONS.map((operation) =>
      figuresOf(
        found.filter((one) => one.operation === operation),
        operation,
      ),
    ),
  )
}

async function measureWith(bench: Bench, processes: number, round: number): Promise<readonly Found[]> {
  const { databaseUrl, seconds, progress } = bench
  progress(`round ${round} of ${bench.rounds}, ${processes} processes`)
  const program = await startProgram(databaseUrl, processes)
  const meter = await openCostMeter(databaseUrl)
  try {
    const gateway: RunningGateway = { ...bench.gateway, ...program }
    const merchant = await login(gateway)
    const name = `workers-${processes}-${round}`
    const initialize = (what: string, secondsMax: number): Promise<Measure> =>
      load({
        url: gateway.url,
        connections: CONNECTIONS,
        requestsMax: Number.MAX_SAFE_INTEGER,
        secondsMax,
        request: (nth) =>
          merchant.request(
            contract.initTransaction,
            aTransaction(gateway.credentials.contractCode, `${name}-${what}-${nth}`),
          ),
      })
    const measured = async (operation: Found['operation'], work: () => Promise<Measure>): Promise<Found> => {
      const before = await meter.spent(program.processId)
      const { perSecond, requests } = await work()
      return { operation, processes, perSecond, cost: costOf(before, await meter.spent(program.processId), requests) }
    }
    await initialize('warm', WARM_SECONDS)
    const accounts = await openPayable(gateway, merchant, name, Math.ceil(ACCOUNTS_A_SECOND * seconds))
    return [
      await measured('init-transactions', () => initialize('init', seconds)),
      await measured('credits', () =>
        payInto(gateway, accounts, { requestsMax: accounts.length, secondsMax: seconds }),
      ),
    ]
  } finally {
    await meter.close()
    await program.stop()
  }
}

function figuresOf(found: readonly Found[], operation: string): Readonly<Record<string, string>> {
  const of = (processes: number): readonly Found[] => found.filter((one) => one.processes === processes)
  const rate = (processes: number): number => median(of(processes).map(({ perSecond }) => perSecond))
  const rates = PROCESSES.map(rate)
  const listed = (numbers: readonly number[], digits = 0): string =>
    numbers.map((number) => number.toFixed(digits)).join(' / ')
  const figures = {
    [`${operation} a second, ${PROCESSES.join(' / ')} processes`]: listed(rates),
    [`${operation}, 2 processes ÷ 1`]: (rate(2) / rate(1)).toFixed(2),
  }
  const costs = of(1).flatMap(({ cost }) => cost ?? [])
  if (costs.length === 0) return figures
  const cost = {
    gateway: median(costs.map(({ gatewayMicroseconds }) => gatewayMicroseconds)),
    postgres: median(costs.map(({ postgresMicroseconds }) => postgresMicroseconds)),
    load: median(costs.map(({ loadMicroseconds }) => loadMicroseconds)),
  }
  const predicted = PROCESSES.map((processes) => predict(cost, { processes, cores: availableParallelism() }))
  return {
    ...figures,
    [`${operation}, predicted by their cost with 1`]: listed(predicted),
    [`${operation}, measured ÷ predicted`]: listed(
      rates.map((one, nth) => one / (predicted[nth] ?? 0)),
      2,
    ),
    [`${operation}, processor of gateway / PostgreSQL / load with 1, µs`]: listed(Object.values(cost)),
  }
}
