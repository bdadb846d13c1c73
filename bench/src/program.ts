import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { databaseUrls } from '@kobo/gateway/platform/postgres/roles.ts'
import { gatewayEnvironment, MASTER_KEY, NODE_OPTIONS, type RunningGateway } from './processes.ts'

const MAIN = fileURLToPath(import.meta.resolve('@kobo/gateway/main.ts'))
const START_SECONDS_MAX = 300
const POLL_MILLISECONDS = 50

/** Starts the program as `npm start` does, with several serving processes, on a running gateway's database. */
export async function startProgram(
  databaseUrl: string,
  workers: number,
): Promise<Pick<RunningGateway, 'url' | 'processId' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'kobo-bench-program-'))
  // The output goes into a file, because reading a pipe would cost the load generator time.
  const output = join(folder, 'output')
  const file = openSync(output, 'w')
  const { program, vault } = databaseUrls(databaseUrl)
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
    stdio: ['ignore', file, 'inherit'],
    env: {
      ...gatewayEnvironment(program),
      KOBO_VAULT_DATABASE_URL: vault,
      KOBO_MASTER_KEY: MASTER_KEY.toString('base64'),
      KOBO_DATA_DIR: folder,
      KOBO_WORKERS: String(workers),
    },
  })
  closeSync(file)
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const deadline = performance.now() + START_SECONDS_MAX * 1_000
  for (;;) {
    const url = /Kobo is ready at (\S+)/.exec(readFileSync(output, 'utf8'))?.[1]
    if (url !== undefined) return { url: url.replace('localhost', '127.0.0.1'), processId: child.pid ?? 0, stop }
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error('The program did not start')
    }
    await pause(POLL_MILLISECONDS)
  }
}
