import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import type { Place } from '../../deploy/ha/cluster.ts'

/** A server with its own network, in a network namespace of Linux. */
export interface Namespace extends Place {
  /** Applies rules of nftables to packets that the server receives and sends; without rules everything passes. */
  readonly filter: (rules?: { readonly received?: string; readonly sent?: string }) => void
}

export interface Namespaces {
  readonly all: readonly Namespace[]
  readonly stop: () => void
}

const PREFIX = '10.77.0'
/** The address of the gateways and HAProxy, which are on the other side of the servers' networks. */
export const GATEWAYS_ADDRESS = `${PREFIX}.1`
const INSIDE = 'CERTIFY_NETWORK'
const PROGRAMS = { ip: 'iproute2', nft: 'nftables', nsenter: 'util-linux', unshare: 'util-linux' }

/** Whether this process has a network that nothing else uses. */
export const hasOwnNetwork = (): boolean => process.env[INSIDE] !== undefined

/** Why this machine cannot have network namespaces; undefined if it can. */
export function whyNoNamespaces(): string | undefined {
  const missing = Object.entries(PROGRAMS).filter(([program]) => spawnSync('which', [program]).status !== 0)
  if (missing.length > 0) return `not installed: ${missing.map(([one, name]) => `${one} (Debian: ${name})`).join(', ')}`
  return spawnSync('unshare', ['--net', 'true']).status === 0 ? undefined : 'needs root'
}

/** Runs this program again in its own network, so that it cannot disturb the machine's. */
export async function runInOwnNetwork(): Promise<never> {
  const start = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...process.argv.slice(1)]
  const child = spawn('unshare', ['--net', ...start], { stdio: 'inherit', env: { ...process.env, [INSIDE]: 'yes' } })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exit(code ?? 1)
}

/** Connects namespaces by a bridge in this process's own network. */
export async function openNamespaces(count: number): Promise<Namespaces> {
  ip('link add name servers type bridge')
  ip(`address add ${GATEWAYS_ADDRESS}/24 dev servers`)
  ip('link set servers up')
  const holders: ChildProcess[] = []
  const all: Namespace[] = []
  const stop = (): void => {
    for (const holder of holders) holder.kill('SIGKILL')
  }
  process.once('exit', stop)
  for (let index = 0; index < count; index++) {
    const host = `${PREFIX}.${11 + index}`
    // The namespace exists as long as a process uses it.
    const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up; echo up; exec sleep infinity'])
    holders.push(holder)
    await once(holder.stdout, 'data')
    ip(`link add server-${index} master servers type veth peer name eth0 netns ${holder.pid}`)
    ip(`link set server-${index} up`)
    const enter = ['nsenter', `--net=/proc/${holder.pid}/ns/net`]
    const inside = (command: string, input = ''): void => {
      execFileSync('nsenter', [...enter.slice(1), ...command.split(' ')], { input })
    }
    inside(`ip address add ${host}/24 dev eth0`)
    inside('ip link set eth0 up')
    all.push({ host, enter, filter: (rules = {}) => inside('nft -f -', rulesetOf(rules)) })
  }
  return { all, stop }
}

const ip = (command: string): void => void execFileSync('ip', command.split(' '))

const rulesetOf = ({ received = '', sent = '' }): string => `
  flush ruleset
  table inet faults {
    chain received {
      type filter hook input priority 0
      ${received}
    }
    chain sent {
      type filter hook output priority 0
      ${sent}
    }
  }`
