import type { Db } from './db.ts'

/** Whoever asks whether a gateway can work has no more patience. */
const LOOK_MILLISECONDS_MAX = 2_000
const SILENT = 'The database does not answer'
const TOO_MANY_CONNECTIONS = '53300'

const looking = new WeakMap<Db, Promise<string | undefined>>()

/**
 * Why the database cannot be worked with now; undefined where it can. Looked up over a connection of its own, so that it
 * says nothing of how busy we are. Of those who ask at once one looks.
 */
export function whyAway(db: Db): Promise<string | undefined> {
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
    // It is there, and those who have a connection work with it.
    return (error as { code?: string }).code === TOO_MANY_CONNECTIONS ? undefined : SILENT
  }
}
