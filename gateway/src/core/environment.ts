import type { Environment } from '../platform/config.ts'
import type { Tx } from '../platform/db.ts'
import type { Sql } from '../platform/sql.ts'

/** The database is for the other environment than the program: what is live must never be played with. */
export class WrongEnvironment extends Error {}

/** How API keys begin that are good in an environment, and in no other. */
export const API_KEY_PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'MK_TEST_', live: 'MK_PROD_' }

/** Says what a new database is for; throws where it was said otherwise before. */
export async function stampEnvironment(tx: Tx, environment: Environment): Promise<void> {
  if ((await checkEnvironment(tx, environment)) !== undefined) return
  await tx`insert into environment (name) values (${environment}) on conflict do nothing`
  await checkEnvironment(tx, environment) // another program may just have said so, or otherwise
}

/** Throws where the database is for the other environment; answers what it is for, or nothing where nobody has said so yet. */
export async function checkEnvironment(db: Sql, environment: Environment): Promise<Environment | undefined> {
  const [stamp] = await db<{ name: Environment }[]>`select name from environment`
  if (stamp !== undefined && stamp.name !== environment)
    throw new WrongEnvironment(
      `This database is ${NAMES[stamp.name]}, and this program was started as ${NAMES[environment]}. Nothing was done. ` +
        `Set KOBO_ENVIRONMENT=${stamp.name}, or name another database.`,
    )
  return stamp?.name
}

const NAMES: Readonly<Record<Environment, string>> = { sandbox: 'a sandbox', live: 'live' }
