import postgres from 'postgres'
import { invariant } from '../kernel/errors.ts'

interface Types extends Record<string, unknown> {
  readonly bigint: bigint
}
/** A pool: for reads. */
export type Db = postgres.Sql<Types>
/** An open transaction. Every function that writes asks for one, so it cannot be called without. */
export type Tx = postgres.TransactionSql<Types>

const IDLE_SECONDS_MAX = 600
const CONNECT_SECONDS_MAX = 15
const STATEMENT_MILLISECONDS_MAX = 60_000

export function openDatabase(url: string, connectionsMax: number): Db {
  return postgres(url, {
    max: connectionsMax,
    idle_timeout: IDLE_SECONDS_MAX,
    connect_timeout: CONNECT_SECONDS_MAX,
    types: { bigint: postgres.BigInt },
    transform: { column: { from: postgres.toCamel } },
    onnotice: () => {},
    connection: {
      application_name: 'kobo',
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_MILLISECONDS_MAX,
      idle_in_transaction_session_timeout: STATEMENT_MILLISECONDS_MAX,
      random_page_cost: 1.1, // what is asked for often is in memory
    },
  })
}

const ATTEMPTS_MAX = 3
const RETRYABLE = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected

/** Runs the work in one transaction, again where PostgreSQL asks for it. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await db.begin(work)) as T
    } catch (error) {
      if (!isServerError(error) || !RETRYABLE.has(error.code) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

const CONNECTION_ENDS = new Set(['FATAL', 'PANIC'])

/**
 * Whether PostgreSQL itself refused: then nothing of the transaction remains. Its last words on a connection that it
 * ends are no refusal, since they may come just after the commit.
 */
export const isServerError = (error: unknown): error is postgres.PostgresError =>
  error instanceof postgres.PostgresError && !CONNECTION_ENDS.has(error.severity)

const UNIQUE_VIOLATION = '23505'

/** Whether a unique index refused, by the name of the index. */
export const violatesUnique = (error: unknown, index: string): boolean =>
  isServerError(error) && error.code === UNIQUE_VIOLATION && error.constraint_name === index

/**
 * Rows as one JSON text, for `json_populate_recordset(null::some_table, ${rowSet(rows)}::text::json)`:
 * a set of any size is one parameter of one prepared statement. Keys become column names (createdAt, created_at).
 */
export function rowSet(rows: readonly object[]): string {
  return `[${rows.map(rowText).join(',')}]`
}

function rowText(row: object): string {
  const columns: string[] = []
  for (const [key, value] of Object.entries(row)) {
    if (value !== undefined) columns.push(`${columnName(key)}:${valueText(value)}`)
  }
  return `{${columns.join(',')}}`
}

const valueText = (value: unknown): string => (typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value))

const columnNames = new Map<string, string>()

function columnName(key: string): string {
  const known = columnNames.get(key)
  if (known !== undefined) return known
  invariant(/^[a-zA-Z]+$/.test(key), 'the keys of a row are names of columns')
  const name = `"${postgres.fromCamel(key)}"`
  columnNames.set(key, name)
  return name
}

/** Whether the database answers at all. */
export async function answers(db: Db): Promise<boolean> {
  try {
    await db`select 1`
    return true
  } catch {
    return false
  }
}

const GROWN_ROWS_MIN = 500

/**
 * Refreshes the planner's statistics of tables that have grown by half since they were last looked at; answers how many.
 * PostgreSQL does this by itself about once a minute. A new database grows faster than that, and plans made while its
 * tables were empty would read them from end to end until then.
 */
export async function refreshStatistics(db: Db, limit: number): Promise<number> {
  const grown = await db<{ name: string }[]>`
    select c.relname as name
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and s.n_mod_since_analyze > ${GROWN_ROWS_MIN} + greatest(c.reltuples, 0) / 2
     limit ${limit}`
  for (const { name } of grown) await db`analyze ${db(name)}`
  return grown.length
}
