import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flameGraph, type Profile } from '../src/flame.ts'
import { predict, predictApart } from '../src/model.ts'
import { TABLE, tableText } from '../src/table.ts'

const COST = { gateway: 300, postgres: 200, load: 100 }

for (const [processes, cores, perSecond, why] of [
  [1, 64, 3_333, 'one process computes on one core'],
  [2, 64, 6_667, 'two on two'],
  [1, 1, 1_667, 'everybody shares what there is'],
  [4, 2, 3_333, 'more processes than cores are of no use'],
] as const)
  test(`${processes} processes on ${cores} cores: ${why}`, () =>
    assert.equal(Math.round(predict(COST, { processes, cores })), perSecond))

test('with gateways elsewhere PostgreSQL sets the bound, and the processes follow from it', () =>
  assert.deepEqual(predictApart(COST, 4), { perSecond: 20_000, processes: 6 }))

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 9 })

const PROFILE: Profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6, 7] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('serve', 'file:///kobo/gateway/src/core/serve.ts'), children: [4, 5] },
    { id: 4, callFrame: frame('parse<T>', 'file:///kobo/node_modules/a/node_modules/@b/c/index.js') },
    { id: 5, callFrame: frame('parse<T>', 'file:///kobo/node_modules/a/node_modules/@b/c/index.js') },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('startProfile', 'file:///kobo/bench/src/gateway.ts') },
  ],
  samples: [2, 3, 4, 5, 6, 7],
  timeDeltas: [1_000, 100, 150, 50, 100, 900],
}

test('a flame graph has each function once below who called it, with its share of the time in which something was done', () => {
  const svg = flameGraph(PROFILE, 'a < b')
  const titles = [...svg.matchAll(/<g><title>(.+?)<\/title>/g)].map(([, title]) => title)
  assert.deepEqual(titles, [
    'serve gateway/src/core/serve.ts:10: 75.0 %',
    'parse&lt;T&gt; @b/c: 50.0 %',
    '(garbage collector): 25.0 %',
  ])
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^<]*>\n/)
  assert.match(svg, />a &lt; b</)
})

test('a profile in which nothing was done is an empty picture', () =>
  assert.doesNotMatch(flameGraph({ nodes: [], samples: [], timeDeltas: [] }, 'nothing'), /<g>/))

test('the table says of each row whether it holds, of several numbers by the last, and which was not measured', () => {
  const figures = {
    'init-transaction': { figures: { ratio: '0.66' } },
    'status-query': { figures: { ratio: '0.64' } },
    'half-peak': { figures: { 'p50 / p99, milliseconds': '3.1 / 15.1' } },
    storm: { figures: { 'resident before / after, MB': '250 / 219' } },
  }
  const rows = tableText(figures).split('\n').slice(2, -1)
  assert.equal(rows.length, TABLE.length)
  const holds = (name: string): string | undefined =>
    rows
      .find((row) => row.includes(`\`${name}\``))
      ?.split(' | ')
      .at(-1)
  assert.deepEqual(['init-transaction', 'status-query', 'half-peak', 'storm', 'login'].map(holds), [
    'yes |',
    '**no** |',
    '**no** |',
    'yes |',
    '– |',
  ])
})
