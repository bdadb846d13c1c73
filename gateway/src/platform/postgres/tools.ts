import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ENVIRONMENT } from './embedded/index.ts'
import { readHosts } from './hosts.ts'

export type PostgresTool = 'pg_dump' | 'pg_restore'

export interface ToolCall {
  readonly tool: PostgresTool
  /** The tool's folder, if it is not in the PATH. */
  readonly folder: string | undefined
  readonly url: string
  readonly args: readonly string[]
  /** Receives each output line. */
  readonly onLine: (line: string) => void
}

/** Output lines shown on failure. */
const LINES_SHOWN_MAX = 12

/** Runs a PostgreSQL program; throws its output if it fails. The password is not visible in the process list. */
export async function runPostgresTool({ tool, folder, url, args, onLine }: ToolCall): Promise<void> {
  const output: string[] = []
  const code = await run(programOf(tool, folder), [...args, '--no-password'], connectionOf(url), (line) => {
    output.push(line)
    if (output.length > LINES_SHOWN_MAX) output.shift()
    onLine(line)
  })
  if (code !== 0) throw new Error(`${tool} failed:\n${output.join('\n')}`)
}

/** Rejects a program that is missing or too old for the server. */
export async function checkTool(tool: PostgresTool, folder: string | undefined, serverMajor: number): Promise<void> {
  let output = ''
  const fix = `Install the client tools of PostgreSQL ${serverMajor} (Debian: postgresql-client-${serverMajor}), or pass their folder with --tools.`
  await run(programOf(tool, folder), ['--version'], {}, (line) => (output += line)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`${tool} was not found. ${fix}`)
    throw error
  })
  const major = Number(/ (\d+)[.\s\w]*/.exec(output)?.[1])
  if (!(major >= serverMajor))
    throw new Error(`${tool} is from PostgreSQL ${major}, but the server is ${serverMajor}: too old. ${fix}`)
}

const programOf = (tool: PostgresTool, folder: string | undefined): string =>
  folder === undefined ? tool : join(folder, tool)

function run(
  program: string,
  args: readonly string[],
  connection: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...ENVIRONMENT, ...connection }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine)
    child.once('error', reject).once('close', resolve)
  })
}

/** Converts a URL to environment variables of PostgreSQL's programs. */
export function connectionOf(address: string): Readonly<Record<string, string>> {
  const { urls, sessionType } = readHosts(address)
  const servers = urls.map((url) => new URL(url))
  const { username, password, pathname, searchParams } = new URL(urls[0] ?? address)
  const hostOf = ({ hostname }: URL): string => decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1')
  const hasPorts = servers.some(({ port }) => port !== '')
  const named = {
    PGHOST: searchParams.get('host') ?? servers.map(hostOf).join(','),
    PGPORT: hasPorts ? servers.map(({ port }) => port).join(',') : searchParams.get('port'),
    PGTARGETSESSIONATTRS: sessionType === 'any' ? '' : sessionType,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get('sslmode'),
    PGSSLROOTCERT: searchParams.get('sslrootcert'),
  }
  return Object.fromEntries(
    Object.entries(named).filter((one): one is [string, string] => one[1] !== null && one[1] !== ''),
  )
}
