import pg from 'pg'
import { iso } from '../kernel/dates.ts'
import { invariant } from '../kernel/errors.ts'
import { openHosts } from './database-hosts.ts'
import { DatabaseAway, isServerError, lossOf, OutcomeUnknown } from './database-loss.ts'
import { GatheringSocket } from './gathering-socket.ts'
import { endSilentConnections } from './silence.ts'
import { type Parameter, type Run, type Sql, sqlTag } from './sql.ts'
import {
  type Answer,
  arrayText,
  isOutdatedPlan,
  openPipeline,
  type Pipeline,
  refuseUnreplicated,
  runAlone,
  sendUnnamed,
  types,
} from './statements.ts'

export { isServerError } from './database-loss.ts'

/** A pool: for reads. */
export type Db = Sql & {
  readonly kind: 'pool'
  readonly url: string
  readonly run: Run
  /** A connection of one's own, to be released. */
  readonly connect: () => Promise<pg.PoolClient>
  /** A connection outside the pool, for who keeps one to itself; to be ended. */
  readonly connectAlone: (options?: pg.ClientConfig) => Promise<pg.Client>
  /** One that stays a session whatever stands between: for who listens. */
  readonly connectSession: (options?: pg.ClientConfig) => Promise<pg.Client>
  /** Connections that are at work and idle, and how many wait for one. */
  readonly connections: () => { readonly busy: number; readonly idle: number; readonly waiting: number }
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
/** How long somebody waits for a connection of the pool. */
const WAIT_MILLISECONDS_MAX = 10_000
const STATEMENT_MILLISECONDS_MAX = 60_000
/** Between two statements of a transaction nobody waits for anything outside: who takes so long hangs, or its machine does. */
const IDLE_IN_TRANSACTION_MILLISECONDS_MAX = 15_000
const KEEP_ALIVE_MILLISECONDS = 5_000
/** Who holds a row for longer hangs, or is somebody's forgotten session. Longer than PostgreSQL takes to see a deadlock. */
const LOCK_MILLISECONDS_MAX = 3_000

/** What a session is told as it is opened; behind a pooler the role has it. */
export const SESSION_SETTINGS = {
  statement_timeout: STATEMENT_MILLISECONDS_MAX,
  lock_timeout: LOCK_MILLISECONDS_MAX,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLISECONDS_MAX,
  timezone: 'UTC',
  // What is asked for often is in memory, so an index look-up is cheap.
  random_page_cost: '1.1',
} as const

/** What a connection to a database is opened with, here and wherever one connection of its own is needed. */
export function connectionOptions(url: string, isShared = false): pg.ClientConfig {
  const { timezone, random_page_cost, ...limits } = SESSION_SETTINGS
  const options = `-c timezone=${timezone} -c random_page_cost=${random_page_cost}`
  return { ...DRIVER_OPTIONS, connectionString: url, ...(isShared ? {} : { ...limits, options }) }
}

const DRIVER_OPTIONS: pg.ClientConfig = {
  application_name: 'kobo',
  // Seen by the network as alive while idle; and where that has dropped it, we learn of it before somebody needs it.
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  types,
  // Statements that are not awaited one by one travel together.
  pipeline: true,
  stream: () => new GatheringSocket(),
}

/**
 * Opens a pool. Where another pooler stands between, which gives out its own connections for a transaction each, the address
 * is named that goes around it.
 */
export function openDatabase(url: string, connectionsMax: number, sessionUrl?: string): Db {
  const isShared = sessionUrl !== undefined
  const hosts = openHosts(url)
  const { Client } = hosts
  const connectAlone: Db['connectAlone'] = (given) => hosts.connect({ ...connectionOptions(url, isShared), ...given })
  const sessionHosts = sessionUrl === undefined ? hosts : openHosts(sessionUrl)
  const pool = new pg.Pool({
    ...connectionOptions(url, isShared),
    Client: Client as never, // a class that makes one, as the pool takes it
    connectionTimeoutMillis: WAIT_MILLISECONDS_MAX,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MILLISECONDS_MAX,
  })
  // A connection that breaks while idle is replaced when next needed; without a listener it would end the process.
  pool.on('error', () => {})
  // So would one that breaks inside a transaction, between two statements: the next statement fails and tells.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    refuseUnreplicated(client)
    if (isShared) sendUnnamed(client)
  })
  const silence = endSilentConnections(pool, connectAlone, isShared)
  const run = (text: string, parameters: readonly Parameter[], tried = 1): Promise<Answer> =>
    runAlone(pool, text, parameters).catch((error: unknown) => {
      if (isOutdatedPlan(error) ? tried > 1 : !mayTurn(error, tried)) throw error
      return run(text, parameters, tried + 1)
    })
  /** Whether nothing was done, and there is another server to turn to. */
  const mayTurn = (error: unknown, tried: number): boolean => error instanceof DatabaseAway && tried < hosts.count
  const connect = async (tried = 1): Promise<pg.PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      const loss = lossOf(error, false)
      if (!mayTurn(loss, tried)) throw loss
      return connect(tried + 1)
    }
  }
  const runOnce: Run = (text, parameters) => run(text, parameters)
  return Object.assign(sqlTag(runOnce), {
    kind: 'pool' as const,
    url,
    run: runOnce,
    connect: () => connect(),
    connectAlone,
    connectSession: (given?: pg.ClientConfig) =>
      sessionHosts.connect({ ...connectionOptions(sessionUrl ?? url), ...given }),
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end: () => {
      silence.close()
      return pool.end()
    },
  })
}

const ATTEMPTS_MAX = 3
const ABORTED = '25P02' // in_failed_sql_transaction
const RETRYABLE = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected

/**
 * A mode of a transaction: one moment for all that is asked together. It is kept short: a long one keeps a primary from clearing away old rows, and
 * a standby from following.
 */
export const SNAPSHOT = 'isolation level repeatable read read only'

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
  const pipeline = openPipeline(client)
  let broken = true
  try {
    const result = await workAndCommit(client, pipeline, work, mode)
    broken = false
    return result
  } catch (error) {
    // Whatever failed, the transaction must be over before anyone else gets the connection.
    pipeline.send()
    const ended = await client.query('rollback').catch(() => undefined)
    broken = ended === undefined || error instanceof DatabaseAway
    throw error
  } finally {
    client.release(broken)
  }
}

async function workAndCommit<T>(
  client: pg.PoolClient,
  pipeline: Pipeline,
  work: (tx: Tx) => Promise<T>,
  mode: string,
): Promise<T> {
  let failure: unknown
  const run: Run = (text, parameters) => {
    const answer = pipeline.run(text, parameters)
    // No answer is kept: what a long transaction has read would stay in memory until its end.
    answer.catch((error) => (failure ??= error))
    return answer
  }
  const tx: Tx = Object.assign(sqlTag(run), {
    kind: 'transaction' as const,
    script: async (text: string) => {
      pipeline.send()
      await client.query(text)
    },
  })
  // Not awaited: it travels with the first statement, which fails where this does.
  void run(`begin ${mode}`, [])
  const result = await work(tx).catch((error: unknown) => {
    // What comes after a statement that failed fails too, and says nothing of the reason.
    throw isServerError(error) && error.code === ABORTED ? (failure ?? error) : error
  })
  // Answered in the order in which they were sent: with this one all are, and which failed is known.
  const { command } = await pipeline.run('commit', []).catch((error: unknown) => unlessRefused(failure ?? error))
  if (failure !== undefined) unlessRefused(failure)
  // PostgreSQL answers a commit of a failed transaction with a rollback, and calls that a success.
  invariant(command === 'COMMIT', 'a statement that failed was not overlooked')
  return result
}

/** A commit has been asked for: unless PostgreSQL has refused it, nobody knows. */
function unlessRefused(error: unknown): never {
  throw error instanceof DatabaseAway && !isServerError(error.cause) ? new OutcomeUnknown(error.cause) : error
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

/**
 * Rows as one JSON text, for `json_populate_recordset(null::some_table, ${rowSet(rows)}::text::json)`:
 * a set of any size is one parameter of one prepared statement. Keys, all unless some are named, become column names
 * (createdAt, created_at).
 */
export function rowSet<Row extends object>(rows: readonly Row[], keys?: readonly (keyof Row & string)[]): string {
  const [first] = rows
  if (first === undefined) return '[]'
  // Rows of a set are of one shape, so the names are made once.
  const columns = keys ?? (Object.keys(first) as (keyof Row & string)[])
  const labels = columns.map((key) => `,${columnName(key)}:`)
  let text = ''
  for (const row of rows) text += rowText(columns, labels, row as Record<string, unknown>)
  return `[${text.slice(1)}]`
}

/** A row behind a comma. What is left out becomes null. */
function rowText(columns: readonly string[], labels: readonly string[], row: Record<string, unknown>): string {
  let text = ''
  for (let at = 0; at < columns.length; at++) {
    const value = row[columns[at] as string]
    if (value !== undefined && value !== null) text += (labels[at] as string) + valueText(value)
  }
  return `,{${text.slice(1)}}`
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `"${value}"`
  if (value instanceof Date) return `"${iso(value)}"`
  if (value instanceof Buffer) return `"\\\\x${value.toString('hex')}"`
  return JSON.stringify(value)
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
      ? arrayText(value.map(String))
      : value instanceof Date
        ? iso(value)
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
