import { execFileSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded/index.ts'
import { ownFolder } from './clear-up.ts'
import { until } from './until.ts'

/** A primary server, and a standby that follows it. */
export interface Pair {
  readonly primary: { readonly url: string; readonly stop: () => Promise<void> }
  /** Copies the primary as it is now and follows it; returns the standby's address. */
  readonly follow: () => Promise<string>
}

/** A commit waits for a standby if the test names one. */
const SETTINGS = { max_connections: '50', synchronous_commit: 'on' }

/** A PostgreSQL of the test's own that a standby can follow. */
export async function aPrimary(t: TestContext): Promise<Pair> {
  const folder = ownFolder('standby')
  const primary = await startEmbeddedPostgres({
    directory: join(folder, 'primary'),
    durable: false,
    settings: SETTINGS,
  })
  t.after(primary.stop)
  return {
    primary,
    follow: async () => {
      const directory = join(folder, 'standby')
      await copyCluster(primary.url, directory)
      const { hostname, port, username, password } = new URL(primary.url)
      const standby = await startEmbeddedPostgres({
        directory,
        durable: false,
        settings: {
          ...SETTINGS,
          primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`,
        },
      })
      t.after(standby.stop)
      await waitForReplay(primary.url, standby.url)
      return standby.url
    },
  }
}

/** Copies the files of a running server, so that a standby can follow from there. */
async function copyCluster(url: string, directory: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`select pg_backup_start('standby', fast => true)`)
  const { rows } = await client.query('show data_directory')
  const data = rows[0].data_directory as string
  execFileSync('cp', ['-a', dirname(data), directory])
  const { rows: ended } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
  await client.end()
  const copy = join(directory, 'cluster')
  const { uid, gid } = statSync(copy)
  for (const [name, text] of [
    ['backup_label', ended[0].labelfile as string],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(copy, name), text, { mode: 0o600 })
    chownSync(join(copy, name), uid, gid)
  }
  rmSync(join(copy, 'postmaster.pid'), { force: true })
}

/** Runs one query on a server, as its owner. */
export async function queryServer<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the query fails and reports it
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Waits until a standby has all that the primary has. */
export async function waitForReplay(primaryUrl: string, standbyUrl: string): Promise<void> {
  const [now] = await queryServer<{ place: string }>(primaryUrl, 'select pg_current_wal_flush_lsn()::text as place')
  await until('the standby has caught up', async () => {
    const [row] = await queryServer<{ isSo: boolean }>(
      standbyUrl,
      `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= '${now?.place}'::pg_lsn as "isSo"`,
    )
    return row?.isSo === true
  })
}
