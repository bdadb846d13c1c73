import { currentSpan, endWith } from './tracing.ts'

/** What is told of a statement: never a value, nor its text. */
interface Named {
  readonly operation: string
  readonly table: string | undefined
}

const WRITE = /(?<!\b(?:for|key|do)\s)\b(insert|update|delete)\s+(?:into\s+|from\s+)?"?([a-z_]+)/i
const READ = /\b(?:from|join)\s+"?([a-z_]+)\b(?!\s*\()/i

const named = new Map<string, Named>()
/** There are no more texts than this that connections prepare. */
const NAMED_MAX = 10_000

/** Tells of a statement that was just given to a connection, below the span within which that was done. */
export function traceStatement(text: string, answer: Promise<unknown>): void {
  const { operation, table } = nameOf(text)
  const span = currentSpan()?.begin(table === undefined ? operation : `${operation} ${table}`, 'client')
  if (span === undefined) return
  span.note('db.system.name', 'postgresql')
  span.note('db.operation.name', operation)
  span.note('db.collection.name', table)
  endWith(span, answer)
}

function nameOf(text: string): Named {
  const known = named.get(text)
  if (known !== undefined) return known
  const found = findName(text)
  if (named.size < NAMED_MAX) named.set(text, found)
  return found
}

/** What a statement does, and to which table first. One that also writes is known by what it writes. */
export function findName(text: string): Named {
  const bare = text.replace(/--.*$/gm, '').trim()
  const [, verb, written] = WRITE.exec(bare) ?? []
  if (verb !== undefined) return { operation: verb.toLowerCase(), table: written }
  const [first = ''] = bare.split(/\W/, 1)
  const operation = first.toLowerCase() === 'with' ? 'select' : first.toLowerCase()
  return { operation, table: READ.exec(bare)?.[1] }
}
