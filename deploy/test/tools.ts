import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endLater } from '../../gateway/test/harness/clear-up.ts'
import { freePort } from '../../gateway/test/harness/ports.ts'

/** The deploy folder. */
export const DEPLOY = fileURLToPath(new URL('..', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the repository, as text. */
export const textOf = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

/** The reason to skip a test that needs a program; false if it is installed. */
export const without = (program: string, debianPackage = program): string | false =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed (Debian: ${debianPackage})`

interface Ended {
  readonly code: number | null
  readonly output: string
}

const TOOL_MILLISECONDS_MAX = 300_000

/** Runs a program in a folder and waits for it. */
export function runTool(folder: string, program: string, ...args: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: TOOL_MILLISECONDS_MAX,
    ...asAccount(program),
  })
  return { code: status, output: `${stdout}${stderr}${error?.message ?? ''}` }
}

/** The reason to skip tests that need Python with YAML. */
export const withoutYaml =
  spawnSync('python3', ['-c', 'import yaml']).status === 0 ? false : 'python3 does not read YAML (Debian: python3-yaml)'

const READ = 'import yaml, json, sys; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))'

/** The documents of a YAML file. */
export function readYaml<T>(path: string): readonly T[] {
  const { code, output } = runTool(ROOT, 'python3', '-c', READ, path)
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

/** Starts a program that is stopped after the test; returns a function with its output so far. */
export const startTool = (t: TestContext, program: string, ...args: readonly string[]): (() => string) =>
  startToolWith(t, {}, program, ...args)

/** Starts such a program with more environment variables. */
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

/** PostgreSQL's programs do not run as root, so they use the postgres account. */
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

/** The programs of the newest PostgreSQL that Debian installed. */
export function installedPostgres(): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  const usable = versions.filter((version) => version >= 15 && existsSync(`${POSTGRES}/${version}/bin/pg_basebackup`))
  return usable.length === 0 ? undefined : `${POSTGRES}/${Math.max(...usable)}/bin`
}

/** Ports that are free, for programs that cannot choose one themselves. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, freePort))
