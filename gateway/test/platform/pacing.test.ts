import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteRequest, openPace } from '../../src/platform/pacing.ts'

test('long work goes on at once where nobody comes, and makes room where somebody has', async () => {
  const pauses: number[] = []
  const letOthersGo = openPace(async (milliseconds) => void pauses.push(milliseconds))
  await letOthersGo(4)
  assert.deepEqual(pauses, [])

  noteRequest()
  await letOthersGo(4)
  assert.deepEqual(pauses, [100])
  noteRequest()
  await letOthersGo(4_000)
  assert.deepEqual(pauses, [100, 1_000], 'however busy it is, work goes on')
})
