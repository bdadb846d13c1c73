import { type Cluster, startCluster } from '../../deploy/ha/cluster.ts'
import type { Credentials } from './api.ts'
import { runKobo, type System, untilReady } from './system.ts'

const FIRST_PORT = 15_600

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
      await untilReady(nodes)
    },
    kobo,
    stop: async () => cluster.stop(),
  }
}
