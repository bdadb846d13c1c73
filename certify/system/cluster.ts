import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Cluster, type Node, startCluster } from '../../deploy/ha/cluster.ts'
import type { Credentials } from './api.ts'
import { hasOwnNetwork, type Namespace, openNamespaces } from './namespaces.ts'
import { runKobo, type System, untilReady } from './system.ts'

const SERVERS = 3
const FIRST_PORT = 15_600
/** The words in a gateway's health report that show that it rejects the database server. */
const REJECTED = 'must not be used'
/** How long gateways may reject the primary before the test acts as the operator. */
const REJECTED_SECONDS_MAX = 60
const UNHEALTHY_SECONDS_MAX = 120

/** Three members of etcd, three PostgreSQL servers with Patroni, HAProxy and two gateways. */
export interface ClusterSystem extends System {
  readonly cluster: Cluster
  /** The networks of the servers; without them everything is on loopback. */
  readonly networks: readonly Namespace[]
}

export async function startClusterSystem(): Promise<ClusterSystem> {
  const networks = hasOwnNetwork() ? await openNamespaces(SERVERS) : undefined
  const cluster = await startCluster(FIRST_PORT, networks?.all)
  const { nodes, primaryUrl, masterKey } = cluster
  const notes: string[] = []
  const kobo: System['kobo'] = (...args) => runKobo({ DATABASE_URL: primaryUrl, KOBO_MASTER_KEY: masterKey }, ...args)
  return {
    cluster,
    networks: networks?.all ?? [],
    gateways: nodes,
    notes,
    databaseUrl: () => primaryUrl,
    credentials: JSON.parse(await kobo('credentials')) as Credentials,
    untilReady: async () => {
      await cluster.untilHealthy(UNHEALTHY_SECONDS_MAX).catch(async () => {
        notes.push(...(await cluster.repair()))
      })
      await cluster.untilHealthy()
      await untilReady(nodes, REJECTED_SECONDS_MAX).catch(async ({ message }: Error) => {
        if (message.includes(REJECTED)) notes.push(await acceptPrimary(cluster))
      })
      await untilReady(nodes)
    },
    kobo,
    stop: async () => {
      cluster.stop()
      networks?.stop()
    },
  }
}

/**
 * Accepts the primary as `kobo database accept-timeline` does. Without a watchdog, Patroni may go back to a former
 * primary and discard the newer timeline, and gateways reject that server. Returns a note for the report.
 */
async function acceptPrimary({ primaryUrl, nodes }: Cluster): Promise<string> {
  const client = new pg.Client(primaryUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ timeline: number }>(`
      select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline`)
    const { timeline = 0 } = rows[0] ?? {}
    const newest = Math.max(...nodes.map(newestTimeline))
    await client.query(
      `insert into accepted_timeline (accepted_at, timeline, accepted_by) values (now(), $1, 'certify')`,
      [timeline],
    )
    const what = newest > timeline ? `went back from timeline ${newest} to` : 'discarded acknowledged work on'
    return `Patroni ${what} timeline ${timeline}. The gateways did not use that server until an operator accepted it.`
  } finally {
    await client.end()
  }
}

/** The newest timeline that a gateway has stored. */
function newestTimeline({ dataFolder }: Node): number {
  const stored = JSON.parse(readFileSync(join(dataFolder, 'database-timeline.json'), 'utf8')) as { timeline: number }[]
  return Math.max(...stored.map(({ timeline }) => timeline))
}
