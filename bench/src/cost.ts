import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** What the machine has spent so far. */
export interface Spent {
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
  readonly walBytes: number
}

export interface CostMeter {
  /** Undefined where the system does not tell the time of processes as Linux does. */
  readonly spent: (gatewayProcess: number) => Promise<Spent | undefined>
  readonly close: () => Promise<void>
}

const MICROSECONDS_A_TICK = 10_000
/** Places in /proc/PID/stat, counted from behind the name, which may contain anything. */
const PARENT = 1
const USER_TICKS = 11
const SYSTEM_TICKS = 12

const statOf = (processId: number | string): readonly string[] => {
  const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
const microsecondsOf = (stat: readonly string[]): number =>
  (Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) * MICROSECONDS_A_TICK

/** Reads what processes of the gateway and of PostgreSQL have cost, so that two versions can be told apart on a busy machine. */
export async function openCostMeter(databaseUrl: string): Promise<CostMeter> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // what asks next fails and tells
  await client.connect()
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  const server = tried(() => Number(statOf(rows[0]?.backend ?? 0)[PARENT]))
  const walBytes = async (): Promise<number> =>
    Number((await client.query(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`)).rows[0].bytes)
  return {
    spent: async (gatewayProcess) => {
      const gatewayMicroseconds = tried(() => microsecondsOf(statOf(gatewayProcess)))
      return gatewayMicroseconds === undefined || server === undefined
        ? undefined
        : { gatewayMicroseconds, postgresMicroseconds: serverMicroseconds(server), walBytes: await walBytes() }
    },
    close: () => client.end(),
  }
}

/** The time of all processes of a server: they are children of its first. */
function serverMicroseconds(server: number): number {
  let sum = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? tried(() => statOf(name)) : undefined
    if (stat !== undefined && Number(stat[PARENT]) === server) sum += microsecondsOf(stat)
  }
  return sum
}

/** A process may end while it is looked at. */
function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
