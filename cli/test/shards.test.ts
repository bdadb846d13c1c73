import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDatabase, aGateway } from './commands.ts'

test('how merchants are spread is shown; a PostgreSQL without Citus, or one that is in use, is left as it is', async (t) => {
  const alone = await aDatabase(t)
  const spread = await alone.prints('shards', 'status')
  if (spread.isSpread) assert.deepEqual(spread.notPlaced, [], 'a cluster of the tests is made by the same command')
  else await alone.misused([/no Citus coordinator/, 'shards', 'distribute'])
  const beside = await aGateway(t)
  await beside.misused([/1 processes of Kobo use this database/, 'shards', 'distribute'])
  assert.deepEqual(await alone.prints('shards', 'status'), spread)
})
