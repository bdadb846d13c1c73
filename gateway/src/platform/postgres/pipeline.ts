import pg from 'pg'
import { iso } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { isTracing } from '../observability/tracing.ts'
import { isServerError, lossOf } from './connection-loss.ts'
import { traceStatement } from './query-tracing.ts'
import type { Parameter, Rows } from './sql.ts'

const INT8 = 20
const TIMESTAMPTZ = 1184
const readByDriver = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => unknown
/** Reads a time. For present-day times, `Date` parses PostgreSQL's format twice as fast as the driver. */
const readTime = (text: string): unknown =>
  text.startsWith('2') && !text.endsWith('BC') ? new Date(text) : readByDriver(text)

const OWN_PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, BigInt], // a floating-point number cannot hold every amount of money
  [TIMESTAMPTZ, readTime],
])
/** Our own parsers; the driver parses all other types. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    OWN_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)) as never,
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_MAX = 10_000
/** The number of names used so far, so that no name is used twice. */
let statementsNamed = 0

/** The name under which each connection prepares a query once. */
function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    invariant(statementNames.size < STATEMENT_NAMES_MAX, 'the number of different statements is bounded')
    name = `s${statementsNamed++}`
    statementNames.set(text, name)
  }
  return name
}

const OUTDATED_PLAN = '0A000' // feature_not_supported: "cached plan must not change result type"

/** Whether a plan was rejected before it ran: it is older than a migration that changed its columns. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isServerError(error) && error.code === OUTDATED_PLAN && error.routine === 'RevalidateCachedQuery'

/** The columns of a query, in our spelling (created_at is createdAt), and their parsers. */
interface Shape {
  keys: readonly string[]
  /** An empty row. Copying it is faster than adding the keys one by one. */
  empty: Readonly<Record<string, unknown>>
  parsers: readonly ((text: string) => unknown)[]
}

/**
 * The queries that a connection has prepared. A prepared query always returns the same columns: PostgreSQL rejects it
 * if a migration changed them.
 */
interface Prepared {
  readonly shapes: Map<string, Shape>
  /** The names of queries that PostgreSQL may or may not have prepared, because of an error. */
  readonly doubtful: Set<string>
  /** Whether a commit on this connection may be missing on the standby. */
  isUnreplicated: boolean
  /**
   * Whether a pooler is in between: the next transaction may run on another server connection, which has prepared
   * nothing.
   */
  isShared: boolean
  /** A query that fails on a server which must not be used. A pooler may lead to another server at any time. */
  guard: (() => string | undefined) | undefined
}

const preparedOn = new WeakMap<pg.Connection, Prepared>()

function preparedAt(connection: pg.Connection): Prepared {
  const known = preparedOn.get(connection)
  if (known !== undefined) return known
  const prepared: Prepared = {
    shapes: new Map(),
    doubtful: new Set<string>(),
    isUnreplicated: false,
    isShared: false,
    guard: undefined,
  }
  preparedOn.set(connection, prepared)
  return prepared
}

/**
 * Makes a connection send queries without names, because a pooler uses another server connection for each transaction.
 * The guard runs in each of these transactions.
 */
export function sendUnnamed({ connection }: { readonly connection: pg.Connection }, guard?: Prepared['guard']): void {
  Object.assign(preparedAt(connection), { isShared: true, guard })
}

/** The PostgreSQL and Citus functions that warn about a commit that a standby or a worker did not confirm. */
const UNCONFIRMED_COMMIT_FUNCTIONS: readonly unknown[] = ['SyncRepWaitForLSN', 'FinishRemoteTransactionCommit']

/**
 * Treats a connection as lost if its commit was cancelled while waiting for the standby, or failed on its worker.
 * PostgreSQL reports success with a warning, but the commit may be missing elsewhere.
 */
export function rejectUnreplicated(client: pg.ClientBase & { readonly connection: pg.Connection }): void {
  client.on('notice', ({ routine }) => {
    if (!UNCONFIRMED_COMMIT_FUNCTIONS.includes(routine)) return
    preparedAt(client.connection).isUnreplicated = true
    client.connection.stream.destroy(notReplicated())
  })
}

const notReplicated = (): Error => new Error('commit not confirmed by a standby or a worker')

/** A query's result: rows as records, the count, and the command. */
export type QueryResult = Rows<never> & { readonly command: string }

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  readonly resolve: (result: QueryResult) => void
  readonly reject: (error: unknown) => void
  /** Set when the query is sent. */
  shape?: Shape
  /** Whether the query is prepared while it is sent. */
  isNew?: boolean
  /** Set when its result has arrived. */
  result?: QueryResult
}

const statementOf = (
  text: string,
  parameters: readonly Parameter[],
  resolve: Statement['resolve'],
  reject: Statement['reject'],
): Statement => ({ name: nameOf(text), text, values: parameters.map(wireValue), resolve, reject })

function wireValue(value: Parameter): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return arrayText(value)
  if (value instanceof Buffer) return value
  return value instanceof Date ? iso(value) : String(value)
}

/** An array as PostgreSQL text: quoted elements with escapes. */
export function arrayText(values: readonly (string | null)[]): string {
  let text = ''
  for (const value of values) text += value === null ? ',NULL' : `,${quotedElement(value)}`
  return `{${text.slice(1)}}`
}

/** Matches texts whose JSON is also a valid element of a PostgreSQL array. */
const VALID_AS_JSON = /^[\x20-\ud7ff\ue000-\uffff]*$/

/**
 * A text as an element of an array. Most texts need no escapes. For the others, such as long event bodies full of
 * quotes, JSON.stringify is many times faster than replacing.
 */
export function quotedElement(value: string): string {
  if (!value.includes('"') && !value.includes('\\')) return `"${value}"`
  return VALID_AS_JSON.test(value) ? JSON.stringify(value) : `"${value.replace(/["\\]/g, '\\$&')}"`
}

/** The parts of the driver's connection that we use; its types differ in places. */
interface Wire {
  readonly stream: { readonly cork: () => void; readonly uncork: () => void }
  readonly close: (message: { type: 'S'; name: string }) => void
  readonly parse: (message: { name: string; text: string; types: readonly number[] }) => void
  readonly bind: (message: { portal: string; statement: string; values: Statement['values'] }) => void
  readonly describe: (message: { type: 'P'; name: string }) => void
  readonly execute: (message: { portal: string }) => void
  readonly sync: () => void
}

/**
 * Queries that are pipelined as one request to the driver. PostgreSQL responds to all at once, and skips those after a
 * failure. They belong to one transaction, or there is only a single query.
 */
class Group extends pg.Query {
  #statements: readonly Statement[]
  readonly #commits: boolean
  #answered = 0
  #rows: Record<string, unknown>[] = []
  #prepared: Prepared | undefined
  /** Set by a pool, to get its connection back. */
  declare callback?: (error: Error | null) => void

  constructor(statements: readonly Statement[], commits = false) {
    super('')
    this.#statements = statements
    this.#commits = commits
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire
    const prepared = preparedAt(connection)
    this.#prepared = prepared
    const guard = prepared.guard?.()
    if (guard !== undefined) this.#statements = withGuard(this.#statements, guard)
    wire.stream.cork()
    for (const statement of this.#statements) send(wire, prepared, statement)
    wire.sync()
    wire.stream.uncork()
  }

  /** Whether the query may have been committed: it is its own transaction, and was sent. */
  get mayHaveCommitted(): boolean {
    return this.#commits && this.#prepared !== undefined
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#answered]
  }

  handleRowDescription({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void {
    const shape = this.#current?.shape
    if (shape === undefined) return
    shape.keys = fields.map(({ name }) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    shape.empty = Object.fromEntries(shape.keys.map((key) => [key, null]))
    shape.parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const shape = this.#current?.shape
    if (shape === undefined) return
    const { keys, parsers, empty } = shape
    const row: Record<string, unknown> = { ...empty }
    for (let i = 0; i < keys.length; i++) {
      const text = fields[i] as string | null
      if (text !== null) row[keys[i] as string] = (parsers[i] as (text: string) => unknown)(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const statement = this.#current
    if (statement === undefined) return
    // `INSERT 0 5`, `UPDATE 5`, or `COMMIT`
    const [command = '', first = '0', second = first] = text.split(' ')
    statement.result = Object.assign(this.#rows, { count: Number(second), command }) as unknown as QueryResult
    this.#rows = []
    this.#answered++
  }

  /** A query that is its own transaction is committed only now. */
  handleReadyForQuery(): void {
    if (this.#prepared?.isUnreplicated === true) {
      this.handleError(notReplicated())
      return
    }
    for (const { resolve, result } of this.#statements) resolve(result as QueryResult)
    this.callback?.(null)
  }

  handleError(error: Error): void {
    // After a lost connection every outcome is unknown. A failure after the responses to all queries is a failed
    // commit.
    const isFailedStatement = isServerError(error) && this.#answered < this.#statements.length
    const reason = lossOf(error, this.mayHaveCommitted)
    for (const [index, statement] of this.#statements.entries()) {
      if (isFailedStatement && index < this.#answered) statement.resolve(statement.result as QueryResult)
      else {
        this.#forget(statement, error)
        statement.reject(reason)
      }
    }
    this.callback?.(error)
  }

  #forget({ name, text, isNew }: Statement, error: Error): void {
    if (isNew === true) {
      this.#prepared?.shapes.delete(name)
      this.#prepared?.doubtful.add(name)
    }
    // If one plan is outdated, many may be, on every connection. So all queries get new names and are planned again.
    if (isOutdatedPlan(error) && statementNames.get(text) === name) statementNames.clear()
  }
}

/** A transaction's mode must be set before its first query, so the guard follows `begin`. */
function withGuard(statements: readonly Statement[], text: string): readonly Statement[] {
  const guard = statementOf(text, [], noop, noop)
  const [first, ...rest] = statements
  return first?.text.startsWith('begin') ? [first, guard, ...rest] : [guard, ...statements]
}

const noop = (): void => {}

function send(wire: Wire, { shapes, doubtful, isShared }: Prepared, statement: Statement): void {
  const { name, text, values } = statement
  if (isShared) {
    statement.shape = { keys: [], empty: {}, parsers: [] }
    wire.parse({ name: '', text, types: [] })
    wire.bind({ portal: '', statement: '', values })
    wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '' })
    return
  }
  const known = shapes.get(name)
  if (known === undefined) {
    if (doubtful.delete(name)) wire.close({ type: 'S', name })
    wire.parse({ name, text, types: [] })
  }
  const shape = known ?? { keys: [], empty: {}, parsers: [] }
  shapes.set(name, shape)
  statement.shape = shape
  statement.isNew = known === undefined
  wire.bind({ portal: '', statement: name, values })
  if (known === undefined) wire.describe({ type: 'P', name: '' })
  wire.execute({ portal: '' })
}

/** Sends queries over a connection. Those of one turn of the event loop are sent together. */
export interface Pipeline {
  readonly run: (text: string, parameters: readonly Parameter[]) => Promise<QueryResult>
  /** Sends the queries collected so far, before the turn of the event loop ends. */
  readonly send: () => void
}

export function openPipeline(client: pg.ClientBase): Pipeline {
  let gathered: Statement[] = []
  const sendGathered = (): void => {
    if (gathered.length === 0) return
    const group = new Group(gathered)
    gathered = []
    client.query(group)
  }
  return {
    run: (text, parameters) => {
      const result = new Promise<QueryResult>((resolve, reject) => {
        if (gathered.length === 0) process.nextTick(sendGathered)
        gathered.push(statementOf(text, parameters, resolve, reject))
      })
      if (isTracing()) traceStatement(text, result)
      return result
    },
    send: sendGathered,
  }
}

/** Matches queries that only read: after a lost connection their outcome does not matter. */
const READS = /^\s*select\b/

/** Runs a single query over a pooled connection. */
export function runAlone(pool: pg.Pool, text: string, parameters: readonly Parameter[]): Promise<QueryResult> {
  const queried = new Promise<QueryResult>((resolve, reject) => {
    // If no connection is available, the pool calls back too, which its types omit.
    const group = new Group([statementOf(text, parameters, resolve, reject)], !READS.test(text))
    const result = pool.query(group) as unknown as Promise<unknown>
    result.catch((error: unknown) => reject(lossOf(error, group.mayHaveCommitted)))
  })
  if (isTracing()) traceStatement(text, queried)
  return queried
}
