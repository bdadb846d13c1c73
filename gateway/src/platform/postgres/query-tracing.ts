import { currentSpan, endWith } from '../observability/tracing.ts'

/** The facts about a query that are traced: never its values or text. */
interface Named {
  readonly operation: string
  readonly table: string | undefined
}

const WRITE = /(?<!\b(?:for|key|do)\s)\b(insert|update|delete)\s+(?:into\s+|from\s+)?"?([a-z_]+)/i
const READ = /\b(?:from|join)\s+"?([a-z_]+)\b(?!\s*\()/i

const named = new Map<string, Named>()
/** No program has more different query texts than this. */
const NAMED_MAX = 10_000

/** Traces a query that was just sent, below the current span. */
export function traceStatement(text: string, result: Promise<unknown>): void {
  const { operation, table } = nameOf(text)
  const span = currentSpan()?.begin(table === undefined ? operation : `${operation} ${table}`, 'client')
  if (span === undefined) return
  span.note('db.system.name', 'postgresql')
  span.note('db.operation.name', operation)
  span.note('db.collection.name', table)
  endWith(span, result)
}

function nameOf(text: string): Named {
  const known = named.get(text)
  if (known !== undefined) return known
  const found = findName(text)
  if (named.size < NAMED_MAX) named.set(text, found)
  return found
}

/** Finds a query's operation and first table. If it also writes, finds the operation and the table of the write. */
export function findName(text: string): Named {
  const bare = text.replace(/--.*$/gm, '').trim()
  const [, verb, written] = WRITE.exec(bare) ?? []
  if (verb !== undefined) return { operation: verb.toLowerCase(), table: written }
  const [first = ''] = bare.split(/\W/, 1)
  const operation = first.toLowerCase() === 'with' ? 'select' : first.toLowerCase()
  return { operation, table: READ.exec(bare)?.[1] }
}
