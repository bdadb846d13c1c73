import assert from 'node:assert/strict'
import { test } from 'node:test'
import { predict, predictApart } from '../src/model.ts'
import { TABLE, tableText } from '../src/table.ts'

const COST = { gateway: 300, postgres: 200, load: 100 }

for (const [processes, cores, perSecond, why] of [
  [1, 64, 3_333, 'one process on one core'],
  [2, 64, 6_667, 'two on two'],
  [1, 1, 1_667, 'all share the available cores'],
  [4, 2, 3_333, 'more processes than cores do not help'],
] as const)
  test(`${processes} processes on ${cores} cores: ${why}`, () =>
    assert.equal(Math.round(predict(COST, { processes, cores })), perSecond))

test('with gateways elsewhere PostgreSQL sets the limit, and the processes follow from it', () =>
  assert.deepEqual(predictApart(COST, 4), { perSecond: 20_000, processes: 6 }))

test('the table says whether each row holds, by the last of several numbers, and which was not measured', () => {
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
