/** A row of the table in docs/inside/performance.md: a benchmark, its figure, and the target. */
interface Row {
  readonly name: string
  readonly figure: string
  readonly atLeast?: number
  readonly atMost?: number
}

export const TABLE: readonly Row[] = [
  { name: 'init-transaction', figure: 'ratio', atLeast: 0.66 },
  { name: 'status-query', figure: 'ratio', atLeast: 0.65 },
  { name: 'login', figure: 'ratio', atLeast: 0.4 },
  { name: 'inbound-credit', figure: 'ratio', atLeast: 1.22 },
  { name: 'inbound-credit-256', figure: 'ratio', atLeast: 1.45 },
  { name: 'credit-with-event', figure: 'ratio', atLeast: 1 },
  { name: 'card-charge', figure: 'ratio', atLeast: 0.95 },
  { name: 'transfers', figure: 'ratio', atLeast: 0.95 },
  { name: 'events-drained', figure: 'ratio', atLeast: 0.6 },
  { name: 'many-merchants', figure: 'ratio', atLeast: 0.85 },
  { name: 'long-snapshot', figure: 'ratio', atLeast: 0.8 },
  { name: 'half-peak', figure: 'p50 / p99, milliseconds', atMost: 15 },
  { name: 'storm', figure: 'resident before / after, MB', atMost: 220 },
  { name: 'at-size', figure: 'init at size ÷ with few', atLeast: 0.9 },
  { name: 'at-size', figure: 'lists and search at size ÷ with few (time)', atMost: 1.5 },
]

/** The names of the benchmarks in the table, each once. */
export const TABLE_NAMES: readonly string[] = [...new Set(TABLE.map(({ name }) => name))]

type Figures = Readonly<Record<string, { readonly figures: Readonly<Record<string, string>> }>>

/** Returns the number that is compared with the target: the last one in a figure's text. */
const judged = (text: string): number | undefined => {
  const last = text.match(/\d+(\.\d+)?/g)?.at(-1)
  return last === undefined ? undefined : Number(last)
}

function verdict(found: number | undefined, { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: Row): string {
  if (found === undefined) return '–'
  return found >= atLeast && found <= atMost ? 'yes' : '**no**'
}

/** The table as Markdown. */
export const tableText = (findings: Figures): string =>
  [
    '| benchmark | figure | found | should be | holds |',
    '|---|---|---|---|---|',
    ...TABLE.map((row) => {
      const { name, figure, atLeast, atMost } = row
      const found = findings[name]?.figures[figure] ?? 'not measured'
      const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`
      return `| \`${name}\` | ${figure} | ${found} | ${bound} | ${verdict(judged(found), row)} |`
    }),
    '',
  ].join('\n')
