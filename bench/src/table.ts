/** What the table of docs/performance.md is made of: each benchmark, the figure that counts, and what it should be at least. */
export const TABLE: readonly { readonly name: string; readonly figure: string; readonly atLeast: string }[] = [
  { name: 'init-transaction', figure: 'ratio', atLeast: '0.66' },
  { name: 'status-query', figure: 'ratio', atLeast: '0.65' },
  { name: 'login', figure: 'ratio', atLeast: '0.4' },
  { name: 'inbound-credit', figure: 'ratio', atLeast: '1.22' },
  { name: 'inbound-credit-256', figure: 'ratio', atLeast: '1.45' },
  { name: 'credit-with-event', figure: 'ratio', atLeast: '1.0' },
  { name: 'card-charge', figure: 'ratio', atLeast: '0.95' },
  { name: 'transfers', figure: 'ratio', atLeast: '0.95' },
  { name: 'events-drained', figure: 'ratio', atLeast: '0.6' },
  { name: 'many-merchants', figure: 'ratio', atLeast: '0.85' },
  { name: 'long-snapshot', figure: 'ratio', atLeast: '0.8' },
  { name: 'half-peak', figure: 'p50 / p99, milliseconds', atLeast: 'p99 15 ms' },
  { name: 'storm', figure: 'resident before / after, MB', atLeast: '220' },
  { name: 'at-size', figure: 'init at size ÷ with few', atLeast: '0.9' },
  { name: 'at-size', figure: 'search at size ÷ with few (time)', atLeast: 'at most 1.5' },
]

/** The names of the benchmarks in it, each once. */
export const TABLE_NAMES: readonly string[] = [...new Set(TABLE.map(({ name }) => name))]

/** The table as Markdown, of what was found. */
export const tableText = (
  findings: Readonly<Record<string, { readonly figures: Readonly<Record<string, string>> }>>,
): string =>
  [
    '| benchmark | figure | found | at least |',
    '|---|---|---|---|',
    ...TABLE.map(
      ({ name, figure, atLeast }) =>
        `| \`${name}\` | ${figure} | ${findings[name]?.figures[figure] ?? 'not measured'} | ${atLeast} |`,
    ),
    '',
  ].join('\n')
