import pg from 'pg'
import { invariant } from '../kernel/errors.ts'
import { type Parameter, type Rows, type Run, type Sql, sqlTag } from './sql.ts'

/** A pool: for reads. */
export interface Db extends Sql {
  readonly kind: 'pool'
  readonly url: string
  /** A connection of one's own, to be released. */
  readonly connect: () => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
}

/** An open transaction. Every function that writes asks for one, so it cannot be called without. */
export interface Tx extends Sql {
  readonly kind: 'transaction'
  /** Runs a text of several statements, without parameters: for migrations. */
  readonly script: (text: string) => Promise<void>
}

const IDLE_MILLISECONDS_MAX = 600_000
const CONNECT_MILLISECONDS_MAX = 15_000
const STATEMENT_MILLISECONDS_MAX = 60_000

const INT8 = 20
/** Whole numbers of 64 bits are `bigint`: money does not fit into a double. All other types as the driver reads them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)) as never,
}

/** What a connection to a database is opened with, here and wherever one connection of its own is needed. */
export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'kobo',
  connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
  statement_timeout: STATEMENT_MILLISECONDS_MAX,
  idle_in_transaction_session_timeout: STATEMENT_MILLISECONDS_MAX,
  keepAlive: true,
  types,
  // Statements that are not awaited one by one travel together.
  pipeline: true,
  // What is asked for often is in memory, so an index look-up is cheap.
  options: '-c timezone=UTC -c random_page_cost=1.1',
})

export function openDatabase(url: string, connectionsMax: number): Db {
  const pool = new pg.Pool({ ...connectionOptions(url), max: connectionsMax, idleTimeoutMillis: IDLE_MILLISECONDS_MAX })
  // A connection that breaks while idle is replaced when next needed; without a listener it would end the process.
  pool.on('error', () => {})
  const run: Run = async (text, parameters) => rowsOf(text, await pool.query(prepared(text, parameters)))
  return Object.assign(sqlTag(run), {
    kind: 'pool' as const,
    url,
    connect: () => pool.connect(),
    end: () => pool.end(),
  })
}

const names = new Map<string, string>()
const STATEMENT_NAMES_MAX = 10_000

/** A statement that each connection parses and plans once, under a name that stands for its text. */
function prepared(text: string, parameters: readonly Parameter[]): pg.QueryArrayConfig {
  let name = names.get(text)
  if (name === undefined) {
    invariant(names.size < STATEMENT_NAMES_MAX, 'the number of different statements is bounded')
    name = `s${names.size}`
    names.set(text, name)
  }
  return { name, text, values: parameters.map(wireValue), rowMode: 'array' }
}

const wireValue = (value: Parameter): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? `${value}` : value

const columnsOf = new Map<string, readonly string[]>()

/** Rows as records whose keys are the columns in our spelling: created_at is createdAt. */
function rowsOf(text: string, { rows, fields, rowCount }: pg.QueryArrayResult): Rows<never> {
  let columns = columnsOf.get(text)
  if (columns?.length !== fields.length) {
    columns = fields.map(({ name }) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    columnsOf.set(text, columns)
  }
  const keys = columns
  const records = rows.map((row) => {
    const record: Record<string, unknown> = {}
    for (let i = 0; i < keys.length; i++) record[keys[i] as string] = row[i]
    return record
  })
  return Object.assign(records, { count: rowCount ?? 0 }) as unknown as Rows<never>
}

const ATTEMPTS_MAX = 3
const RETRYABLE = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected

/** Runs the work in one transaction, again where PostgreSQL asks for it. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, mode = ''): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransaction(db, work, mode)
    } catch (error) {
      if (!isServerError(error) || !RETRYABLE.has(error.code ?? '') || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function tryTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, mode: string): Promise<T> {
  const client = await db.connect()
  let broken = true
  try {
    await client.query(`begin ${mode}`)
    const result = await workOrRollBack(client, work)
    const { command } = await client.query('commit')
    // PostgreSQL answers a commit of a failed transaction with a rollback, and calls that a success.
    invariant(command === 'COMMIT', 'a statement that failed was not overlooked')
    broken = false
    return result
  } catch (error) {
    broken = !isServerError(error)
    throw error
  } finally {
    // A connection in an unknown state is never used again.
    client.release(broken)
  }
}

async function workOrRollBack<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const run: Run = async (text, parameters) => rowsOf(text, await client.query(prepared(text, parameters)))
  const script = async (text: string): Promise<void> => void (await client.query(text))
  try {
    return await work(Object.assign(sqlTag(run), { kind: 'transaction' as const, script }))
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Whether PostgreSQL itself refused: then nothing of the transaction remains, unlike with a lost connection. */
export const isServerError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/**
 * Rows as one JSON text, for `json_populate_recordset(null::some_table, ${rowSet(rows)}::text::json)`:
 * a set of any size is one parameter of one prepared statement. Keys become column names (createdAt, created_at).
 */
export function rowSet(rows: readonly object[]): string {
  return `[${rows.map(rowText).join(',')}]`
}

function rowText(row: object): string {
  let text = ''
  for (const key in row) {
    const value = (row as Record<string, unknown>)[key]
    if (value !== undefined) text += `${text === '' ? '' : ','}${columnName(key)}:${valueText(value)}`
  }
  return `{${text}}`
}

const valueText = (value: unknown): string => (typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value))

const columnNames = new Map<string, string>()

function columnName(key: string): string {
  const known = columnNames.get(key)
  if (known !== undefined) return known
  invariant(/^[a-zA-Z]+$/.test(key), 'the keys of a row are names of columns')
  const name = `"${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`
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
