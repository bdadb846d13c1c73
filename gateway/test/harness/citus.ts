import pg from 'pg'
import { configureDatabase, distribute } from '../../src/core/shards/index.ts'
import { type Db, openDatabase } from '../../src/platform/postgres/db.ts'

/** Returns the URL of another database on the same server. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs queries one by one over their own connection. */
export async function runQueries(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const responses = []
    for (const statement of statements) responses.push(await client.query(statement))
    return responses.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

/** The servers of a database: the one at this URL and, if it is a Citus coordinator, its workers. */
export async function serversOf(url: string): Promise<readonly string[]> {
  const [citus] = await runQueries(url, `select from pg_extension where extname = 'citus'`)
  if (citus === undefined) return [url]
  const workers = await runQueries(
    url,
    'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid',
  )
  return [
    url,
    ...workers.map(({ nodename, nodeport }) => Object.assign(new URL(url), { host: `${nodename}:${nodeport}` }).href),
  ]
}

/** Whether any query of a database waits for a lock, on any of its servers. */
export async function isWaitingForLock(url: string): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (const server of await serversOf(url)) if ((await runQueries(server, waiting)).length > 0) return true
  return false
}

/** Joins a database on several servers into one cluster. */
export async function joinServers(servers: readonly string[], database: string): Promise<void> {
  for (const server of servers) await runQueries(urlOf(server, database), 'create extension citus')
  const [coordinator, ...workers] = servers.map((server) => new URL(server))
  await runQueries(
    urlOf(servers[0] as string, database),
    `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
  )
}

/** Distributes the merchants of a database over its servers. */
export const distributeAt = (url: string): Promise<void> => at(url, distribute)

async function at(url: string, work: (owner: Db) => Promise<void>): Promise<void> {
  const db = openDatabase(url, 1)
  await work(db).finally(db.end)
}

/** The template of an empty database. */
export const EMPTY = 'template0'

/** Clones a database on all servers, with the shard metadata of Citus in it. */
export async function cloneDatabase(servers: readonly string[], name: string, from: string, how = ''): Promise<void> {
  for (const server of servers) await runQueries(server, `create database ${name} template ${from} ${how}`)
  // A clone does not inherit this setting of `distribute`.
  if (servers.length > 1 && from !== EMPTY) await at(urlOf(servers[0] as string, name), configureDatabase)
}

/** Ends the maintenance connection of Citus to a database and allows no other, since it would block cloning. */
export async function stopMaintenance(servers: readonly string[], database: string): Promise<void> {
  for (const server of servers)
    await runQueries(
      server,
      `alter database ${database} with allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`,
    )
}
