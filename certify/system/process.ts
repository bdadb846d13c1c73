import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RESTART_MILLISECONDS = 1_000

/** A program that is started again when it exits, as a process manager does. */
export interface RunningProgram {
  readonly pid: () => number
  /** Changes how the program is started from the next start on. */
  readonly change: (how: { readonly main?: string; readonly env?: NodeJS.ProcessEnv; readonly output?: string }) => void
  readonly stop: () => void
}

/** Keeps a program running. Its output is discarded unless it is given a file. */
export function keepRunning(main: string, env: NodeJS.ProcessEnv): RunningProgram {
  let how: { main: string; env: NodeJS.ProcessEnv; output: string } = { main, env: {}, output: '/dev/null' }
  let isStopping = false
  let child: ChildProcess
  const start = (): void => {
    const output = openSync(how.output, 'a')
    child = spawn(process.execPath, [how.main], {
      cwd: ROOT,
      env: { ...env, ...how.env },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    child.once('exit', () => void setTimeout(() => isStopping || start(), RESTART_MILLISECONDS))
  }
  start()
  return {
    pid: () => child.pid ?? 0,
    change: (change) => {
      how = { ...how, ...change }
    },
    stop: () => {
      isStopping = true
      child.kill('SIGKILL')
    },
  }
}
