import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endLater } from '../../gateway/test/harness/clear-up.ts'

/** The folder of all that is deployed with. */
export const DEPLOY = fileURLToPath(new URL('..', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the repository, as text. */
export const textOf = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

/** Why a test of what another program understands is left out; false where the program is here. */
export const without = (program: string, debianPackage = program): string | false =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed (Debian: ${debianPackage})`

interface Ended {
  readonly code: number | null
  readonly output: string
}

const TOOL_MILLISECONDS_MAX = 300_000

/** Runs a program in a folder to its end. */
export function runTool(folder: string, program: string, ...args: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: TOOL_MILLISECONDS_MAX,
    ...asAccount(program),
  })
  return { code: status, output: `${stdout}${stderr}${error?.message ?? ''}` }
}

/** Starts a program that is ended with the test; answers what it has said so far. */
export const startTool = (t: TestContext, program: string, ...args: readonly string[]): (() => string) =>
  startToolWith(t, {}, program, ...args)

/** The same with further settings in its environment. */
export function startToolWith(
  t: TestContext,
  env: Readonly<Record<string, string>>,
  program: string,
  ...args: readonly string[]
): () => string {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asAccount(program),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  endLater(child, args.at(-1) ?? program)
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return () => output
}

/** PostgreSQL's programs do not run as root: as the account that its package has made. */
function asAccount(program: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0 || !program.startsWith(POSTGRES)) return {}
  return postgresAccount()
}

/** The account of an installed PostgreSQL. */
export function postgresAccount(): { readonly uid: number; readonly gid: number } {
  const [uid, gid] = ['-u', '-g'].map((which) =>
    Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  return { uid: uid ?? 0, gid: gid ?? 0 }
}

const POSTGRES = '/usr/lib/postgresql'

/** The programs of the newest PostgreSQL that is installed as Debian does it; undefined where there is none. */
export function installedPostgres(): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  const usable = versions.filter((version) => version >= 15 && existsSync(`${POSTGRES}/${version}/bin/pg_basebackup`))
  return usable.length === 0 ? undefined : `${POSTGRES}/${Math.max(...usable)}/bin`
}

/** Ports that nobody uses just now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
