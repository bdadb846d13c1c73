import pg from 'pg'
import { iso } from '../kernel/dates.ts'
import { invariant } from '../kernel/errors.ts'
import { isServerError, lossOf } from './database-loss.ts'
import type { Parameter, Rows } from './sql.ts'
import { traceStatement } from './statement-tracing.ts'
import { isTracing } from './tracing.ts'

const INT8 = 20
const TIMESTAMPTZ = 1184
const readByDriver = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => unknown
/** The engine itself reads PostgreSQL's spelling of a time of this millennium, in half of the driver's time. */
const readTime = (text: string): unknown =>
  text.startsWith('2') && !text.endsWith('BC') ? new Date(text) : readByDriver(text)

const OWN_PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, BigInt], // money does not fit into a double
  [TIMESTAMPTZ, readTime],
])
/** How columns are read: all other types as the driver does. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    OWN_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format)) as never,
}

const statementNames = new Map<string, string>()
const STATEMENT_NAMES_MAX = 10_000
/** How many names there were ever: none is used for two texts. */
let statementsNamed = 0

/** The name under which each connection parses and plans a statement once. */
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

/** Whether a plan was refused, before it did anything: it is of before a migration that changed what the statement answers. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isServerError(error) && error.code === OUTDATED_PLAN && error.routine === 'RevalidateCachedQuery'

/** What a statement answers: its columns in our spelling (created_at is createdAt), and how each is read. */
interface Shape {
  keys: readonly string[]
  /** A row of nothing: a copy of it is filled in faster than a row grows by one key after another. */
  empty: Readonly<Record<string, unknown>>
  parsers: readonly ((text: string) => unknown)[]
}

/** What a connection has parsed under which name. What a name answers stays the same, or PostgreSQL refuses its plan. */
interface Prepared {
  readonly shapes: Map<string, Shape>
  /** Names of statements that perhaps were parsed: an error came before we heard. */
  readonly doubtful: Set<string>
  /** Whether something was committed here that no standby has. */
  isUnreplicated: boolean
  /** Whether a pooler stands between: another transaction may be another server's, which knows no names. */
  isShared: boolean
}

const preparedOn = new WeakMap<pg.Connection, Prepared>()

function preparedAt(connection: pg.Connection): Prepared {
  const known = preparedOn.get(connection)
  if (known !== undefined) return known
  const prepared = { shapes: new Map(), doubtful: new Set<string>(), isUnreplicated: false, isShared: false }
  preparedOn.set(connection, prepared)
  return prepared
}

/** Has statements go over a connection without a name, since a pooler gives out what is behind it anew for each transaction. */
export function sendUnnamed({ connection }: { readonly connection: pg.Connection }): void {
  preparedAt(connection).isShared = true
}

/** Where PostgreSQL waits for a standby, and Citus for the commit of a worker, by their own names. */
const WAITS_OF_A_COMMIT: readonly unknown[] = ['SyncRepWaitForLSN', 'FinishRemoteTransactionCommit']

/**
 * Takes a connection for lost on which a commit was called off that waited for its standby, or failed on its worker:
 * PostgreSQL says that it has committed, with a warning. So it has, here; elsewhere perhaps nobody will find it.
 */
export function refuseUnreplicated(client: pg.ClientBase & { readonly connection: pg.Connection }): void {
  client.on('notice', ({ routine }) => {
    if (!WAITS_OF_A_COMMIT.includes(routine)) return
    preparedAt(client.connection).isUnreplicated = true
    client.connection.stream.destroy(notReplicated())
  })
}

const notReplicated = (): Error => new Error('a commit was not confirmed by a standby or a worker')

/** What a statement answered: rows as records, how many, and the command that was carried out. */
export type Answer = Rows<never> & { readonly command: string }

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | Buffer | null)[]
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  /** Set when it is sent. */
  shape?: Shape
  /** Whether it is parsed as it is sent. */
  isNew?: boolean
  /** Set when it is answered. */
  answer?: Answer
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

/** The text of an array, as PostgreSQL reads it: each element in quotes, with a backslash before what means something there. */
export function arrayText(values: readonly (string | null)[]): string {
  let text = ''
  for (const value of values) text += value === null ? ',NULL' : `,${elementText(value)}`
  return `{${text.slice(1)}}`
}

/** Texts that JSON writes as an array does: without what it escapes in a way of its own. */
const ALIKE_IN_JSON = /^[\x20-\ud7ff\ue000-\uffff]*$/

/** JSON's own function is many times as fast as replacing, and bodies of events are long and full of quotes. */
const elementText = (value: string): string =>
  ALIKE_IN_JSON.test(value) ? JSON.stringify(value) : `"${value.replace(/["\\]/g, '\\$&')}"`

/** What we use of the driver's connection; its types say otherwise in places. */
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
 * Statements that travel together, as one question to the driver: PostgreSQL answers all of them at once, and where one
 * fails, leaves out those after it. They are of one transaction, or there is but one, which is a transaction by itself.
 */
class Group extends pg.Query {
  readonly #statements: readonly Statement[]
  readonly #commits: boolean
  #answered = 0
  #rows: Record<string, unknown>[] = []
  #prepared: Prepared | undefined
  /** Set by a pool, to have its connection back. */
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
    wire.stream.cork()
    for (const statement of this.#statements) send(wire, prepared, statement)
    wire.sync()
    wire.stream.uncork()
  }

  /** Whether, for all that is known here, it may have been committed by itself: once it was sent. */
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
    statement.answer = Object.assign(this.#rows, { count: Number(second), command }) as unknown as Answer
    this.#rows = []
    this.#answered++
  }

  /** Only now is a statement that is a transaction by itself committed. */
  handleReadyForQuery(): void {
    if (this.#prepared?.isUnreplicated === true) {
      this.handleError(notReplicated())
      return
    }
    for (const { resolve, answer } of this.#statements) resolve(answer as Answer)
    this.callback?.(null)
  }

  handleError(error: Error): void {
    // After a lost connection nobody knows what became of any. One that fails after all were carried out failed to commit.
    const isFailedStatement = isServerError(error) && this.#answered < this.#statements.length
    const reason = lossOf(error, this.mayHaveCommitted)
    for (const [index, statement] of this.#statements.entries()) {
      if (isFailedStatement && index < this.#answered) statement.resolve(statement.answer as Answer)
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
    // Where one plan is outdated, many may be, on every connection: statements get new names, and so are planned anew.
    if (isOutdatedPlan(error) && statementNames.get(text) === name) statementNames.clear()
  }
}

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

/** Sends statements over a connection: those of one turn of the event loop together, with one answer for all of them. */
export interface Pipeline {
  readonly run: (text: string, parameters: readonly Parameter[]) => Promise<Answer>
  /** Sends what was gathered so far, without waiting for the turn to end. */
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
      const answer = new Promise<Answer>((resolve, reject) => {
        if (gathered.length === 0) process.nextTick(sendGathered)
        gathered.push(statementOf(text, parameters, resolve, reject))
      })
      if (isTracing()) traceStatement(text, answer)
      return answer
    },
    send: sendGathered,
  }
}

/** Whoever only reads loses nothing. */
const READS = /^\s*select\b/

/** Runs a statement that is a transaction by itself, over a connection of a pool. */
export function runAlone(pool: pg.Pool, text: string, parameters: readonly Parameter[]): Promise<Answer> {
  const answer = new Promise<Answer>((resolve, reject) => {
    // The pool answers too, which its types do not say: it tells where no connection is to be had.
    const group = new Group([statementOf(text, parameters, resolve, reject)], !READS.test(text))
    const asked = pool.query(group) as unknown as Promise<unknown>
    asked.catch((error: unknown) => reject(lossOf(error, group.mayHaveCommitted)))
  })
  if (isTracing()) traceStatement(text, answer)
  return answer
}
