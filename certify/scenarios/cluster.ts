import { setTimeout as pause } from 'node:timers/promises'
import type { EtcdMember, Server } from '../../deploy/ha/cluster.ts'
import { signalAll } from '../../deploy/ha/processes.ts'
import type { ClusterSystem } from '../system/cluster.ts'
import { GATEWAYS_ADDRESS, hasOwnNetwork, type Namespace, whyNoNamespaces } from '../system/namespaces.ts'
import { between, frozen, pick, type Scenario, SECONDS, type Stage } from './scenario.ts'

type Play = Scenario<ClusterSystem>['play']

const FLAPS = 8

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

/** Kills members of etcd for a while. */
const killEtcd =
  (chosen: (stage: Stage<ClusterSystem>) => readonly EtcdMember[]): Play =>
  async (stage) => {
    const members = chosen(stage)
    signalAll(
      members.map(({ pid }) => pid()),
      'SIGKILL',
    )
    await pause(between(stage.random, 5, 25))
    for (const { start } of members) start()
  }

/** Breaks the primary's network for a while. */
const onPrimary =
  (fault: (network: Namespace, stage: Stage<ClusterSystem>) => Promise<void>): Play =>
  async (stage) => {
    const host = (await serverOf(stage, 'leader'))?.host
    const network = stage.system.networks.find((one) => one.host === host)
    if (network === undefined) throw new Error('There is no primary')
    await fault(network, stage)
    network.filter()
  }

const whyNoOwnNetwork = (): string | undefined =>
  hasOwnNetwork() ? undefined : (whyNoNamespaces() ?? 'runs on loopback')

type Rules = Parameters<Namespace['filter']>[0]

/** Drops packets that the primary receives or sends, if they match the rules. */
const cut = (rules: (network: Namespace, stage: Stage<ClusterSystem>) => Rules): Play =>
  onPrimary(async (network, stage) => {
    network.filter(rules(network, stage))
    await pause(between(stage.random, 15, 30))
  })

const othersOf = ({ host }: Namespace, { system: { networks } }: Stage<ClusterSystem>): string =>
  `{ ${networks.flatMap((one) => (one.host === host ? [] : one.host)).join()} }`

const NETWORK_SCENARIOS = (
  [
    {
      name: 'primary cut from the other servers',
      play: cut((network, stage) => ({
        received: `ip saddr ${othersOf(network, stage)} drop`,
        sent: `ip daddr ${othersOf(network, stage)} drop`,
      })),
    },
    { name: 'primary cut from everyone', play: cut(() => ({ received: 'iif eth0 drop', sent: 'oif eth0 drop' })) },
    {
      name: 'primary receives from the other servers and cannot send',
      play: cut((network, stage) => ({ sent: `ip daddr ${othersOf(network, stage)} drop` })),
    },
    {
      name: 'primary sends to the other servers and receives nothing',
      play: cut((network, stage) => ({ received: `ip saddr ${othersOf(network, stage)} drop` })),
    },
    {
      name: 'gateways cut from the primary',
      play: cut(() => ({ received: `ip saddr ${GATEWAYS_ADDRESS} drop`, sent: `ip daddr ${GATEWAYS_ADDRESS} drop` })),
    },
    {
      name: 'network of the primary flapping',
      play: onPrimary(async (network, { random }) => {
        for (let count = 0; count < FLAPS; count++) {
          network.filter({ received: 'iif eth0 drop', sent: 'oif eth0 drop' })
          await pause(between(random, 0.2, 4))
          network.filter()
          await pause(between(random, 0.2, 2))
        }
      }),
    },
    {
      name: '5 to 30 % of packets lost between all servers',
      play: async ({ system: { networks }, random }) => {
        const share = Math.round(between(random, 5, 30) / SECONDS)
        for (const { filter } of networks) filter({ received: `iif eth0 numgen random mod 100 < ${share} drop` })
        await pause(30 * SECONDS)
        for (const { filter } of networks) filter()
      },
    },
  ] satisfies readonly Scenario<ClusterSystem>[]
).map((scenario) => ({ ...scenario, whyNot: whyNoOwnNetwork }))

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
  { name: 'one member of etcd killed', play: killEtcd(({ system, random }) => [pick(random, system.cluster.etcd)]) },
  { name: 'majority of etcd killed', play: killEtcd(({ system }) => system.cluster.etcd.slice(1)) },
  {
    name: 'gateway of a cluster killed',
    play: async ({ system, random }) => signalAll([pick(random, system.gateways).pid()], 'SIGKILL'),
  },
  ...NETWORK_SCENARIOS,
]
