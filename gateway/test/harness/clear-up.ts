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

/** What a process of tests has outside itself. */
export type Leftover =
  /** Goes with all that is in it, and with the PostgreSQL of each folder in it. */
  | { readonly kind: 'folder'; readonly path: string }
  /** A process of ours, known by its number and by something that it was started with; or the group of it and its children. */
  | { readonly kind: 'program' | 'group'; readonly pid: number; readonly argument: string }
  /** The program has ended, and its number may be another's. */
  | { readonly kind: 'ended'; readonly pid: number }
  /** All databases of this server whose names begin so. */
  | { readonly kind: 'databases'; readonly serverUrl: string; readonly prefix: string }

let clearUpProcess: ChildProcess | undefined

/** Has it cleared away once this process has ended, however it ends: by itself, by Ctrl-C or by `kill -9`. */
export function clearUpLater(leftover: Leftover): void {
  clearUpProcess ??= startClearUpProcess()
  clearUpProcess.stdin?.write(`${JSON.stringify(leftover)}\n`)
}

/** Has a child of this process killed once this process has ended, where it still runs then; with its group where it leads one. */
export function endLater(child: ChildProcess, argument: string, kind: 'program' | 'group' = 'program'): void {
  const { pid } = child
  if (pid === undefined) return
  clearUpLater({ kind, pid, argument })
  child.once('exit', () => clearUpLater({ kind: 'ended', pid }))
}

/** Clears everything away now, and waits until it is gone. */
export async function clearUp(): Promise<void> {
  if (clearUpProcess === undefined || clearUpProcess.exitCode !== null) return
  clearUpProcess.ref()
  clearUpProcess.stdin?.end()
  await once(clearUpProcess, 'exit')
}

/** A process that outlives this one: it works when this end of its standard input is closed, which no process escapes. */
function startClearUpProcess(): ChildProcess {
  const child = spawn(process.execPath, [CLEAR_UP_PROCESS], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true, // Ctrl-C in the terminal is not for it
  })
  child.unref()
  ;(child.stdin as Socket).unref()
  return child
}

/** A folder of this process's own, in memory where the machine has plenty, that is gone when the process has ended. */
export function ownFolder(name: string): string {
  const path = mkdtempSync(join(hasMemory() ? MEMORY_FOLDER : tmpdir(), `kobo-test-${name}-`))
  chmodSync(path, 0o711) // as root, PostgreSQL runs under another account, which must be able to enter
  clearUpLater({ kind: 'folder', path })
  return path
}

/** A clone of the template is then ten times as fast. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MEMORY_BYTES_MIN
}
