import pg from 'pg'
import { APPROVALS } from './approvals.ts'
import { asText, BANKS, type SimulatedBanks } from './banks.ts'
import type { Check } from './check.ts'
import { COLLECTIONS } from './collections.ts'
import { EVENTS_MATCH } from './events.ts'
import { LEDGER } from './ledger.ts'
import { POSTINGS } from './postings.ts'
import { REFERENCES } from './references.ts'
import { STUCK } from './stuck.ts'

export type { BankCredit, BankEffect, SimulatedBanks } from './banks.ts'

const ALWAYS: readonly Check[] = [
  ...LEDGER,
  ...POSTINGS,
  ...COLLECTIONS,
  ...REFERENCES,
  ...EVENTS_MATCH,
  ...BANKS,
  ...APPROVALS,
]
const SHOWN_MAX = 20
const NO_BANKS: SimulatedBanks = { partners: [], effects: [] }

const LATEST = `
  select coalesce(greatest(
    (select max(posted_at) from journal), (select max(created_at) from event),
    (select max(created_at) from transaction), (select max(created_at) from rail_order)), 'epoch') as latest`

export interface Options {
  /** The books of partners that are not in the database. */
  readonly simulatedBanks?: SimulatedBanks
  /** Whether work is still running: then something may be due that a slow machine has not done yet. */
  readonly isMidway?: boolean
}

/**
 * An independent book-keeper: recomputes everything that the database says about money, in one snapshot, and compares it
 * with the books of simulated banks. Returns the violations in plain English. It shares no code with the gateway.
 */
export async function checkBooks(databaseUrl: string, options: Options = {}): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    return await findViolations(client, options)
  } finally {
    await client.end()
  }
}

/** The same in a transaction of the caller. */
export async function findViolations(
  client: pg.Client,
  { simulatedBanks = NO_BANKS, isMidway = false }: Options = {},
): Promise<readonly string[]> {
  // Test databases have no statistics, without which the planner loops over whole tables.
  await client.query('set local jit = off; set local enable_nestloop = off')
  const { rows } = await client.query<{ latest: Date }>(LATEST)
  await client.query(`select set_config('bookkeeper.now', $1, true), set_config('bookkeeper.banks', $2, true)`, [
    rows[0]?.latest.toISOString(),
    asText(simulatedBanks),
  ])
  const violations: string[] = []
  for (const check of isMidway ? ALWAYS : [...ALWAYS, ...STUCK]) violations.push(...(await violationsOf(client, check)))
  return violations
}

async function violationsOf(client: pg.Client, { name, query }: Check): Promise<readonly string[]> {
  try {
    const { rows } = await client.query<[string]>({ text: `${query} limit ${SHOWN_MAX}`, rowMode: 'array' })
    return rows.map(([what]) => `${what} (${name})`)
  } catch (error) {
    throw new Error(`the check that ${name} could not run: ${(error as Error).message}`, { cause: error })
  }
}
