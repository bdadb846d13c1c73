import { execFile } from 'node:child_process'
import { chownSync, closeSync, openSync, readSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { signalAll, until } from '../../deploy/ha/processes.ts'
import { type Database, queryRows } from './system.ts'

const run = promisify(execFile)

/** A moment to which a database can be restored. */
export interface Moment {
  readonly at: string
  /** The WAL file that contains this moment, and the moment's offset in it. */
  readonly file: string
  readonly offset: number
}

/** Copies the files of a running server, as pg_basebackup does. */
export async function backUp({ url, data }: Database, copy: string): Promise<void> {
  const client = new pg.Client(url())
  await client.connect()
  await client.query(`select pg_backup_start('certify', fast => true)`)
  await run('cp', ['-a', data, copy])
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  await client.end()
  rmSync(join(copy, 'postmaster.pid'))
  write(join(copy, 'backup_label'), rows[0]?.labelfile ?? '', copy)
}

/** Writes a file with the owner of a folder. PostgreSQL may run as another account, which must own its files. */
function write(file: string, text: string, folder: string): void {
  writeFileSync(file, text)
  const { uid, gid } = statSync(folder)
  chownSync(file, uid, gid)
}

/** Notes the present moment. */
export async function noteMoment({ url }: Database): Promise<Moment> {
  const [row] = await queryRows(
    url(),
    `select clock_timestamp()::text as at, file_name as file, file_offset as offset
       from pg_walfile_name_offset(pg_current_wal_flush_lsn())`,
  )
  const { at, file, offset } = row as unknown as Moment
  return { at, file, offset: Number(offset) }
}

/** Waits until everything so far is archived. */
export async function archiveAll({ url, archive }: Database): Promise<void> {
  const [row] = await queryRows(url(), 'select pg_walfile_name(pg_switch_wal()) as file')
  const file = join(archive, String(row?.['file']))
  await until('the WAL is archived', () => statSync(file).size > 0)
}

/** Replaces the server with a copy that replays the archive up to a moment. Rejects if it cannot. */
export async function restore(database: Database, copy: string, { at }: Moment): Promise<void> {
  const { data, archive } = database
  const pids = database.processes()
  signalAll(pids, 'SIGKILL')
  await until('it has ended', () => pids.every((pid) => !isRunning(pid)))
  await rm(data, { recursive: true })
  await run('cp', ['-a', copy, data])
  write(join(data, 'recovery.signal'), '', data)
  await database.start({
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: at,
    recovery_target_action: 'promote',
  })
  for (let isRecovering = true; isRecovering; await pause(200)) {
    const [row] = await queryRows(database.url(), 'select pg_is_in_recovery() as is')
    isRecovering = row?.['is'] === true
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Changes one byte of a file; doing it twice changes it back. */
export function flipByte(file: string, offset: number): void {
  const handle = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(handle, byte, 0, 1, offset)
  byte[0] = (byte[0] ?? 0) ^ 0xff
  writeSync(handle, byte, 0, 1, offset)
  closeSync(handle)
}
