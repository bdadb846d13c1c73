import { type Clock, monotonic } from '../kernel/clock.ts'

/** Measured several times over, and the quickest answer counts: it leaves the least doubt. */
const SAMPLES = 3
/** A measurement that leaves more doubt does not replace one before it. */
const DOUBT_MILLISECONDS_MAX = 500
/** A process that is held up between two looks at its clocks sees them apart: so it looks again. */
const LOOKS_MAX = 3

/**
 * How far a machine's clock is from the database's. The database is asked now and then; in between, a clock that only runs
 * forward tells what it would say, so that a machine's clock that jumps is seen by the next look at it.
 */
export interface ClockSkew {
  /** By how much the machine's clock is ahead (or, below zero, behind) now, in milliseconds. */
  readonly milliseconds: () => number
  /** Whether it is, beyond doubt, further off than so many milliseconds. */
  readonly exceeds: (most: number) => boolean
  /** Measures anew. `askTime` asks the database what time it is. */
  readonly measure: (askTime: () => Promise<Date>) => Promise<void>
}

/** What the database's clock said, and when that was: half way between question and answer, give or take the doubt. */
interface Measurement {
  readonly databaseTime: number
  readonly at: number
  readonly doubt: number
}

export async function openClockSkew(machine: Clock, askTime: () => Promise<Date>): Promise<ClockSkew> {
  let known = await measured(askTime)
  const milliseconds = (): number => machine.now().getTime() - (known.databaseTime + monotonic() - known.at)
  return {
    milliseconds,
    exceeds: (most) => {
      for (let look = 0; look < LOOKS_MAX; look++) if (Math.abs(milliseconds()) - known.doubt <= most) return false
      return true
    },
    measure: async (ask) => {
      const latest = await measured(ask)
      if (latest.doubt <= Math.max(DOUBT_MILLISECONDS_MAX, known.doubt)) known = latest
    },
  }
}

async function measured(askTime: () => Promise<Date>): Promise<Measurement> {
  const samples: Measurement[] = []
  for (let nth = 0; nth < SAMPLES; nth++) samples.push(await sample(askTime))
  return samples.reduce((best, one) => (one.doubt < best.doubt ? one : best))
}

async function sample(askTime: () => Promise<Date>): Promise<Measurement> {
  const askedAt = monotonic()
  const databaseTime = (await askTime()).getTime()
  const doubt = (monotonic() - askedAt) / 2
  return { databaseTime, at: askedAt + doubt, doubt }
}
