import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { signalAll, until } from '../../deploy/ha/processes.ts'
import { extractPreviousVersion, PREVIOUS_VERSION } from '../../gateway/test/harness/previous-version.ts'
import { ROOT } from '../system/process.ts'
import type { Behaviour } from '../system/receiver.ts'
import { type Gateway, queryRows, type ServerSystem } from '../system/system.ts'
import { restoreDamaged, restoreDatabase } from './restore.ts'
import { between, frozen, pick, type Scenario, SECONDS, type Stage } from './scenario.ts'

type ServerStage = Stage<ServerSystem>
type Play = Scenario<ServerSystem>['play']

const FLAPS = 10
const HOUR_SECONDS = 3_600
/** Each step is a tenth of a second, so that the last steps are beyond the limit of two seconds. */
const DRIFT_STEPS = 30

const someGateway = ({ system, random }: ServerStage): Gateway => pick(random, system.gateways)

async function restartDatabase({ system: { database } }: ServerStage): Promise<void> {
  signalAll(database.processes(), 'SIGKILL')
  await database.start()
}

/** Breaks the connection of one gateway, or of all, for a while. */
const onNetwork =
  (fault: (gateway: Gateway, stage: ServerStage) => Promise<void>, isForAll = false): Play =>
  async (stage) => {
    const gateways = isForAll ? stage.system.gateways : [someGateway(stage)]
    await Promise.all(gateways.map((gateway) => fault(gateway, stage)))
    for (const { network } of gateways) network.repair()
  }

const cut = async ({ network }: Gateway, { random }: ServerStage): Promise<void> => {
  network.cut()
  await pause(between(random, 5, 15))
}

const flap = async ({ network }: Gateway, { random }: ServerStage): Promise<void> => {
  for (let count = 0; count < FLAPS; count++) {
    network.cut()
    await pause(between(random, 0.1, 1))
    network.repair()
    await pause(between(random, 0.1, 1))
  }
}

/**
 * Injects faults into system calls of the database's processes, for a while and until at least one call was hit. Needs
 * the permission to trace these processes.
 */
const traced =
  (injection: string, seconds: number): Play =>
  async ({ system: { database } }) => {
    const pids = database.processes().flatMap((pid) => ['-p', String(pid)])
    const call = injection.slice(0, injection.indexOf(':'))
    const tracer = spawn('strace', ['-f', '-q', '-e', `trace=${call}`, '-e', `inject=${injection}`, ...pids], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let isHit = false
    tracer.stderr.on('data', (lines: Buffer) => {
      isHit ||= /INJECTED|DELAYED/.test(String(lines))
    })
    await pause(seconds * SECONDS)
    await until('a system call was hit', () => isHit)
    await ended(tracer)
    // An error while the write-ahead log is written ends the server, which recovers on its own or is restarted.
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

/** How webhook endpoints fail: errors, broken connections, slow responses. */
const BEHAVIOURS: readonly Behaviour[] = [
  (response) => void response.writeHead(500).end(),
  (response) => void response.socket?.destroy(),
  (response) => void setTimeout(() => response.end(), 3 * SECONDS),
  (response) => void response.writeHead(200).end('x'.repeat(1_000_000)),
  (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
]

async function misbehave({ receiver, random }: ServerStage): Promise<void> {
  receiver.behave((response) => pick(random, BEHAVIOURS)(response))
  await pause(15 * SECONDS)
  receiver.behave()
}

async function jumpClock(stage: ServerStage): Promise<void> {
  const gateway = someGateway(stage)
  gateway.setClock(pick(stage.random, [-HOUR_SECONDS, HOUR_SECONDS]))
  await pause(15 * SECONDS)
  gateway.setClock(0)
}

/** Moves a gateway's clock back and forth within the tolerated limit, as a bad NTP server does. */
async function jiggleClock(stage: ServerStage): Promise<void> {
  const gateway = someGateway(stage)
  for (let count = 0; count < FLAPS; count++) {
    gateway.setClock(between(stage.random, -1.5, 1.5) / SECONDS)
    await pause(SECONDS)
  }
  gateway.setClock(0)
}

/** Makes the bank misreport a few transfers in each way, such as paying a transfer that it then reports as failed. */
async function lie({ system: { bank, kobo } }: ServerStage): Promise<void> {
  const [operation, times, every] = ['transfer/send', LIES, 5]
  await bank.inject('forgetful', { operation, times, every })
  await bank.inject('lost answer', { operation, times, every })
  await bank.inject('hasty no', { operation, times })
  await bank.inject('wrong amount', { operation, times, every: every + 1 })
  await bank.inject('same names', { operation, times, every: every + 2 })
  await pause(20 * SECONDS)
  await bank.repair()
  const sessions = new Map(bank.transfers().map(({ reference, sessionId }) => [reference, sessionId]))
  for (const { reference, state } of JSON.parse(await kobo('orders', 'list')) as Unresolved[])
    for (const by of state === 'UNRESOLVED' ? ['Ada', 'Bayo'] : [])
      await kobo(
        ...['orders', 'resolve', reference, '--as', 'succeeded', '--because', 'The bank has paid', '--by', by],
        ...['--detail', `sessionId=${sessions.get(reference)}`],
      )
}

const LIES = 3

interface Unresolved {
  readonly reference: string
  readonly state: string
}

/** Makes a bank answer late, as a grey failure. */
async function slowDown({ system: { bank } }: ServerStage): Promise<void> {
  await bank.inject('delay', { milliseconds: 5_000 })
  await pause(20 * SECONDS)
  await bank.repair()
}

/** Moves a clock slowly beyond the limit at which a gateway stops serving. */
async function driftClock(stage: ServerStage): Promise<void> {
  const gateway = someGateway(stage)
  const sign = pick(stage.random, [-1, 1])
  for (let step = 0; step < DRIFT_STEPS; step++) {
    gateway.setClock((sign * step) / 10)
    await pause(SECONDS / 2)
  }
  gateway.setClock(0)
}

/** Makes every write to one gateway's log fail, as on a full disk. */
async function fillLog(stage: ServerStage): Promise<void> {
  const gateway = someGateway(stage)
  await gateway.restart({ output: '/dev/full', env: { LOG_LEVEL: 'trace' } })
  await pause(15 * SECONDS)
  await gateway.restart({ output: '/dev/null', env: {} })
}

/** Makes archiving fail while WAL is written, as on a full disk. */
async function fillArchive({ system: { database } }: ServerStage): Promise<void> {
  const archived = async (): Promise<number> =>
    Number((await queryRows(database.url(), 'select archived_count from pg_stat_archiver'))[0]?.['archived_count'])
  database.setArchiveFull(true)
  for (let count = 0; count < FLAPS; count++) {
    await queryRows(database.url(), 'select pg_switch_wal()')
    await pause(SECONDS)
  }
  database.setArchiveFull(false)
  const before = await archived()
  await until('archiving continues', async () => (await archived()) >= before + FLAPS)
}

let previous: Promise<string> | undefined

const whyNoPrevious = (): string | undefined =>
  spawnSync('git', ['cat-file', '-e', `${PREVIOUS_VERSION}^{commit}`], { cwd: ROOT }).status === 0
    ? undefined
    : `this clone has no history with ${PREVIOUS_VERSION} in it`

/** Replaces the gateways one by one with the previous version, kills one of them, and goes back to this version. */
async function exchangeVersions({ system: { gateways }, random }: ServerStage): Promise<void> {
  previous ??= extractPreviousVersion()
  const main = await previous
  for (const gateway of gateways) {
    await gateway.restart({ main })
    await pause(5 * SECONDS)
  }
  signalAll([pick(random, gateways).pid()], 'SIGKILL')
  await pause(5 * SECONDS)
  for (const gateway of gateways) {
    await gateway.restart({ main: 'gateway/src/main.ts' }, pick(random, ['SIGTERM', 'SIGKILL']))
    await pause(5 * SECONDS)
  }
}

/** Faults of two gateways and one database server. */
export const SERVER_SCENARIOS: readonly Scenario<ServerSystem>[] = [
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
  { name: 'disk write errors', needs: STRACE, play: traced('fdatasync:error=EIO:when=2', 5) },
  { name: 'disk full', needs: STRACE, play: traced('pwrite64:error=ENOSPC:when=5+', 5) },
  { name: 'clock an hour wrong', needs: ['faketime', 'faketime'], play: jumpClock },
  { name: 'clock jumping back and forth', needs: ['faketime', 'faketime'], play: jiggleClock },
  { name: 'clock drifting', needs: ['faketime', 'faketime'], play: driftClock },
  { name: 'disk of the log full', play: fillLog },
  { name: 'disk of the archive full', play: fillArchive },
  { name: 'webhook endpoint misbehaves', play: misbehave },
  { name: 'connector killed', play: async ({ system: { bank } }) => signalAll([bank.pid()], 'SIGKILL') },
  { name: 'connector frozen', play: ({ system: { bank }, random }) => frozen([bank.pid()], between(random, 5, 60)) },
  { name: 'slow partner', play: slowDown },
  { name: 'lying partner', play: lie },
  { name: 'upgrade and rollback', whyNot: whyNoPrevious, play: exchangeVersions },
  { name: 'database restored to an earlier moment', isAlone: true, play: restoreDatabase },
  { name: 'bit rot in a backup and in its archive', isAlone: true, play: restoreDamaged },
]
