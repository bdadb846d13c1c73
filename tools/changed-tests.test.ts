import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testsOf } from './changed-tests.ts'

const ALL = [
  'gateway/test/features/cards/cards.test.ts',
  'gateway/test/features/refunds/refunds.test.ts',
  'gateway/test/core/election.test.ts',
  'web/test/card.test.ts',
  'tools/tidy.test.ts',
]

for (const [changed, tests] of [
  ['gateway/src/features/cards/routes.ts', ['gateway/test/features/cards/cards.test.ts']],
  ['gateway/src/core/election.ts', ['gateway/test/core/election.test.ts']],
  ['gateway/test/features/refunds/refunds.test.ts', ['gateway/test/features/refunds/refunds.test.ts']],
  ['web/checkout/main.tsx', ['web/test/card.test.ts']],
  ['tools/check.ts', ['tools/tidy.test.ts']],
  ['README.md', []],
] as const)
  test(`a change of ${changed} runs ${tests[0] ?? 'no test'}`, () => {
    assert.deepEqual(testsOf([changed], ALL), tests)
  })
