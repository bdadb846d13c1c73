import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DISTRIBUTED } from '../gateway/src/core/shards/index.ts'

const SOURCE = new URL('../gateway/src/', import.meta.url)
/** How a statement says whose rows it means: by a merchant, by those of its set, by a shard's. */
const LISTS_MERCHANTS =
  /\bmerchant_id = (any\()?\$\{|\b(ofMerchants|ofShard|within|whose)\(|\$\{(\w+\(merchantId|heldBy\(request)\b/
/** How one that only reads says that it means everybody's. */
const OVER_ALL = /over all merchants/
const LOCKS_OR_WRITES =
  /\bfor (no key )?update\b|^\s*(update|delete)\b|\b(update|delete from) [a-z_]+\s+(set|where|using|as)\b/m

/** What does neither yet: this list only ever gets shorter. */
const NOT_YET: readonly string[] = []

interface Statement {
  readonly place: string
  readonly text: string
}

/** The templates of a source, each with all that stands in it. Quotes, comments and patterns of others do not matter: it is ours. */
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

/** What was named last before a place: the function that it belongs to. */
const nameBefore = (source: string, at: number): string =>
  [...source.slice(0, at).matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(-1)?.[1] ?? ''

const read = new RegExp(`\\b(?:from|join|update|using)\\s+(?:${DISTRIBUTED.join('|')})\\b`)

const all = (readdirSync(SOURCE, { recursive: true }) as readonly string[])
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path): readonly Statement[] => {
    const source = readFileSync(new URL(path, SOURCE), 'utf8')
    return templatesOf(source).map(({ at, text }) => ({ place: `${path}: ${nameBefore(source, at)}`, text }))
  })
/** Statements and pieces of them that read or change rows of merchants. */
const statements = all.filter(
  ({ text }) => read.test(text) && /\bmerchant_id\b|\bselect\b|\bupdate\b|\bdelete\b/.test(text),
)
const places = (some: readonly Statement[]): readonly string[] => [...new Set(some.map(({ place }) => place))].sort()

test('a statement on rows of merchants lists them, or says that it reads those of all', () => {
  assert.ok(statements.length > 150, 'the statements are found')
  const neither = statements.filter(({ text }) => !LISTS_MERCHANTS.test(text) && !OVER_ALL.test(text))
  const unrouted = statements.filter(({ text }) => !LISTS_MERCHANTS.test(text) && LOCKS_OR_WRITES.test(text))
  assert.deepEqual(places([...neither, ...unrouted]), [...NOT_YET].sort())
})

test('what a statement changes up to a limit is chosen before it: within it PostgreSQL may choose anew for each row', () => {
  const within = all.filter(
    ({ text }) => /^\s*(update|delete)\b/.test(text) && /\blimit\b.*\bskip locked\b/s.test(text),
  )
  assert.deepEqual(places(within), [])
})

test('a case says its condition: of one that compares, Citus makes nonsense where a shard is written to', () => {
  const comparing = statements.filter(({ text }) => /\bcase\s+(?!when\b)\S+\s+when\b/.test(text))
  assert.deepEqual(places(comparing), [])
})

test('columns are assigned one by one: of a list that is assigned at once, Citus mixes up the order', () => {
  assert.ok(
    all.some(({ text }) => /\bupdate \$\{relation\}/.test(text)),
    'those of every table are looked at',
  )
  const atOnce = all.filter(({ text }) => /\bupdate\b.*\bset\s+\(/s.test(text))
  assert.deepEqual(places(atOnce), [])
})
