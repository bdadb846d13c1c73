import type { Db } from './db.ts'

/** Health checks give up after this. */
const LOOK_MILLISECONDS_MAX = 2_000
const SILENT = 'The database does not answer'
const TOO_MANY_CONNECTIONS = '53300'

const looking = new WeakMap<Db, Promise<string | undefined>>()

/**
 * Why the database cannot be used now; undefined if it can. Uses its own connection, so that our load does not matter.
 * Concurrent calls share one check.
 */
export function whyUnavailable(db: Db): Promise<string | undefined> {
  const present = looking.get(db)
  if (present !== undefined) return present
  const { promise: tooLate, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(SILENT), LOOK_MILLISECONDS_MAX)
  const found = Promise.race([look(db), tooLate]).finally(() => {
    clearTimeout(timer)
    looking.delete(db)
  })
  looking.set(db, found)
  return found
}

async function look(db: Db): Promise<string | undefined> {
  try {
    const client = await db.connectAlone({ query_timeout: LOOK_MILLISECONDS_MAX })
    const asked = client.query<{ isReadOnly: boolean }>(
      `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
    )
    const { rows } = await asked.finally(() => void client.end().catch(() => {}))
    return rows[0]?.isReadOnly === false ? undefined : 'The database takes no writes'
  } catch (error) {
    // It is alive, and existing connections work.
    return (error as { code?: string }).code === TOO_MANY_CONNECTIONS ? undefined : SILENT
  }
}
