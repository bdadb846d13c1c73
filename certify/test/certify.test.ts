import assert from 'node:assert/strict'
import { slow } from '../../gateway/test/harness/slow.ts'
import { certify } from '../certify.ts'
import { SERVER_SCENARIOS } from '../scenarios/server.ts'
import { startServerSystem } from '../system/system.ts'

const PLAYED = [
  'all gateways killed',
  'database killed',
  'network cut for one gateway',
  'database restored to an earlier moment',
]

slow(
  'nothing is lost or duplicated while gateways, the database and its network fail, and a restore is noticed',
  async (t) => {
    const { rows, operations, violations } = await certify({
      start: startServerSystem,
      scenarios: SERVER_SCENARIOS.filter(({ name }) => PLAYED.includes(name)),
      minutes: 0,
      seed: 1,
      say: (line) => t.diagnostic(line),
    })
    assert.deepEqual(
      rows.map(({ scenario }) => scenario),
      PLAYED,
    )
    for (const kind of ['init', 'pay', 'transfer', 'readPayment', 'readTransfer', 'readBalance'])
      assert.ok((operations[kind]?.ok ?? 0) > 0, `no ${kind} succeeded`)
    assert.ok((operations['init']?.unknown ?? 0) + (operations['transfer']?.unknown ?? 0) > 0, 'no fault was noticed')
    assert.deepEqual(violations, [])
  },
)
