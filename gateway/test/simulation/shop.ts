import assert from 'node:assert/strict'
import { readCredentials } from '../../src/features/sandbox/index.ts'
import { DatabaseUnavailable } from '../../src/platform/postgres/connection-loss.ts'
import { addMerchant } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'
import type { Node } from './nodes.ts'
import type { SimulatedShop } from './scene.ts'

/** Adds a merchant. Retries if a busy machine provides no connection in time, because then nothing was sent. */
async function addToNode({
  running,
  url,
}: Pick<Node, 'running' | 'url'>): Promise<Pick<SimulatedShop, 'id' | 'credentials'>> {
  const { core } = running
  let added: Pick<SimulatedShop, 'id' | 'credentials'> | undefined
  await until('a merchant is added', async () => {
    try {
      const id = await addMerchant(running)
      const credentials = await readCredentials(core, url, (await core.directory.byId(id))?.code)
      assert.ok(credentials !== undefined)
      added = { id, credentials }
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    return added !== undefined
  })
  return added ?? assert.fail('a merchant is added')
}

/** A new merchant at a node. */
export async function newShop(node: Pick<Node, 'running' | 'url'>): Promise<SimulatedShop> {
  return {
    ...(await addToNode(node)),
    subAccounts: [],
    payables: [],
    transactions: [],
    paid: [],
    cardTokens: [],
    mandates: [],
    paycodes: [],
    tokens: new Map(),
    acknowledged: [],
    isClosed: false,
  }
}
