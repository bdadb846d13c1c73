import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@kobo/gateway/features/sandbox/history/random.ts'
import type { Behaviour, Receiver } from './system/receiver.ts'
import { type Gateway, type System, signalAll, until } from './system/system.ts'

export interface Stage {
  readonly system: System
  readonly receiver: Receiver
  readonly random: Random
}

/** A fault. It is repaired when this resolves. */
export interface Scenario {
  readonly name: string
  /** The program that it needs, and its Debian package. */
  readonly needs?: readonly [program: string, packageName: string]
  readonly play: (stage: Stage) => Promise<void>
}

const SECONDS = 1_000
const FLAPS = 10

/** One of several, at random. */
export const pick = <One>(random: Random, all: readonly One[]): One => random.of(all as [One, ...One[]])

const someGateway = ({ system, random }: Stage): Gateway => pick(random, system.gateways)

/** A time between two bounds, in milliseconds. */
const between = (random: Random, least: number, most: number): number =>
  (least + random.part() * (most - least)) * SECONDS

async function frozen(pids: readonly number[], milliseconds: number): Promise<void> {
  signalAll(pids, 'SIGSTOP')
  await pause(milliseconds)
  signalAll(pids, 'SIGCONT')
}

async function restartDatabase({ system: { database } }: Stage): Promise<void> {
  signalAll(database.processes(), 'SIGKILL')
  await database.start()
}

/** Breaks the connection of one gateway, or of all, for a while. */
const onNetwork =
  (fault: (gateway: Gateway, stage: Stage) => Promise<void>, isForAll = false): Scenario['play'] =>
  async (stage) => {
    const gateways = isForAll ? stage.system.gateways : [someGateway(stage)]
    await Promise.all(gateways.map((gateway) => fault(gateway, stage)))
    for (const { network } of gateways) network.repair()
  }

const cut = async ({ network }: Gateway, { random }: Stage): Promise<void> => {
  network.cut()
  await pause(between(random, 5, 15))
}

const flap = async ({ network }: Gateway, { random }: Stage): Promise<void> => {
  for (let count = 0; count < FLAPS; count++) {
    network.cut()
    await pause(between(random, 0.1, 1))
    network.repair()
    await pause(between(random, 0.1, 1))
  }
}

/** Injects faults into system calls of the database's processes for a while. Needs permission to trace them. */
const traced =
  (injection: string, seconds: number): Scenario['play'] =>
  async ({ system: { database } }) => {
    const pids = database.processes().flatMap((pid) => ['-p', String(pid)])
    const call = injection.slice(0, injection.indexOf(':'))
    const tracer = spawn(
      'strace',
      ['-f', '-q', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${injection}`, ...pids],
      {
        stdio: 'ignore',
      },
    )
    await pause(seconds * SECONDS)
    await ended(tracer)
    // An error while the log is written ends the server, which recovers by itself or is started again.
    await until('the database is back', async () => {
      await database.start()
      return true
    })
  }

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  await exit
}

const STRACE = ['strace', 'strace'] as const

/** Webhook endpoints that fail in every way that endpoints do. */
const BEHAVIOURS: readonly Behaviour[] = [
  (response) => void response.writeHead(500).end(),
  (response) => void response.socket?.destroy(),
  (response) => void setTimeout(() => response.end(), 3 * SECONDS),
  (response) => void response.writeHead(200).end('x'.repeat(1_000_000)),
  (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
]

async function misbehave({ receiver, random }: Stage): Promise<void> {
  receiver.behave((response) => pick(random, BEHAVIOURS)(response))
  await pause(15 * SECONDS)
  receiver.behave()
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'gateway killed', play: async (stage) => signalAll([someGateway(stage).pid()], 'SIGKILL') },
  {
    name: 'all gateways killed',
    play: async ({ system }) =>
      signalAll(
        system.gateways.map(({ pid }) => pid()),
        'SIGKILL',
      ),
  },
  { name: 'gateway frozen', play: (stage) => frozen([someGateway(stage).pid()], between(stage.random, 5, 90)) },
  { name: 'database killed', play: restartDatabase },
  {
    name: 'database frozen',
    play: ({ system, random }) => frozen(system.database.processes(), between(random, 5, 40)),
  },
  { name: 'network cut for one gateway', play: onNetwork(cut) },
  { name: 'network cut for all gateways', play: onNetwork(cut, true) },
  { name: 'network flapping', play: onNetwork(flap) },
  {
    name: 'network silent',
    play: onNetwork(async ({ network }, { random }) => {
      network.silence(['to the database', 'from the database'])
      await pause(between(random, 5, 30))
    }),
  },
  {
    name: 'network silent in one direction',
    play: onNetwork(async ({ network }, { random }) => {
      network.silence([pick(random, ['to the database', 'from the database'])])
      await pause(between(random, 5, 30))
    }),
  },
  {
    name: 'slow network',
    play: onNetwork(async ({ network }) => {
      network.delay(100)
      await pause(15 * SECONDS)
    }, true),
  },
  { name: 'slow disk', needs: STRACE, play: traced('fdatasync:delay_enter=200000', 15) },
  { name: 'disk write errors', needs: STRACE, play: traced('fdatasync:error=EIO:when=20', 5) },
  { name: 'disk full', needs: STRACE, play: traced('pwrite64:error=ENOSPC:when=50+', 5) },
  { name: 'webhook endpoint misbehaves', play: misbehave },
]

/** The program that a scenario needs and that is not installed. */
export const missingFor = ({ needs }: Scenario): string | undefined =>
  needs === undefined || spawnSync('which', [needs[0]]).status === 0
    ? undefined
    : `${needs[0]} is not installed (Debian: ${needs[1]})`

/** Two scenarios at once. */
export const together = (one: Scenario, other: Scenario): Scenario => ({
  name: `${one.name} + ${other.name}`,
  play: async (stage) => {
    await Promise.all([one.play(stage), other.play(stage)])
  },
})
