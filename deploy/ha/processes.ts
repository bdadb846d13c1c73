import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const READY_SECONDS_MAX = 300
const POLL_MILLISECONDS = 100

/** Signals each process that is still running. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // already exited
    }
}

/** The postmaster of a data folder and its child processes; none if it does not run. */
export function postgresIn(data: string): readonly number[] {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return []
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(postmaster)
    } catch {
      return false // the process has just ended
    }
  }
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name))
  return [postmaster, ...children.map(Number)]
}

/** Polls until the condition holds; an error is treated as false. */
export async function until(
  what: string | (() => string),
  condition: () => Promise<boolean> | boolean,
  secondsMax = READY_SECONDS_MAX,
): Promise<void> {
  const deadline = performance.now() + secondsMax * 1_000
  const holds = async (): Promise<boolean> => condition()
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline)
      throw new Error(`Not within ${secondsMax} s: ${typeof what === 'string' ? what : what()}`)
    await pause(POLL_MILLISECONDS)
  }
}
