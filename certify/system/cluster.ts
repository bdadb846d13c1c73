import pg from 'pg'
import { type Cluster, startCluster } from '../../deploy/ha/cluster.ts'
import type { Credentials } from './api.ts'
import { runKobo, type System, untilReady } from './system.ts'

const FIRST_PORT = 15_600
/** How long gateways may reject the primary before the test acts as the operator. */
const REJECTED_SECONDS_MAX = 60

/** Etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways on loopback. */
export interface ClusterSystem extends System {
  readonly cluster: Cluster
}

export async function startClusterSystem(): Promise<ClusterSystem> {
  const cluster = await startCluster(FIRST_PORT)
  const { nodes, primaryUrl, masterKey } = cluster
  const kobo: System['kobo'] = (...args) => runKobo({ DATABASE_URL: primaryUrl, KOBO_MASTER_KEY: masterKey }, ...args)
  return {
    cluster,
    gateways: nodes,
    databaseUrl: () => primaryUrl,
    credentials: JSON.parse(kobo('credentials')) as Credentials,
    untilReady: async () => {
      await cluster.untilHealthy()
      await untilReady(nodes, REJECTED_SECONDS_MAX).catch(() => acceptTimeline(primaryUrl))
      await untilReady(nodes)
    },
    kobo,
    stop: async () => cluster.stop(),
  }
}

/**
 * Without a watchdog, Patroni may go back to a former primary and discard the newer timeline. The gateways then reject
 * it until an operator accepts it, as `kobo database accept-timeline` does.
 */
async function acceptTimeline(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    insert into accepted_timeline (accepted_at, timeline, accepted_by)
    select now(), timeline_id, 'certify' from pg_control_checkpoint()`)
  await client.end()
}
