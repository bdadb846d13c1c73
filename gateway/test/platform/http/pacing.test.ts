import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteRequest, openPace } from '../../../src/platform/http/pacing.ts'

test('long work runs at full speed when idle, and yields to each request that arrives', async () => {
  const pauses: number[] = []
  const letOthersGo = openPace(async (milliseconds) => void pauses.push(milliseconds))
  await letOthersGo()
  assert.deepEqual(pauses, [], 'no request arrived')

  for (let i = 0; i < 5; i++) noteRequest()
  await letOthersGo()
  assert.deepEqual(pauses, [10])
  await letOthersGo()
  assert.deepEqual(pauses, [10], 'no request arrived since')
  for (let i = 0; i < 10_000; i++) noteRequest()
  await letOthersGo()
  assert.deepEqual(pauses, [10, 500], 'however busy it is, work continues')
})
