import { type Bench, type Measure, median, type Race, type Runners } from './benchmark.ts'
import { type CostMeter, costOf, openCostMeter, type Spent } from './cost.ts'

/** A gateway to measure: this version's or another commit's. */
export interface Contestant {
  readonly label: string
  readonly bench: Bench
}

export interface Round {
  readonly baseline: Measure | undefined
  readonly ours: Measure
  /** The cost of one request, if the system reports it. */
  readonly cost: Spent | undefined
}

/** All rounds of one contestant. */
export interface Result {
  readonly label: string
  readonly rounds: readonly Round[]
}

/** Runs a race: each round measures all contestants in turn, and the baseline before each of them. */
export async function run(race: Race, contestants: readonly Contestant[], rounds: number): Promise<readonly Result[]> {
  const all: { label: string; bench: Bench; runners: Runners; meter: CostMeter; rounds: Round[] }[] = []
  for (const { label, bench } of contestants)
    all.push({
      label,
      bench,
      runners: await race.open(bench),
      meter: await openCostMeter(bench.databaseUrl),
      rounds: [],
    })
  for (let n = 1; n <= rounds; n++)
    // The order alternates between rounds.
    for (const { label, bench, runners, meter, rounds: done } of n % 2 === 1 ? all : all.toReversed()) {
      bench.progress(`round ${n} of ${rounds}, ${label}`)
      await runners.prepare?.(n)
      const baseline = await runners.baseline(n)
      const before = await meter.spent(bench.gateway.processId)
      const ours = await runners.ours(n)
      done.push({ baseline, ours, cost: costOf(before, await meter.spent(bench.gateway.processId), ours.requests) })
    }
  for (const { runners, meter } of all) {
    await runners.close?.()
    await meter.close()
  }
  return all.map(({ label, rounds: done }) => ({ label, rounds: done }))
}

/** Returns the median of a value over the rounds, as text; undefined if no round has the value. */
function medianText(
  rounds: readonly Round[],
  of: (round: Round) => number | undefined,
  digits = 0,
): string | undefined {
  const values = rounds.flatMap((round) => of(round) ?? [])
  return values.length === 0 ? undefined : median(values).toFixed(digits)
}

const ratioOf = ({ ours, baseline }: Round): number | undefined => baseline && ours.perSecond / baseline.perSecond

/** The figures of a race. */
export function figuresOf(race: Race, [first, ...others]: readonly Result[]): Readonly<Record<string, string>> {
  if (first === undefined) return {}
  const figures: Record<string, string> = { ...resultFigures(race, first) }
  for (const other of others) {
    for (const [name, text] of Object.entries(resultFigures(race, other))) figures[`${other.label}: ${name}`] = text
    const ratios = first.rounds.map(({ ours }, n) => ours.perSecond / (other.rounds[n]?.ours.perSecond ?? Number.NaN))
    figures[`this version ÷ ${other.label}, same rounds`] = ratios.length === 0 ? '-' : median(ratios).toFixed(2)
  }
  return figures
}

function resultFigures({ baseline, ours }: Race, { rounds }: Result): Readonly<Record<string, string>> {
  const p50 = medianText(rounds, (round) => round.ours.p50Milliseconds, 1)
  const gateway = medianText(rounds, ({ cost }) => cost?.gatewayMicroseconds)
  return {
    [`${baseline}, a second`]: medianText(rounds, (round) => round.baseline?.perSecond) ?? 'not measured',
    [`${ours}, a second`]: medianText(rounds, (round) => round.ours.perSecond) ?? '',
    ratio: medianText(rounds, ratioOf, 2) ?? 'not measured',
    ...(p50 === undefined
      ? {}
      : { 'p50 / p99, milliseconds': `${p50} / ${medianText(rounds, (round) => round.ours.p99Milliseconds, 1)}` }),
    ...(gateway === undefined
      ? {}
      : {
          'processor of gateway / PostgreSQL / load each, µs': [
            gateway,
            medianText(rounds, ({ cost }) => cost?.postgresMicroseconds),
            medianText(rounds, ({ cost }) => cost?.loadMicroseconds),
          ].join(' / '),
          'WAL each, bytes': medianText(rounds, ({ cost }) => cost?.walBytes) ?? '',
        }),
  }
}
