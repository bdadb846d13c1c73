import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './home.ts'

/** The file by which PostgreSQL keeps a second server off its folder. It outlives a server that was killed. */
export const LOCK_FILE = 'postmaster.pid'

/** What a server wrote there when it started. */
export interface Lock {
  readonly pid: number
  readonly folder: string
  readonly port: number
  /** Whether it takes connections: it has recovered, and is not stopping. */
  readonly ready: boolean
}

/** The lock of the cluster, or undefined when there is none that can be read. */
export async function readLock(clusterFolder: string): Promise<Lock | undefined> {
  const text = await readFile(join(clusterFolder, LOCK_FILE), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  const [pid, folder, , port, , , , status] = text.split('\n')
  if (folder === undefined || !(Number(pid) > 0)) return undefined
  return { pid: Number(pid), folder, port: Number(port), ready: status?.trim() === 'ready' }
}

/** Whether the server that wrote the lock still runs: the number may be another's by now, or the file a copy. */
export async function holds(lock: Lock, clusterFolder: string, mark: string): Promise<boolean> {
  if (!(await runs(lock.pid, mark))) return false
  const theirs = await realpath(lock.folder).catch(() => undefined)
  // A folder may be renamed below a server that runs: then the name in the lock leads nowhere.
  return theirs === undefined || theirs === (await realpath(clusterFolder))
}

/** Whether there is such a process, started with this in its command line. */
export async function runs(pid: number, argument: string): Promise<boolean> {
  return (await commandLine(pid)).includes(argument)
}

/** Empty when there is no such process, or when it has ended and nobody has asked for its result. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return ''
      throw error
    })
  }
  return new Promise((resolve) => {
    // ps ends with 1 when there is no such process.
    execFile('ps', ['-ww', '-p', String(pid), '-o', 'args='], (_error, output) => resolve(output))
  })
}
