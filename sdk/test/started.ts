import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { endLater } from '../../gateway/test/harness/clear-up.ts'
import { freePort } from '../../gateway/test/harness/ports.ts'
import { until } from '../../gateway/test/harness/until.ts'

/** A running program and its child processes. */
export interface Started {
  /** Writes to its standard input. */
  readonly type: (text: string) => void
  /** Its output so far. */
  readonly printed: () => string
  /** Waits for output that matches and returns the first group; undefined if the program exits first. */
  readonly says: (pattern: RegExp) => Promise<string | undefined>
}

/** Starts a program that is stopped after the test, with its child processes. */
export function start(t: TestContext, command: readonly string[], folder: string, env: NodeJS.ProcessEnv): Started {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },

    detached: true, // its own process group, so that all of it can be killed
  })
  endLater(child, args[0] ?? program, 'group')
  let printed = ''
  let isOver = false
  const closed = once(child, 'close').then(() => (isOver = true))
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  t.after(async () => {
    if (child.pid !== undefined && !isOver) process.kill(-child.pid, 'SIGKILL')
    await closed
  })
  return {
    type: (text) => void child.stdin.write(text),
    printed: () => printed,
    says: async (pattern) => {
      await until(`${command.join(' ')} says ${pattern}`, () => pattern.test(printed) || isOver)
      return pattern.exec(printed)?.[1]
    },
  }
}

/** Starts a server and returns its URL. */
export async function startServer(...args: Parameters<typeof start>): Promise<Started & { readonly url: string }> {
  const started = start(...args)
  const port = await started.says(/(?:listening on |localhost:|127\.0\.0\.1:)(\d+)/)
  return { ...started, url: `http://127.0.0.1:${port ?? assert.fail(started.printed())}` }
}

/** A free port, for programs that cannot choose one themselves. */
export const aFreePort = async (): Promise<string> => String(await freePort())
