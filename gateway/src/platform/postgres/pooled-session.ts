import pg from 'pg'
import { type Db, SESSION_SETTINGS } from './db.ts'

const STALE =
  'The pooler at DATABASE_URL hands out connections opened before the role had its settings: run RECONNECT on its console (or restart it), then start Kobo again.'

/**
 * Gives the program's role the session settings, because a pooler does not pass them on. Throws if the pooler's
 * connections are older than these settings.
 */
export async function configureSession(db: Db): Promise<void> {
  const expected = Object.entries(SESSION_SETTINGS)
  const session = await db.connectSession({ options: '' })
  try {
    const { rows } = await session.query<{ database: string }>('select current_database() as database')
    const database = pg.escapeIdentifier(rows[0]?.database ?? '')
    for (const [name, value] of expected)
      await session.query(
        `alter role current_user in database ${database} set ${name} = ${pg.escapeLiteral(String(value))}`,
      )
  } finally {
    await session.end()
  }
  const present = await db<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any (${expected.map(([name]) => (name === 'timezone' ? 'TimeZone' : name))}::text[])`
  const settings = new Map(present.map(({ name, setting }) => [name.toLowerCase(), setting]))
  if (expected.some(([name, value]) => settings.get(name) !== String(value))) throw new Error(STALE)
}
