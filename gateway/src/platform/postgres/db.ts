import pg from 'pg'
import { iso } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { GatheringSocket } from './buffered-socket.ts'
import { DatabaseUnavailable, isServerError, lossOf, OutcomeUnknown } from './connection-loss.ts'
import { closeDeadConnections } from './dead-connections.ts'
import { openHosts } from './hosts.ts'
import {
  arrayText,
  isOutdatedPlan,
  openPipeline,
  type Pipeline,
  type QueryResult,
  quotedElement,
  rejectUnreplicated,
  runAlone,
  sendUnnamed,
  types,
} from './pipeline.ts'
import { type Parameter, type Run, type Sql, sqlTag } from './sql.ts'
import type { TimelineFence } from './timeline.ts'

export { isServerError } from './connection-loss.ts'

/** A pool of connections: for reads. */
export type Db = Sql & {
  readonly kind: 'pool'
  readonly url: string
  readonly run: Run
  /** A connection of the pool, which must be released. */
  readonly connect: () => Promise<pg.PoolClient>
  /** A connection outside the pool, which must be ended. */
  readonly connectAlone: (options?: pg.ClientConfig) => Promise<pg.Client>
  /** A connection with its own session, even behind a pooler: for listening to notifications. */
  readonly connectSession: (options?: pg.ClientConfig) => Promise<pg.Client>
  readonly connections: () => { readonly busy: number; readonly idle: number; readonly waiting: number }
  readonly end: () => Promise<void>
}

/**
 * An open transaction. Every function that writes requires one. A query does not have to be awaited: queries are sent
 * in order, and if one fails, so does the commit. A function that only writes returns nothing, and its queries are
 * pipelined with the commit.
 */
export type Tx = Sql & {
  readonly kind: 'transaction'
  /** Runs several statements without parameters: for migrations. */
  readonly script: (text: string) => Promise<void>
}

const IDLE_MILLISECONDS_MAX = 600_000
/** How long to wait for a pooled connection. */
const WAIT_MILLISECONDS_MAX = 10_000
const STATEMENT_MILLISECONDS_MAX = 60_000
/** No transaction waits on the network, so one that is idle this long is stuck. */
const IDLE_IN_TRANSACTION_MILLISECONDS_MAX = 15_000
const KEEP_ALIVE_MILLISECONDS = 5_000
/** A lock held longer than this belongs to a stuck session. PostgreSQL detects deadlocks sooner. */
const LOCK_MILLISECONDS_MAX = 3_000

/** The session settings. Behind a pooler they are settings of the role. */
export const SESSION_SETTINGS = {
  statement_timeout: STATEMENT_MILLISECONDS_MAX,
  lock_timeout: LOCK_MILLISECONDS_MAX,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLISECONDS_MAX,
  timezone: 'UTC',
  // Hot data is in memory, so index lookups are cheap.
  random_page_cost: '1.1',
} as const

export function connectionOptions(url: string, isShared = false): pg.ClientConfig {
  const { timezone, random_page_cost, ...limits } = SESSION_SETTINGS
  const options = `-c timezone=${timezone} -c random_page_cost=${random_page_cost}`
  return { ...DRIVER_OPTIONS, connectionString: url, ...(isShared ? {} : { ...limits, options }) }
}

const DRIVER_OPTIONS: pg.ClientConfig = {
  application_name: 'kobo',
  // Keeps idle connections alive, and detects dropped connections before they are needed.
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
  types,
  // Queries that are not awaited are pipelined.
  pipeline: true,
  stream: () => new GatheringSocket(),
}

/**
 * Opens a pool. If `url` leads to a pooler in transaction mode, `sessionUrl` bypasses the pooler. A fence rejects
 * former primaries.
 */
export function openDatabase(url: string, connectionsMax: number, sessionUrl?: string, fence?: TimelineFence): Db {
  const isShared = sessionUrl !== undefined
  const hosts = openHosts(url, fence)
  const { Client } = hosts
  const connectAlone: Db['connectAlone'] = (given) => hosts.connect({ ...connectionOptions(url, isShared), ...given })
  const sessionHosts = sessionUrl === undefined ? hosts : openHosts(sessionUrl, fence)
  const pool = new pg.Pool({
    ...connectionOptions(url, isShared),
    Client: Client as never, // the pool expects a class that creates a client
    connectionTimeoutMillis: WAIT_MILLISECONDS_MAX,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_MILLISECONDS_MAX,
  })
  // An idle connection that breaks is replaced on its next use. Without a listener, the error would end the process.
  pool.on('error', () => {})
  // A connection that breaks within a transaction would also end the process; the next query reports it.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    rejectUnreplicated(client)
    if (isShared) sendUnnamed(client, fence?.guard)
  })
  const deadConnections = closeDeadConnections(pool, connectAlone, isShared)
  const run = (text: string, parameters: readonly Parameter[], tried = 1): Promise<QueryResult> =>
    runAlone(pool, text, parameters).catch((error: unknown) => {
      if (isOutdatedPlan(error) ? tried > 1 : !mayTryNextServer(error, tried)) throw error
      return run(text, parameters, tried + 1)
    })
  /** Whether another server can be tried, because nothing was done on this one. */
  const mayTryNextServer = (error: unknown, tried: number): boolean =>
    error instanceof DatabaseUnavailable && tried < hosts.count
  const connect = async (tried = 1): Promise<pg.PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      const loss = lossOf(error, false)
      if (!mayTryNextServer(loss, tried)) throw loss
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
      deadConnections.close()
      return pool.end()
    },
  })
}

const ATTEMPTS_MAX = 3
const ABORTED = '25P02' // in_failed_sql_transaction
const RETRYABLE = new Set(['40001', '40P01']) // serialization_failure, deadlock_detected

/**
 * A transaction mode: one snapshot for several reads. Keep the transaction short: a long one blocks vacuum on a primary
 * and replay on a standby.
 */
export const SNAPSHOT = 'isolation level repeatable read read only'

/** Runs work in one transaction, and retries it if PostgreSQL asks for that. */
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

const rolledBack = new WeakSet<Error>()

/** Whether an error ended a transaction that certainly changed nothing. */
export const isRolledBack = (error: unknown): boolean =>
  isServerError(error) || (error instanceof Error && rolledBack.has(error))

async function tryTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, mode: string): Promise<T> {
  const client = await db.connect()
  const pipeline = openPipeline(client)
  let broken = true
  try {
    const result = await workAndCommit(client, pipeline, work, mode)
    broken = false
    return result
  } catch (error) {
    // Whatever failed, the transaction must have ended before the connection is reused.
    pipeline.send()
    const ended = await client.query('rollback').catch(() => undefined)
    broken = ended === undefined || error instanceof DatabaseUnavailable
    if (!broken && error instanceof Error && !(error instanceof OutcomeUnknown)) rolledBack.add(error)
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
    const result = pipeline.run(text, parameters)
    // Results are not kept, because those of a long transaction would fill the memory.
    result.catch((error) => (failure ??= error))
    return result
  }
  const tx: Tx = Object.assign(sqlTag(run), {
    kind: 'transaction' as const,
    script: async (text: string) => {
      pipeline.send()
      await client.query(text)
    },
  })
  // Not awaited: `begin` is pipelined with the first query, which fails if `begin` does.
  void run(`begin ${mode}`, [])
  const result = await work(tx).catch((error: unknown) => {
    // Later queries fail, too, but only the first error has the reason.
    throw isServerError(error) && error.code === ABORTED ? (failure ?? error) : error
  })
  // Responses arrive in order, so after the commit's response it is known whether a query failed.
  const { command } = await pipeline.run('commit', []).catch((error: unknown) => throwAfterCommit(failure ?? error))
  if (failure !== undefined) throwAfterCommit(failure)
  // If a query failed, PostgreSQL rolls back at commit and still reports success.
  invariant(command === 'COMMIT', 'a failed query is noticed before the commit')
  return result
}

/** Throws after a commit was requested: unless PostgreSQL rejected it, the outcome is unknown. */
function throwAfterCommit(error: unknown): never {
  throw error instanceof DatabaseUnavailable && !isServerError(error.cause) ? new OutcomeUnknown(error.cause) : error
}

/** Runs a single query, which is a transaction of its own in PostgreSQL. That saves two round trips. */
export async function inOneQuery<T>(db: Db, work: (tx: Tx) => T | Promise<T>): Promise<T> {
  let sent: Promise<unknown> | undefined
  const run: Run = (text, parameters) => {
    invariant(sent === undefined, 'only one query is sent')
    const result = db.run(text, parameters)
    sent = result
    return result
  }
  const noScript = (): never => invariant(false, 'only one query is sent') as never
  const result = await work(Object.assign(sqlTag(run), { kind: 'transaction' as const, script: noScript }))
  await sent // a function that only writes does not await its query
  return result
}

const OUTDATED = 'KB001' // refuse_outdated
const UNIQUE_VIOLATION = '23505'

/** Whether a transaction failed on a unique index. */
export const isUniqueViolation = (error: unknown): boolean => isServerError(error) && error.code === UNIQUE_VIOLATION

const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a transaction failed on a lock timeout. */
export const isLockTimeout = (error: unknown): error is pg.DatabaseError =>
  isServerError(error) && error.code === LOCK_NOT_AVAILABLE

/** Lets a transaction wait for locks as long as a query may run: for work that must not run concurrently. */
export const waitForLocks = (tx: Tx): void => void tx`select set_config('lock_timeout', '0', true)`

/**
 * Runs work on the assumption that rows read without a lock do not change before they are written. If one changed, runs
 * the work again without the assumption.
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
 * Rows as JSON, for `json_populate_recordset(null::some_table, ${rowSet(rows)}::text::json)`: any number of rows is one
 * parameter of one prepared query. Keys become column names, such as created_at for createdAt.
 */
export function rowSet<Row extends object>(rows: readonly Row[], keys?: readonly (keyof Row & string)[]): string {
  const [first] = rows
  if (first === undefined) return '[]'
  // All rows have the same shape, so the names are computed once.
  const columns = keys ?? (Object.keys(first) as (keyof Row & string)[])
  const labels = columns.map((key) => `,${columnName(key)}:`)
  let text = ''
  for (const row of rows) text += rowText(columns, labels, row as Record<string, unknown>)
  return `[${text.slice(1)}]`
}

/** A row as text, with a comma in front. Missing values become null. */
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

/** One column of rows as the text of a PostgreSQL array. Lists and JSON become texts. */
export function columnText(rows: readonly object[], key: string, type = ''): string {
  let text = ''
  for (const row of rows) text += `,${arrayElement((row as Record<string, unknown>)[key], type)}`
  return `{${text.slice(1)}}`
}

function arrayElement(value: unknown, type: string): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'json') return quotedElement(JSON.stringify(value))
  if (typeof value === 'string') return quotedElement(value)
  if (value instanceof Date) return `"${iso(value)}"`
  if (Array.isArray(value)) return quotedElement(arrayText(value.map(String)))
  return String(value)
}

/**
 * Columns as arrays, for `from unnest(${id}::bigint[], …) c (id, …)`, which costs the database less than JSON. A list
 * becomes a text: lists differ in length, so they cannot be nested arrays.
 */
export const columnsOf = <Row extends object, Key extends keyof Row & string>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Readonly<Record<Key, string>> =>
  Object.fromEntries(keys.map((key) => [key, columnText(rows, key)])) as Record<Key, string>

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
/** Beyond this many rows, PostgreSQL's plans no longer depend on the size. */
const SMALL_ROWS_MAX = 2_000

/**
 * Refreshes the statistics of small tables that grew by half; returns how many. PostgreSQL does so once a minute, but a
 * new database grows faster, and until then plans made for empty tables would scan them. Large tables are left to
 * PostgreSQL: analyzing one takes a tenth of a second and makes every connection plan its queries again.
 */
export async function refreshStatistics(db: Db, limit: number): Promise<number> {
  const [result] = await db<{ refreshed: number }[]>`
    select refresh_statistics(${GROWN_ROWS_MIN}, ${SMALL_ROWS_MAX}, ${limit}) as refreshed`
  return result?.refreshed ?? 0
}
