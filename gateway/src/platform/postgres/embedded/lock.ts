import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './home.ts'

/** PostgreSQL's lock file. It survives a killed server. */
export const LOCK_FILE = 'postmaster.pid'

/** The content of the lock file, which the server writes at its start. */
export interface Lock {
  readonly pid: number
  readonly folder: string
  readonly port: number
  /** Whether the server accepts connections: it has recovered and is not stopping. */
  readonly ready: boolean
}

/** The cluster's lock, or undefined if there is none that can be read. */
export async function readLock(clusterFolder: string): Promise<Lock | undefined> {
  const text = await readFile(join(clusterFolder, LOCK_FILE), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  const [pid, folder, , port, , , , status] = text.split('\n')
  if (folder === undefined || !(Number(pid) > 0)) return undefined
  return { pid: Number(pid), folder, port: Number(port), ready: status?.trim() === 'ready' }
}

/** Whether the server that wrote the lock still runs. Its process number may have been reused, or the file copied. */
export async function holds(lock: Lock, clusterFolder: string, mark: string): Promise<boolean> {
  if (!(await runs(lock.pid, mark))) return false
  const theirs = await realpath(lock.folder).catch(() => undefined)
  // The folder may have been renamed while the server runs; then the path in the lock does not exist.
  return theirs === undefined || theirs === (await realpath(clusterFolder))
}

/** Whether a process with this number runs and has this text in its command line. */
export async function runs(pid: number, argument: string): Promise<boolean> {
  return (await commandLine(pid)).includes(argument)
}

/** The command line of a process; empty if there is no such process. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return ''
      throw error
    })
  }
  return new Promise((resolve) => {
    // ps exits with 1 if there is no such process.
    execFile('ps', ['-ww', '-p', String(pid), '-o', 'args='], (_error, output) => resolve(output))
  })
}
