import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { isSpared, type RateLimit } from '../../platform/http/rate-limit.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { deleteBatch } from '../../platform/postgres/delete-in-batches.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, table } from '../../platform/postgres/table.ts'
import type { AuditRecord } from './audit.ts'
import type { AuditTrail } from './audit-trail.ts'

/** How much of its quota each caller has used. */
const shares = table('shared_limit', ['name', 'caller'], {
  name: column<string>(),
  caller: column<string>(),
  count: column<number>(),
  endsAt: column<Date>(),
})

/** A limit: how many attempts are allowed within a time. */
export interface Share {
  /** The name of the limit, for example `wrong login`. */
  readonly name: string
  readonly max: number
  readonly seconds: number
  /**
   * If set, the whole time runs from the last allowed attempt instead of the first, so the caller is locked out longer.
   */
  readonly locks?: boolean
}

/**
 * A limit across all nodes: each caller has a quota per time window. It is for rare events, because each count is a
 * query. `rateLimit` counts frequent requests in memory.
 */
export interface SharedLimit {
  /** Counts an attempt; returns the seconds to wait if the quota is exceeded. Call it before the attempt. */
  readonly count: Attempt
  /** Returns the seconds to wait if the quota is used up. Counts an attempt only if it exceeds the quota. */
  readonly usedUp: Attempt
  /** Takes back a counted attempt that turned out to be correct. */
  readonly giveBack: (caller: string, address?: string) => Promise<void>
  /** Takes back all attempts of a caller. */
  readonly reset: (caller: string) => Promise<void>
}

/**
 * Handles an attempt of a caller, whose address may be exempt. `audited` is recorded for the first attempt beyond the
 * quota, the tenth, the hundredth and so on, with a count. So a stranger cannot fill the audit log.
 */
type Attempt = (caller: string, address?: string, audited?: AuditRecord) => Promise<number | undefined>

interface Deps {
  readonly db: Db
  readonly wall: Clock
  readonly trail: AuditTrail
  /** Decides which addresses are exempt from all limits. */
  readonly limit: RateLimit
}

/** A stored count after an attempt. */
interface Counted {
  readonly count: number
  readonly endsAt: Date
}

const isPowerOfTen = (count: number): boolean => /^10*$/.test(String(count))

/** Creates limits. A caller is any text, such as a network, a merchant, or both. Loopback addresses may be exempt. */
export const openLimits =
  ({ db, wall, trail, limit }: Deps) =>
  ({ name, max, seconds, locks = false }: Share): SharedLimit => {
    const isExempt = (address: string | undefined): boolean =>
      address === undefined ? limit.perMinute === 0 : isSpared(limit, address)
    const exceeded = async (counted: Counted | undefined, at: Date, audited: AuditRecord | undefined) => {
      if (counted === undefined || counted.count <= max) return undefined
      const times = counted.count - max
      if (audited !== undefined && isPowerOfTen(times))
        await trail({ ...audited, details: { ...audited.details, limit: name, times } })
      return Math.ceil((counted.endsAt.getTime() - at.getTime()) / 1_000)
    }
    return {
      count: async (caller, address, audited) => {
        if (isExempt(address)) return undefined
        const at = wall.now()
        const [counted] = await db<Counted[]>`
          insert into shared_limit as held (name, caller, count, ends_at)
          values (${name}, ${caller}, 1, ${secondsAfter(at, seconds)})
              on conflict (name, caller) do update
             set count = case when held.ends_at <= ${at} then 1 else held.count + 1 end,
                 ends_at = case when held.ends_at <= ${at} or (${locks} and held.count + 1 = ${max})
                                then excluded.ends_at else held.ends_at end
          returning count, ends_at`
        return exceeded(counted, at, audited)
      },
      usedUp: async (caller, address, audited) => {
        if (isExempt(address)) return undefined
        const at = wall.now()
        const [counted] = await db<Counted[]>`
          update shared_limit set count = count + 1
           where name = ${name} and caller = ${caller} and count >= ${max} and ends_at > ${at}
          returning count, ends_at`
        return exceeded(counted, at, audited)
      },
      giveBack: async (caller, address) => {
        if (isExempt(address)) return
        const at = wall.now()
        await db`
          update shared_limit
             set count = greatest(count - 1, 1), ends_at = case when count = 1 then ${at} else ends_at end
           where name = ${name} and caller = ${caller} and ends_at > ${at}`
      },
      reset: async (caller) => {
        await db`delete from shared_limit where name = ${name} and caller = ${caller}`
      },
    }
  }

/** Deletes expired counts; returns how many. */
export const deleteOldCounts = (db: Db, wall: Clock, limit: number): Promise<number> =>
  deleteBatch(db, shares, sql`ends_at <= ${wall.now()}`, limit, 'endsAt')
