import assert from 'node:assert/strict'
import { slow } from '../../gateway/test/harness/slow.ts'
import { missingPrograms, startCluster } from '../ha/cluster.ts'
import { runFaults } from '../ha/faults.ts'

const FIRST_PORT = 15_500
const PAYMENTS_PER_SECOND = 10

slow(
  'no acknowledged payment is lost or doubled when the primary or a gateway is killed',
  {
    skip: missingPrograms() ?? false,
  },
  async (t) => {
    const cluster = await startCluster(FIRST_PORT)
    t.after(cluster.stop)
    const faults = ['primary killed', 'a gateway killed']
    const { acknowledged, lost, doubled } = await runFaults(cluster, faults, PAYMENTS_PER_SECOND, (row) =>
      t.diagnostic(row),
    )
    assert.ok(acknowledged.inits > 0 && acknowledged.credits > 0)
    assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 })
  },
)
