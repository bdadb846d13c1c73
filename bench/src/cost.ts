import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import pg from 'pg'

/** Resources used so far. */
export interface Spent {
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
  /** The processor time of this process, which sends the requests. */
  readonly loadMicroseconds: number
  readonly walBytes: number
}

export interface Stored {
  readonly table: string
  readonly tableBytes: number
  readonly indexBytes: number
}

export interface CostMeter {
  /** Undefined if the system has no `/proc` with process times, as Linux has. */
  readonly spent: (gatewayProcess: number) => Promise<Spent | undefined>
  /** The sizes of each table and of its indexes. */
  readonly stored: () => Promise<readonly Stored[]>
  readonly close: () => Promise<void>
}

const MICROSECONDS_A_TICK = 10_000
/** Positions of fields in /proc/PID/stat after the process name, which may contain spaces. */
const PARENT = 1
const USER_TICKS = 11
const SYSTEM_TICKS = 12

const statOf = (processId: number | string): readonly string[] => {
  const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
const microsecondsOf = (stat: readonly string[]): number =>
  (Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) * MICROSECONDS_A_TICK

/** Measures the processor time of gateway and PostgreSQL, to compare versions on a busy machine. */
export async function openCostMeter(databaseUrl: string): Promise<CostMeter> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // the next query reports it
  await client.connect()
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  const server = tried(() => Number(statOf(rows[0]?.backend ?? 0)[PARENT]))
  const walBytes = async (): Promise<number> =>
    Number((await client.query(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`)).rows[0].bytes)
  return {
    spent: async (gatewayProcess) => {
      const own = tried(() => microsecondsOf(statOf(gatewayProcess)))
      if (own === undefined || server === undefined) return undefined
      const { user, system } = process.cpuUsage()
      return {
        gatewayMicroseconds: own + childrenMicroseconds(gatewayProcess),
        postgresMicroseconds: childrenMicroseconds(server),
        loadMicroseconds: user + system,
        walBytes: await walBytes(),
      }
    },
    stored: async () => {
      const { rows: sizes } = await client.query<Readonly<Record<keyof Stored, string>>>(
        `select c.relname as table, sum(pg_table_size(part)) as "tableBytes", sum(pg_indexes_size(part)) as "indexBytes"
           from pg_class c
          cross join lateral (select c.oid as part where c.relkind = 'r'
                              union all select relid::oid from pg_partition_tree(c.oid) where c.relkind = 'p' and isleaf) p
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
          group by c.relname`,
      )
      return sizes.map(({ table, tableBytes, indexBytes }) => ({
        table,
        tableBytes: Number(tableBytes),
        indexBytes: Number(indexBytes),
      }))
    },
    close: () => client.end(),
  }
}

/** Returns the processor time of a process's running children, such as the backends of a PostgreSQL server. */
function childrenMicroseconds(parent: number): number {
  let sum = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? tried(() => statOf(name)) : undefined
    if (stat !== undefined && Number(stat[PARENT]) === parent) sum += microsecondsOf(stat)
  }
  return sum
}

/** Returns the result, or undefined if the process has ended or there is no `/proc`. */
function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Returns the cost of one request, from the totals before and after all requests. */
export const costOf = (before: Spent | undefined, after: Spent | undefined, requests: number): Spent | undefined =>
  before && after && requests > 0
    ? {
        gatewayMicroseconds: (after.gatewayMicroseconds - before.gatewayMicroseconds) / requests,
        postgresMicroseconds: (after.postgresMicroseconds - before.postgresMicroseconds) / requests,
        loadMicroseconds: (after.loadMicroseconds - before.loadMicroseconds) / requests,
        walBytes: (after.walBytes - before.walBytes) / requests,
      }
    : undefined
