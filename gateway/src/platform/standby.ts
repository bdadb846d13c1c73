import { monotonic } from '../kernel/clock.ts'
import { type Db, openDatabase } from './db.ts'
import { type Run, sqlTag } from './sql.ts'

/** A database of which what is read may be a little old. */
export interface StandbyReads {
  /** Reads from the standby while that follows closely enough, else from the primary. */
  readonly db: Db
  /** How old what is read from it may be at the most, in seconds; 0 where the primary is read. */
  readonly stalenessSeconds: () => number
  readonly close: () => Promise<void>
}

/** What is older is not shown to anybody: then the primary is read. */
const STALE_MILLISECONDS_MAX = 10_000
const LOOK_MILLISECONDS = 1_000

/** A place in the primary's log, and a moment at which all that was committed stood before it. */
interface Mark {
  readonly place: string
  readonly at: number
}

/** Opens a standby for reads, and watches how far it has followed. */
export function openStandby(primary: Db, url: string, connectionsMax: number): StandbyReads {
  const standby = openDatabase(url, connectionsMax)
  let isClosed = false
  let timer: NodeJS.Timeout
  let mark: Mark | undefined
  /** All that was committed before this moment is there. */
  let freshUpTo = Number.NEGATIVE_INFINITY
  const isFresh = (): boolean => monotonic() - freshUpTo <= STALE_MILLISECONDS_MAX

  async function look(): Promise<void> {
    const at = monotonic()
    const [row] = await primary<{ place: string }[]>`select pg_current_wal_flush_lsn()::text as place`
    mark ??= row && { place: row.place, at }
    if (mark === undefined) return
    // One that was promoted follows nobody: what it has is not what the primary has.
    const [followed] = await standby<{ hasIt: boolean }[]>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${mark.place}::pg_lsn as has_it`
    if (followed?.hasIt !== true) return
    freshUpTo = mark.at
    mark = undefined
  }

  const lookLater = (): void => {
    timer = setTimeout(async () => {
      await look().catch(() => {}) // it is not fresh any more, soon
      if (!isClosed) lookLater()
    }, LOOK_MILLISECONDS).unref()
  }
  lookLater()

  // Whatever the standby cannot do for us (it is away, or its replay was in the way) the primary can.
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
