import type { AttemptRow } from './repository.ts'
import { OK } from './schedule.ts'

/** The most failures shown for an endpoint. */
const FAILURES_MAX = 5

/** The recent delivery results of an endpoint. */
export interface EndpointHealth {
  readonly attempts: number
  readonly delivered: number
  readonly medianMilliseconds: number | null
  readonly lastAttemptAt: Date | undefined
  /** The last failed attempts, newest first. */
  readonly failures: {
    readonly eventId: string
    readonly at: string
    readonly status: number | null
    readonly error: string | null
    readonly milliseconds: number
  }[]
}

export function healthOf(newest: readonly AttemptRow[]): EndpointHealth {
  const attempts = newest.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const times = attempts.filter(({ status }) => status !== null).map(({ milliseconds }) => milliseconds)
  return {
    attempts: attempts.length,
    delivered: attempts.filter(({ status }) => status === OK).length,
    medianMilliseconds: times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? null,
    lastAttemptAt: attempts[0]?.at,
    failures: attempts
      .filter(({ status }) => status !== OK)
      .slice(0, FAILURES_MAX)
      .map(({ eventId, at, status, error, milliseconds }) => ({
        eventId: String(eventId),
        at: at.toISOString(),
        status,
        error,
        milliseconds,
      })),
  }
}
