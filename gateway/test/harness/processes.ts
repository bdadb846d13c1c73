import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../../cli/src/run.ts'
import { type Clock, wallClock } from '../../src/kernel/clock.ts'
import { endLater, ownFolder } from './clear-up.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** One of our programs in a separate process, killed at the end of the test if it still runs. */
export interface Program {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** The pattern's first group, once standard output matches; fails if the program ends first. */
  readonly says: (pattern: RegExp) => Promise<string>
}

/** Starts a program with only these environment variables, and its own data folder. */
export function startProgram(
  t: Pick<TestContext, 'after'>,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  /** The file descriptor for its standard output, if it is not to be read. */
  outputTo?: number,
): Program {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      KOBO_DATA_DIR: ownFolder('data'), // for the head of its audit log: the clone stays as it was
      ...env,
    },
    stdio: ['ignore', outputTo ?? 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text))
  endLater(child, file)
  let over = false
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true
    return (code ?? signal) as number | NodeJS.Signals
  })
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    says: async (pattern) => {
      await until(`${file} says ${pattern}`, () => pattern.test(output.stdout) || over)
      return pattern.exec(output.stdout)?.[1] ?? assert.fail(`${file} did not say ${pattern}:\n${output.stderr}`)
    },
  }
}

interface Ended {
  /** Its exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process, since a separate process takes most of a second to load. */
export const command = (env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> =>
  commandAt(wallClock, env, ...args)

let dataFolder: string | undefined

/** Runs a command in this process with another clock, such as that of the tests' gateways. */
export async function commandAt(wall: Clock, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  // Commands store here which server they used. Each test run uses another server, so it needs its own folder.
  dataFolder ??= ownFolder('data')
  const code = await runCommand(args, {
    env: { KOBO_DATA_DIR: dataFolder, ...env },
    wall,
    out: (text) => (printed.stdout += text),
    err: (text) => (printed.stderr += text),
  })
  return { code, ...printed }
}

/** Runs a command as a separate program. */
export async function kobo(t: TestContext, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
  const { ended, stdout, stderr } = startProgram(t, 'cli/src/main.ts', args, env)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}
