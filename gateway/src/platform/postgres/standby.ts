import { monotonic } from '../../kernel/clock.ts'
import { type Db, openDatabase } from './db.ts'
import { type Run, sqlTag } from './sql.ts'

/** A database whose reads may be slightly stale. */
export interface StandbyReads {
  /** Reads from the standby while it is nearly up to date, else from the primary. */
  readonly db: Db
  /** How stale the reads may be, in seconds; 0 if they come from the primary. */
  readonly stalenessSeconds: () => number
  readonly close: () => Promise<void>
}

/** If the standby is further behind than this, the primary is used. */
const STALE_MILLISECONDS_MAX = 10_000
const LOOK_MILLISECONDS = 1_000

/**
 * A position in the primary's write-ahead log, and when it was read. Everything committed before that time is before
 * the position.
 */
interface Mark {
  readonly place: string
  readonly at: number
}

/** Opens a standby for reads, and watches its replay. */
export function openStandby(primary: Db, url: string, connectionsMax: number): StandbyReads {
  const standby = openDatabase(url, connectionsMax)
  let isClosed = false
  let timer: NodeJS.Timeout
  let mark: Mark | undefined
  /** The standby has everything that was committed before this time. */
  let freshUpTo = Number.NEGATIVE_INFINITY
  const isFresh = (): boolean => monotonic() - freshUpTo <= STALE_MILLISECONDS_MAX

  async function look(): Promise<void> {
    const at = monotonic()
    const [row] = await primary<{ place: string }[]>`select pg_current_wal_flush_lsn()::text as place`
    mark ??= row && { place: row.place, at }
    if (mark === undefined) return
    // A promoted standby no longer follows the primary, so its data differs.
    const [followed] = await standby<{ hasIt: boolean }[]>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${mark.place}::pg_lsn as has_it`
    if (followed?.hasIt !== true) return
    freshUpTo = mark.at
    mark = undefined
  }

  const lookLater = (): void => {
    timer = setTimeout(async () => {
      await look().catch(() => {}) // without a successful check the standby soon counts as stale
      if (!isClosed) lookLater()
    }, LOOK_MILLISECONDS).unref()
  }
  lookLater()

  // If the standby cannot serve a read, the primary does.
  const run: Run = (text, parameters) =>
    isFresh() ? standby.run(text, parameters).catch(() => primary.run(text, parameters)) : primary.run(text, parameters)
  return {
    db: Object.assign(sqlTag(run), { ...standby, run }),
    stalenessSeconds: () => (isFresh() ? (monotonic() - freshUpTo) / 1_000 : 0),
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await standby.end()
    },
  }
}
