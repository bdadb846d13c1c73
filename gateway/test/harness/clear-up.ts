import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CLEAR_UP_PROCESS = fileURLToPath(new URL('clear-up-process.ts', import.meta.url))
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

/** A resource of a test process outside itself. */
export type Leftover =
  /** Removed with its content and with the PostgreSQL of each folder in it. */
  | { readonly kind: 'folder'; readonly path: string }
  /** One of our processes, identified by its pid and one of its arguments; or the process group with its children. */
  | { readonly kind: 'program' | 'group'; readonly pid: number; readonly argument: string }
  /** The program has ended, and its pid may be reused. */
  | { readonly kind: 'ended'; readonly pid: number }
  /** All databases of this server with this name prefix. */
  | { readonly kind: 'databases'; readonly serverUrl: string; readonly prefix: string }

let clearUpProcess: ChildProcess | undefined

/** Removes a resource once this process has ended in any way: on its own, by Ctrl-C or by `kill -9`. */
export function clearUpLater(leftover: Leftover): void {
  clearUpProcess ??= startClearUpProcess()
  clearUpProcess.stdin?.write(`${JSON.stringify(leftover)}\n`)
}

/** Kills a child once this process has ended, if it still runs; with its group if it leads one. */
export function endLater(child: ChildProcess, argument: string, kind: 'program' | 'group' = 'program'): void {
  const { pid } = child
  if (pid === undefined) return
  clearUpLater({ kind, pid, argument })
  child.once('exit', () => clearUpLater({ kind: 'ended', pid }))
}

/** Removes everything now, and waits until it is gone. */
export async function clearUp(): Promise<void> {
  if (clearUpProcess === undefined || clearUpProcess.exitCode !== null) return
  clearUpProcess.ref()
  clearUpProcess.stdin?.end()
  await once(clearUpProcess, 'exit')
}

/** A process that outlives this one: it starts when its standard input is closed, which no process can prevent. */
function startClearUpProcess(): ChildProcess {
  const child = spawn(process.execPath, [CLEAR_UP_PROCESS], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true, // not affected by Ctrl-C in the terminal
  })
  child.unref()
  ;(child.stdin as Socket).unref()
  return child
}

/** A folder of this process, in memory if the machine has plenty, which is removed when the process has ended. */
export function ownFolder(name: string): string {
  const path = mkdtempSync(join(hasMemory() ? MEMORY_FOLDER : tmpdir(), `kobo-test-${name}-`))
  chmodSync(path, 0o711) // as root, PostgreSQL runs under another account, which must be able to enter
  clearUpLater({ kind: 'folder', path })
  return path
}

/** Cloning the template is ten times as fast in memory. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_BYTES_MIN
}
