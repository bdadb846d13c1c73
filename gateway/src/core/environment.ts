import type { Environment } from '../platform/config/config.ts'
import type { Tx } from '../platform/postgres/db.ts'
import type { Sql } from '../platform/postgres/sql.ts'

/** Thrown if the database belongs to the other environment. */
export class WrongEnvironment extends Error {}

export const API_KEY_PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'MK_TEST_', live: 'MK_PROD_' }
/** Whether a text has the form of an API key. Secret keys have another form. */
export const isApiKey = (text: string): boolean => /^MK_(TEST|PROD)_[A-Z\d]{1,10}$/.test(text)

/** Stamps a new database with its environment; throws if it has the stamp of the other environment. */
export async function stampEnvironment(tx: Tx, environment: Environment): Promise<void> {
  if ((await checkEnvironment(tx, environment)) !== undefined) return
  await tx`insert into environment (name) values (${environment}) on conflict do nothing`
  await checkEnvironment(tx, environment) // another process may have stamped it meanwhile
}

/** Throws if the database belongs to the other environment; returns its stamp, if any. */
export async function checkEnvironment(db: Sql, environment: Environment): Promise<Environment | undefined> {
  const [stamp] = await db<{ name: Environment }[]>`select name from environment`
  if (stamp !== undefined && stamp.name !== environment)
    throw new WrongEnvironment(
      `This database is ${NAMES[stamp.name]}, but this program was started as ${NAMES[environment]}. Nothing was changed. ` +
        `Set KOBO_ENVIRONMENT=${stamp.name}, or use another database.`,
    )
  return stamp?.name
}

const NAMES: Readonly<Record<Environment, string>> = { sandbox: 'a sandbox', live: 'live' }
