import pg from 'pg'
import { distribute, settleDatabase } from '../../src/core/shards/index.ts'
import { type Db, openDatabase } from '../../src/platform/db.ts'

/** The same address at another database. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements one by one, over a connection of their own. */
export async function runAt(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const answers = []
    for (const statement of statements) answers.push(await client.query(statement))
    return answers.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

/** The servers that a database is on: the one at this address; where that is a Citus coordinator, its workers too. */
export async function serversOf(url: string): Promise<readonly string[]> {
  const [citus] = await runAt(url, `select from pg_extension where extname = 'citus'`)
  if (citus === undefined) return [url]
  const workers = await runAt(url, 'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid')
  return [
    url,
    ...workers.map(({ nodename, nodeport }) => Object.assign(new URL(url), { host: `${nodename}:${nodeport}` }).href),
  ]
}

/** Whether somebody waits for a lock in a database, on whichever of its servers. */
export async function somebodyWaits(url: string): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (const server of await serversOf(url)) if ((await runAt(server, waiting)).length > 0) return true
  return false
}

/** Makes one cluster of a database that is on several servers. */
export async function joinServers(servers: readonly string[], database: string): Promise<void> {
  for (const server of servers) await runAt(urlOf(server, database), 'create extension citus')
  const [coordinator, ...workers] = servers.map((server) => new URL(server))
  await runAt(
    urlOf(servers[0] as string, database),
    `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
  )
}

/** Spreads the merchants of a database over its servers. */
export const distributeAt = (url: string): Promise<void> => at(url, distribute)

async function at(url: string, work: (owner: Db) => Promise<void>): Promise<void> {
  const db = openDatabase(url, 1)
  await work(db).finally(db.end)
}

/** The template of a database with nothing in it. */
export const EMPTY = 'template0'

/** Makes a database on all servers, like another: what Citus knows of its shards is in it, and so is cloned too. */
export async function cloneDatabase(servers: readonly string[], name: string, from: string, how = ''): Promise<void> {
  for (const server of servers) await runAt(server, `create database ${name} template ${from} ${how}`)
  // As `distribute` has it, which a clone does not take over.
  if (servers.length > 1 && from !== EMPTY) await at(urlOf(servers[0] as string, name), settleDatabase)
}

/** Ends the connection by which Citus looks after a database, and allows no other: with one, it could not be cloned. */
export async function leaveAlone(servers: readonly string[], database: string): Promise<void> {
  for (const server of servers)
    await runAt(
      server,
      `alter database ${database} with allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`,
    )
}
