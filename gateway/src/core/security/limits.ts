import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db.ts'
import { forgetSome } from '../../platform/forgetting.ts'
import { isSpared, type RateLimit } from '../../platform/rate-limit.ts'
import { sql } from '../../platform/sql.ts'
import { column, table } from '../../platform/table.ts'

/** What callers have used of their shares. */
const shares = table('shared_limit', ['name', 'caller'], {
  name: column<string>(),
  caller: column<string>(),
  count: column<number>(),
  endsAt: column<Date>(),
})

/** How often something may be done, and in how long a time. */
export interface Share {
  /** As `wrong login`. */
  readonly name: string
  readonly max: number
  readonly seconds: number
}

/**
 * Counts over all nodes what must not be tried out: each caller has a share, which begins anew when its time is over. For
 * what is rare, since every count is a statement; requests as such are counted in memory by `rateLimit`.
 */
export interface SharedLimit {
  /** Counts once more; answers the seconds to wait where that is more than the share. To be asked before what is counted is done. */
  readonly count: (caller: string, address?: string) => Promise<number | undefined>
  /** The seconds to wait where the share is used up. Counts nothing. */
  readonly usedUp: (caller: string, address?: string) => Promise<number | undefined>
}

interface Deps {
  readonly db: Db
  readonly wall: Clock
  /** Who is not counted at all. */
  readonly limit: RateLimit
}

/** Makes limits. A caller is a text of its own choosing for each: a network, a merchant, both; where an address is named, it may be spared. */
export const openLimits =
  ({ db, wall, limit }: Deps) =>
  ({ name, max, seconds }: Share): SharedLimit => {
    const isFree = (address: string | undefined): boolean =>
      address === undefined ? limit.perMinute === 0 : isSpared(limit, address)
    const secondsUntil = (end: Date, at: Date): number => Math.ceil((end.getTime() - at.getTime()) / 1_000)
    return {
      count: async (caller, address) => {
        if (isFree(address)) return undefined
        const at = wall.now()
        const [counted] = await db<{ readonly count: number; readonly endsAt: Date }[]>`
          insert into shared_limit as held (name, caller, count, ends_at)
          values (${name}, ${caller}, 1, ${secondsAfter(at, seconds)})
              on conflict (name, caller) do update
             set count = case when held.ends_at <= ${at} then 1 else held.count + 1 end,
                 ends_at = case when held.ends_at <= ${at} then excluded.ends_at else held.ends_at end
          returning count, ends_at`
        return counted === undefined || counted.count <= max ? undefined : secondsUntil(counted.endsAt, at)
      },
      usedUp: async (caller, address) => {
        if (isFree(address)) return undefined
        const at = wall.now()
        const [held] = await db<{ readonly endsAt: Date }[]>`
          select ends_at from shared_limit
           where name = ${name} and caller = ${caller} and count >= ${max} and ends_at > ${at}`
        return held === undefined ? undefined : secondsUntil(held.endsAt, at)
      },
    }
  }

/** Forgets counts whose time is over; answers how many. */
export const forgetOldCounts = (db: Db, wall: Clock, limit: number): Promise<number> =>
  forgetSome(db, shares, sql`ends_at <= ${wall.now()}`, limit, 'endsAt')
