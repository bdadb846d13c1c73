import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DISTRIBUTED } from '../gateway/src/core/shards/index.ts'

const SOURCE = new URL('../gateway/src/', import.meta.url)
/** How a query limits its rows: by a merchant, by a batch of merchants, or by a shard. */
const LISTS_MERCHANTS =
  /\bmerchant_id = (any\()?\$\{|\b(ofMerchants|ofShard|within|whose)\(|\$\{(\w+\(merchantId|heldBy\(request)\b/
/** The comment that a read-only query over all merchants must have. */
const OVER_ALL = /over all merchants/
const LOCKS_OR_WRITES =
  /\bfor (no key )?update\b|^\s*(update|delete)\b|\b(update|delete from) [a-z_]+\s+(set|where|using|as)\b/m

/** Queries that neither name merchants nor have the comment. Nothing may be added to this list. */
const NOT_YET: readonly string[] = []

interface Query {
  readonly place: string
  readonly text: string
}

/**
 * Finds the template literals in a source file. The parser handles only our own style of quotes and comments.
 */
function templatesOf(source: string): readonly { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = []
  const open: ({ readonly at: number } | 'braces')[] = []
  const plain = source.replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, (line) => ' '.repeat(line.length))
  for (let at = 0; at < plain.length; at++) {
    const inside = open.at(-1)
    const isText = typeof inside === 'object'
    if (plain[at] === '\\') at++
    else if (plain[at] === '`' && isText) {
      found.push({ at: inside.at, text: source.slice(inside.at + 1, at) })
      open.pop()
    } else if (plain[at] === '`') open.push({ at })
    else if (isText && plain.startsWith('${', at)) {
      open.push('braces')
      at++
    } else if (!isText && plain[at] === '{') open.push('braces')
    else if (!isText && plain[at] === '}') open.pop()
  }
  return found
}

/** Returns the last function declared before a position, which is the one that contains it. */
const nameBefore = (source: string, at: number): string =>
  [...source.slice(0, at).matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(-1)?.[1] ?? ''

/** Matches a query that reads or changes a distributed table. Two tables in `queue-tables.ts` are parameters. */
const read = new RegExp(
  `\\b(?:from|join|update|using)\\s+(?:(?:${DISTRIBUTED.join('|')})\\b|\\$\\{(?:events|endpoints)\\})`,
)

const all = (readdirSync(SOURCE, { recursive: true }) as readonly string[])
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path): readonly Query[] => {
    const source = readFileSync(new URL(path, SOURCE), 'utf8')
    return templatesOf(source).map(({ at, text }) => ({ place: `${path}: ${nameBefore(source, at)}`, text }))
  })
/** Queries and fragments that read or change merchants' rows. */
const queries = all.filter(
  ({ text }) => read.test(text) && /\bmerchant_id\b|\bselect\b|\bupdate\b|\bdelete\b/.test(text),
)
const places = (some: readonly Query[]): readonly string[] => [...new Set(some.map(({ place }) => place))].sort()

test('a query on merchants’ rows names the merchants, or notes that it reads all', () => {
  assert.ok(queries.length > 150, 'the queries are found')
  const neither = queries.filter(({ text }) => !LISTS_MERCHANTS.test(text) && !OVER_ALL.test(text))
  const unrouted = queries.filter(({ text }) => !LISTS_MERCHANTS.test(text) && LOCKS_OR_WRITES.test(text))
  assert.deepEqual(places([...neither, ...unrouted]), [...NOT_YET].sort())
})

test('rows changed up to a limit are chosen beforehand: within the query PostgreSQL may choose again for each row', () => {
  const within = all.filter(
    ({ text }) => /^\s*(update|delete)\b/.test(text) && /\blimit\b.*\bskip locked\b/s.test(text),
  )
  assert.deepEqual(places(within), [])
})

test('a case has conditions: Citus breaks the comparing form when it writes to a shard', () => {
  const comparing = queries.filter(({ text }) => /\bcase\s+(?!when\b)\S+\s+when\b/.test(text))
  assert.deepEqual(places(comparing), [])
})

test('columns are assigned one by one: Citus mixes up the order of a list assignment', () => {
  assert.ok(
    all.some(({ text }) => /\bupdate \$\{relation\}/.test(text)),
    'those of every table are looked at',
  )
  const atOnce = all.filter(({ text }) => /\bupdate\b.*\bset\s+\(/s.test(text))
  assert.deepEqual(places(atOnce), [])
})
