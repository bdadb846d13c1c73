import assert from 'node:assert/strict'
import { certify } from '../../certify/certify.ts'
import { CLUSTER_SCENARIOS } from '../../certify/scenarios/cluster.ts'
import { startClusterSystem } from '../../certify/system/cluster.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { missingPrograms } from '../ha/cluster.ts'

const PLAYED = ['primary killed', 'gateway of a cluster killed']

slow(
  'no acknowledged payment is lost or duplicated when the primary or a gateway is killed',
  { skip: missingPrograms() ?? false },
  async (t) => {
    const { operations, violations } = await certify({
      start: startClusterSystem,
      scenarios: CLUSTER_SCENARIOS.filter(({ name }) => PLAYED.includes(name)),
      minutes: 0,
      seed: 1,
      say: (line) => t.diagnostic(line),
    })
    assert.ok((operations['pay']?.ok ?? 0) > 0 && (operations['transfer']?.ok ?? 0) > 0)
    assert.deepEqual(violations, [])
  },
)
