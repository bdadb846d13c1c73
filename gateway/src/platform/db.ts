import pg from 'pg'
import { invariant } from '../kernel/errors.ts'
import { GatheringSocket } from './gathering-socket.ts'
import { endSilentConnections } from './silence.ts'
import { type Parameter, type Rows, type Run, type Sql, sqlTag } from './sql.ts'

/** A pool: for reads. */
export type Db = Sql & {
  readonly kind: 'pool'
  readonly url: string
  readonly run: Run
  /** A connection of one's own, to be released. */
  readonly connect: () => Promise<pg.PoolClient>
  readonly end: () => Promise<void>
}

/**
 * An open transaction. Every function that writes asks for one, so it cannot be called without. A statement need not be
 * waited for: it is sent at once, in its turn, and where it fails, so does the commit. A function that only writes
 * returns nothing, and its statements travel with the commit.
 */
export type Tx = Sql & {
  readonly kind: 'transaction'
  /** Runs a text of several statements, without parameters: for migrations. */
  readonly script: (text: string) => Promise<void>
}

const IDLE_MILLISECONDS_MAX = 600_000
const CONNECT_MILLISECONDS_MAX = 15_000
const STATEMENT_MILLISECONDS_MAX = 60_000
const KEEP_ALIVE_MILLISECONDS = 5_000
/** Who holds a row for longer hangs, or is somebody's forgotten session. Longer than PostgreSQL takes to see a deadlock. */
const LOCK_MILLISECONDS_MAX = 3_000

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
  lock_timeout: LOCK_MILLISECONDS_MAX,
  idle_in_transaction_session_timeout: STATEMENT_MILLISECONDS_MAX,
  // Seen by the network as alive while idle; and where that has dropped it, we learn of it before somebody needs it.
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  types,
  // Statements that are not awaited one by one travel together.
  pipeline: true,
  stream: () => new GatheringSocket(),
  // What is asked for often is in memory, so an index look-up is cheap.
  options: '-c timezone=UTC -c random_page_cost=1.1',
})

export function openDatabase(url: string, connectionsMax: number): Db {
  const pool = new pg.Pool({ ...connectionOptions(url), max: connectionsMax, idleTimeoutMillis: IDLE_MILLISECONDS_MAX })
  // A connection that breaks while idle is replaced when next needed; without a listener it would end the process.
  pool.on('error', () => {})
  // So would one that breaks inside a transaction, between two statements: the next statement fails and tells.
  pool.on('connect', (client) => client.on('error', () => {}))
  const silence = endSilentConnections(pool, connectionOptions(url))
  const ask = (text: string, parameters: readonly Parameter[], isLast: boolean): Promise<Rows<never>> => {
    const statement = prepared(text, parameters)
    return pool.query(statement).then(
      (answer) => rowsOf(text, answer),
      (error: unknown) => {
        forgetOutdated(statement, error)
        if (isLast || !isOutdatedPlan(error)) throw error
        return ask(text, parameters, true)
      },
    )
  }
  const run: Run = (text, parameters) => ask(text, parameters, false)
  return Object.assign(sqlTag(run), {
    kind: 'pool' as const,
    url,
    run,
    connect: () => pool.connect(),
    end: () => {
      silence.close()
      return pool.end()
    },
  })
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_MAX = 10_000
/** How many names there were ever: none is used for two texts. */
let statementsNamed = 0

/** A statement that each connection parses and plans once, under a name that stands for its text. */
function prepared(text: string, parameters: readonly Parameter[]): pg.QueryArrayConfig {
  let name = statementNames.get(text)
  if (name === undefined) {
    invariant(statementNames.size < STATEMENT_NAMES_MAX, 'the number of different statements is bounded')
    name = `s${statementsNamed++}`
    statementNames.set(text, name)
  }
  return { name, text, values: parameters.map(wireValue), rowMode: 'array' }
}

/** Whether a plan was refused, before it did anything: it is of before a migration that changed what the statement answers. */
const isOutdatedPlan = (error: unknown): boolean =>
  isServerError(error) && error.code === OUTDATED_PLAN && error.routine === 'RevalidateCachedQuery'

/** Where one plan is outdated, many may be, on every connection: statements get new names, and so are planned anew. */
function forgetOutdated({ name, text }: pg.QueryArrayConfig, error: unknown): void {
  if (isOutdatedPlan(error) && statementNames.get(text) === name) statementNames.clear()
}

const wireValue = (value: Parameter): unknown =>
  value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? `${value}` : value

const returnedColumns = new Map<string, readonly string[]>()

/** Rows as records whose keys are the columns in our spelling: created_at is createdAt. */
function rowsOf(text: string, { rows, fields, rowCount }: pg.QueryArrayResult): Rows<never> {
  let columns = returnedColumns.get(text)
  if (columns?.length !== fields.length) {
    columns = fields.map(({ name }) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    returnedColumns.set(text, columns)
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
const OUTDATED_PLAN = '0A000' // feature_not_supported: "cached plan must not change result type"
const ABORTED = '25P02' // in_failed_sql_transaction
const RETRYABLE = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected

/** Runs the work in one transaction, again where PostgreSQL asks for it. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, mode = ''): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransaction(db, work, mode)
    } catch (error) {
      const again = isOutdatedPlan(error) || (isServerError(error) && RETRYABLE.has(error.code ?? ''))
      if (!again || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function tryTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, mode: string): Promise<T> {
  const client = await db.connect()
  let broken = true
  try {
    const result = await workAndCommit(client, work, mode)
    broken = false
    return result
  } catch (error) {
    // Whatever failed, the transaction must be over before anyone else gets the connection.
    broken = (await client.query('rollback').catch(() => undefined)) === undefined
    throw error
  } finally {
    client.release(broken)
  }
}

async function workAndCommit<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>, mode: string): Promise<T> {
  const sent: Promise<unknown>[] = []
  let failure: unknown
  const send = <T>(answer: Promise<T>): Promise<T> => {
    answer.catch((error) => (failure ??= error)) // it is awaited below, but may fail sooner
    sent.push(answer)
    return answer
  }
  const run: Run = (text, parameters) => {
    const statement = prepared(text, parameters)
    return send(
      client.query(statement).then(
        (answer) => rowsOf(text, answer),
        (error: unknown) => {
          forgetOutdated(statement, error)
          throw error
        },
      ),
    )
  }
  const tx: Tx = Object.assign(sqlTag(run), {
    kind: 'transaction' as const,
    script: async (text: string) => void (await client.query(text)),
  })
  // Not awaited: it travels with the first statement, which fails where this does.
  void send(client.query(prepared(`begin ${mode}`, [])))
  const result = await work(tx).catch((error: unknown) => {
    // What comes after a statement that failed fails too, and says nothing of the reason.
    throw isServerError(error) && error.code === ABORTED ? (failure ?? error) : error
  })
  const committed = client.query(prepared('commit', []))
  committed.catch(() => {})
  await Promise.all(sent)
  // PostgreSQL answers a commit of a failed transaction with a rollback, and calls that a success.
  invariant((await committed).command === 'COMMIT', 'a statement that failed was not overlooked')
  return result
}

/** Runs work that is a single statement: PostgreSQL makes a transaction of it by itself, which saves two round trips. */
export async function inOneStatement<T>(db: Db, work: (tx: Tx) => T | Promise<T>): Promise<T> {
  let sent: Promise<unknown> | undefined
  const run: Run = (text, parameters) => {
    invariant(sent === undefined, 'one statement is one statement')
    const answer = db.run(text, parameters)
    sent = answer
    return answer
  }
  const refused = (): never => invariant(false, 'one statement is one statement') as never
  const result = await work(Object.assign(sqlTag(run), { kind: 'transaction' as const, script: refused }))
  await sent // what only writes does not wait for it
  return result
}

const OUTDATED = 'KB001' // refuse_outdated
const UNIQUE_VIOLATION = '23505'

/** Whether a transaction failed because what it wrote is there already. */
export const isTaken = (error: unknown): boolean => isServerError(error) && error.code === UNIQUE_VIOLATION

const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a transaction failed because somebody else held what it wanted for too long. */
export const isLockTimeout = (error: unknown): error is pg.DatabaseError =>
  isServerError(error) && error.code === LOCK_NOT_AVAILABLE

/** Lets a transaction wait for locks as long as a statement may last: for what is done one after another on purpose. */
export const waitForLocks = (tx: Tx): void => void tx`select set_config('lock_timeout', '0', true)`

/**
 * Does work that takes some things, read without a lock, to be unchanged until it writes them; where one has changed, and the
 * work fails as outdated, does it again with nothing taken for granted.
 */
export async function optimistic<Thing, T>(
  read: readonly Thing[],
  work: (unchanged: ReadonlySet<Thing>) => Promise<T>,
): Promise<T> {
  try {
    return await work(new Set(read))
  } catch (error) {
    if (isServerError(error) && error.code === OUTDATED) return work(new Set())
    throw error
  }
}

/** Whether PostgreSQL itself refused: then nothing of the transaction remains, unlike with a lost connection. */
export const isServerError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/**
 * Rows as one JSON text, for `json_populate_recordset(null::some_table, ${rowSet(rows)}::text::json)`:
 * a set of any size is one parameter of one prepared statement. Keys, all unless some are named, become column names
 * (createdAt, created_at).
 */
export function rowSet<Row extends object>(rows: readonly Row[], keys?: readonly (keyof Row & string)[]): string {
  const [first] = rows
  if (first === undefined) return '[]'
  // Rows of a set are of one shape, so the names are made once.
  const columns = (keys ?? Object.keys(first)).map((key) => ({ key, label: `${columnName(key)}:` }))
  return `[${rows.map((row) => rowText(columns, row as Record<string, unknown>)).join(',')}]`
}

function rowText(
  columns: readonly { readonly key: string; readonly label: string }[],
  row: Record<string, unknown>,
): string {
  let text = ''
  for (const { key, label } of columns) {
    const value = row[key]
    // What is left out becomes null.
    if (value !== undefined && value !== null) text += (text === '' ? '' : ',') + label + valueText(value)
  }
  return `{${text}}`
}

/** Texts that stand in JSON as they are, which is nearly all of them. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function valueText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'bigint') return `"${value}"`
  if (value instanceof Buffer) return `"\\\\x${value.toString('hex')}"`
  return value instanceof Date ? `"${value.toISOString()}"` : JSON.stringify(value)
}

/**
 * Columns of rows as arrays, for `from unnest(${id}::bigint[], …) c (id, …)`: cheaper for the database than a JSON text,
 * for the few statements where that is felt.
 */
export const columnsOf = <Row extends object, Key extends keyof Row & string>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Readonly<Record<Key, readonly (string | null)[]>> =>
  Object.fromEntries(keys.map((key) => [key, rows.map((row) => elementText(row[key]))])) as Record<
    Key,
    (string | null)[]
  >

/** A list of texts becomes the text of an array: those of several rows differ in length, so they are no array of arrays. */
const elementText = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : Array.isArray(value)
      ? `{${value.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
      : value instanceof Date
        ? value.toISOString()
        : String(value)

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
/** Plans for so many rows are the plans for any number. */
const SMALL_ROWS_MAX = 2_000

/**
 * Refreshes the planner's statistics of small tables that have grown by half since they were last looked at; answers how
 * many. PostgreSQL does this by itself about once a minute. A new database grows faster than that, and plans made while
 * its tables were empty would read them from end to end until then. Large tables are left to it: a look at one takes a
 * tenth of a second, and makes every connection plan anew.
 */
export async function refreshStatistics(db: Db, limit: number): Promise<number> {
  const [answer] = await db<{ refreshed: number }[]>`
    select refresh_statistics(${GROWN_ROWS_MIN}, ${SMALL_ROWS_MAX}, ${limit}) as refreshed`
  return answer?.refreshed ?? 0
}
