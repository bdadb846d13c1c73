import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { noteRequest, openPace } from '../../src/platform/pacing.ts'

test('long work goes on at once where nobody comes, and makes room where somebody has', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] }) // whoever waits, waits for a tick
  const letOthersGo = openPace()
  await letOthersGo(4)

  noteRequest()
  let isOn = false
  const waiting = letOthersGo(4).then(() => (isOn = true))
  t.mock.timers.tick(99)
  await turn()
  assert.equal(isOn, false)
  t.mock.timers.tick(1)
  await waiting
})
