import { type Clock, monotonic } from '../../kernel/clock.ts'

/** The skew is measured several times; the fastest response counts, because it is the most precise. */
const SAMPLES = 3
/** A measurement less precise than this does not replace an earlier one. */
const UNCERTAINTY_MILLISECONDS_MAX = 500
/**
 * How often the clocks are compared before they count as different, because a pause between the two reads looks like a
 * difference.
 */
const COMPARISONS_MAX = 3

/**
 * The difference between the machine's clock and the database's. The database is queried from time to time. In between,
 * the monotonic clock continues the database's time, so a jump of the machine's clock is noticed at once.
 */
export interface ClockSkew {
  /** How far the machine's clock is ahead, in milliseconds; negative if it is behind. */
  readonly milliseconds: () => number
  /** Whether the clocks certainly differ by more than this. */
  readonly exceeds: (most: number) => boolean
  /** Measures again. `readTime` reads the database's time. */
  readonly measure: (readTime: () => Promise<Date>) => Promise<void>
}

/** The database's time, assumed half way between query and response, and its uncertainty. */
interface Measurement {
  readonly databaseTime: number
  readonly at: number
  readonly uncertainty: number
}

export async function openClockSkew(machine: Clock, readTime: () => Promise<Date>): Promise<ClockSkew> {
  let known = await takeMeasurement(readTime)
  const milliseconds = (): number => machine.now().getTime() - (known.databaseTime + monotonic() - known.at)
  return {
    milliseconds,
    exceeds: (most) => {
      for (let comparison = 0; comparison < COMPARISONS_MAX; comparison++)
        if (Math.abs(milliseconds()) - known.uncertainty <= most) return false
      return true
    },
    measure: async (readTime) => {
      const latest = await takeMeasurement(readTime)
      if (latest.uncertainty <= Math.max(UNCERTAINTY_MILLISECONDS_MAX, known.uncertainty)) known = latest
    },
  }
}

async function takeMeasurement(readTime: () => Promise<Date>): Promise<Measurement> {
  const samples: Measurement[] = []
  for (let nth = 0; nth < SAMPLES; nth++) samples.push(await sample(readTime))
  return samples.reduce((best, one) => (one.uncertainty < best.uncertainty ? one : best))
}

async function sample(readTime: () => Promise<Date>): Promise<Measurement> {
  const askedAt = monotonic()
  const databaseTime = (await readTime()).getTime()
  const uncertainty = (monotonic() - askedAt) / 2
  return { databaseTime, at: askedAt + uncertainty, uncertainty }
}
