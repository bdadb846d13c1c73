import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteRequest, openPace } from '../../src/platform/pacing.ts'

test('long work goes on at once where nobody comes, and makes room for each that came', async () => {
  const pauses: number[] = []
  const letOthersGo = openPace(async (milliseconds) => void pauses.push(milliseconds))
  await letOthersGo()
  assert.deepEqual(pauses, [], 'nobody came')

  for (let i = 0; i < 5; i++) noteRequest()
  await letOthersGo()
  assert.deepEqual(pauses, [2])
  await letOthersGo()
  assert.deepEqual(pauses, [2], 'nobody came since')
  for (let i = 0; i < 10_000; i++) noteRequest()
  await letOthersGo()
  assert.deepEqual(pauses, [2, 250], 'however busy it is, work goes on')
})
