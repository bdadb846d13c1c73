// Reads the resources of a test process, one per line, and removes them when that process has ended.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { CLUSTER, findHome } from '../../src/platform/postgres/embedded/home.ts'
import { readLock, runs } from '../../src/platform/postgres/embedded/lock.ts'
import type { Leftover } from './clear-up.ts'
import { until } from './until.ts'

const REMOVE_TRIES_MAX = 10

const folders: string[] = []
const programs = new Map<number, Extract<Leftover, { readonly argument: string }>>()
const databases: { readonly serverUrl: string; readonly prefix: string }[] = []

for await (const line of createInterface({ input: process.stdin })) {
  const leftover = JSON.parse(line) as Leftover
  switch (leftover.kind) {
    case 'folder':
      folders.push(leftover.path)
      break
    case 'program':
    case 'group':
      programs.set(leftover.pid, leftover)
      break
    case 'ended':
      programs.delete(leftover.pid)
      break
    case 'databases':
      databases.push(leftover)
      break
  }
}

await settle([...programs.values()].map(({ pid, argument, kind }) => end(pid, argument, 'SIGKILL', kind === 'group')))
await settle([
  ...databases.map(({ serverUrl, prefix }) => drop(serverUrl, prefix)),
  ...folders.filter((folder) => existsSync(folder)).map((folder) => remove(folder)),
])

/** An item that cannot be removed is reported and does not stop the others. */
async function settle(acts: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(acts))
    if (one.status === 'rejected') process.stderr.write(`Not cleared up: ${one.reason}\n`)
}

async function remove(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isDirectory())) await endPostgres(join(folder, name))
  await rm(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES_MAX })
}

/** Its data is no longer needed, so it is not flushed first. */
async function endPostgres(directory: string): Promise<void> {
  const home = await findHome(directory)
  const lock = await readLock(join(home, CLUSTER))
  if (lock !== undefined) await end(lock.pid, 'postgres', 'SIGQUIT')
  await rm(home, { recursive: true, force: true, maxRetries: REMOVE_TRIES_MAX })
}

async function end(pid: number, argument: string, signal: NodeJS.Signals, isGroup = false): Promise<void> {
  if (!(await runs(pid, argument))) return
  process.kill(isGroup ? -pid : pid, signal)
  await until(`process ${pid} has ended`, async () => !(await runs(pid, argument)))
}

async function drop(serverUrl: string, prefix: string): Promise<void> {
  const client = new pg.Client(serverUrl)
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}
