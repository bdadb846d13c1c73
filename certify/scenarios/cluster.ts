import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '../../deploy/ha/cluster.ts'
import type { ClusterSystem } from '../system/cluster.ts'
import { signalAll } from '../system/system.ts'
import { between, frozen, pick, type Scenario, SECONDS, type Stage } from './scenario.ts'

type Play = Scenario<ClusterSystem>['play']

async function serverOf({ system: { cluster } }: Stage<ClusterSystem>, role: string): Promise<Server | undefined> {
  const name = (await cluster.roles()).find((member) => member.role === role)?.name
  return cluster.servers.find((server) => server.name === name)
}

/** Kills a server, and starts it again when another has taken over. */
const kill =
  (role: string): Play =>
  async (stage) => {
    const server = await serverOf(stage, role)
    signalAll(server?.processes() ?? [], 'SIGKILL')
    await pause(25 * SECONDS)
    server?.start()
  }

/** Faults of two gateways and three database servers with failover. */
export const CLUSTER_SCENARIOS: readonly Scenario<ClusterSystem>[] = [
  { name: 'primary killed', play: kill('leader') },
  { name: 'synchronous standby killed', play: kill('sync_standby') },
  {
    name: 'primary frozen',
    play: async (stage) => frozen((await serverOf(stage, 'leader'))?.processes() ?? [], between(stage.random, 15, 40)),
  },
  {
    name: 'Patroni frozen on the primary, without a watchdog',
    play: async (stage) => {
      const agent = (await serverOf(stage, 'leader'))?.agent() ?? 0
      await frozen([agent], between(stage.random, 15, 40))
    },
  },
  {
    name: 'switchover',
    play: async (stage) => {
      const leader = await serverOf(stage, 'leader')
      await stage.system.cluster.switchOver(leader?.name ?? '')
      await pause(10 * SECONDS)
    },
  },
  {
    name: 'etcd killed',
    play: async ({ system: { cluster }, random }) => {
      signalAll([cluster.etcd.pid()], 'SIGKILL')
      await pause(between(random, 5, 25))
      cluster.etcd.start()
    },
  },
  {
    name: 'gateway of a cluster killed',
    play: async ({ system, random }) => signalAll([pick(random, system.gateways).pid()], 'SIGKILL'),
  },
]
