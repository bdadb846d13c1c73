import assert from 'node:assert/strict'
import { readCredentials } from '../../src/features/sandbox/index.ts'
import { addMerchant } from '../harness/gateway.ts'
import type { Node } from './nodes.ts'
import type { SimulatedShop } from './scene.ts'

/** A new merchant at a node. */
export async function newShop({ running, url }: Pick<Node, 'running' | 'url'>): Promise<SimulatedShop> {
  const { core } = running
  const id = await addMerchant(running)
  const credentials = await readCredentials(core, url, (await core.directory.byId(id))?.code)
  assert.ok(credentials !== undefined)
  return {
    id,
    credentials,
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
