import { isExhausted } from './connection-loss.ts'
import type { Db } from './db.ts'
import { BehindTimeline } from './timeline.ts'

const CHECK_MILLISECONDS_MAX = 2_000
const SILENT = 'The database does not respond'
const TOO_MANY_CONNECTIONS = '53300'

const FULL = 'The database has no room for writes'
/** A query that needs 1 MB of new disk space, whatever space the tables have left, and leaves nothing behind. */
const WRITE_QUERY = `
  begin;
  create temporary table kobo_room on commit drop as select md5(n::text) from generate_series(1, 20000) n;
  rollback`

const checking = new WeakMap<Db, Promise<string | undefined>>()
/** Databases that lacked resources for a write. Their checks also write, to see whether they have room again. */
const exhausted = new WeakSet<Db>()

export function noteFailure(db: Db, error: unknown): void {
  if (isExhausted(error)) exhausted.add(db)
}

/**
 * Returns why the database cannot be used now; undefined if it can be used. The check uses its own connection, so that
 * it does not wait for a busy pool. Concurrent calls share one check.
 */
export function whyUnavailable(db: Db): Promise<string | undefined> {
  const present = checking.get(db)
  if (present !== undefined) return present
  const { promise: tooLate, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(SILENT), CHECK_MILLISECONDS_MAX)
  const found = Promise.race([check(db), tooLate]).finally(() => {
    clearTimeout(timer)
    checking.delete(db)
  })
  checking.set(db, found)
  return found
}

async function check(db: Db): Promise<string | undefined> {
  try {
    const client = await db.connectAlone({ query_timeout: CHECK_MILLISECONDS_MAX })
    try {
      const { rows } = await client.query<{ isReadOnly: boolean }>(
        `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      )
      if (rows[0]?.isReadOnly !== false) return 'The database takes no writes'
      if (exhausted.has(db)) await client.query(WRITE_QUERY)
      exhausted.delete(db)
      return undefined
    } finally {
      void client.end().catch(() => {})
    }
  } catch (error) {
    // The database is alive, and existing connections work.
    if ((error as { code?: string }).code === TOO_MANY_CONNECTIONS) return undefined
    return error instanceof BehindTimeline ? error.message : isExhausted(error) ? FULL : SILENT
  }
}
