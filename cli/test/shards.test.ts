import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDatabase, aGateway } from './commands.ts'

test('shards status shows the distribution; shards distribute rejects a database without Citus or in use', async (t) => {
  const alone = await aDatabase(t)
  const spread = await alone.prints('shards', 'status')
  if (spread.isSpread) assert.deepEqual(spread.notPlaced, [], 'a cluster of the tests is made by the same command')
  else await alone.misused([/not a Citus coordinator/, 'shards', 'distribute'])
  const beside = await aGateway(t)
  await beside.misused([/1 Kobo processes are using this database/, 'shards', 'distribute'])
  assert.deepEqual(await alone.prints('shards', 'status'), spread)
})
