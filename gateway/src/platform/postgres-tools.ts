import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readHosts } from './database-hosts.ts'
import { ENVIRONMENT } from './embedded-postgres/index.ts'

/** PostgreSQL's own programs that we call. */
export type PostgresTool = 'pg_dump' | 'pg_restore'

export interface ToolCall {
  readonly tool: PostgresTool
  /** The folder in which it is, where that is not in the path. */
  readonly folder: string | undefined
  /** The database that it works on. */
  readonly url: string
  readonly args: readonly string[]
  /** Told each line that it says of what it does. */
  readonly onLine: (line: string) => void
}

/** Lines of the end of what it said that are shown where it fails. */
const LINES_SHOWN_MAX = 12

/** Runs one of PostgreSQL's programs to its end; throws what it said where it fails. The password is in no list of processes. */
export async function runPostgresTool({ tool, folder, url, args, onLine }: ToolCall): Promise<void> {
  const said: string[] = []
  const code = await run(programOf(tool, folder), [...args, '--no-password'], connectionOf(url), (line) => {
    said.push(line)
    if (said.length > LINES_SHOWN_MAX) said.shift()
    onLine(line)
  })
  if (code !== 0) throw new Error(`${tool} failed:\n${said.join('\n')}`)
}

/** Refuses a program that is not here, or too old for a server: each can do what servers up to its own version can. */
export async function checkTool(tool: PostgresTool, folder: string | undefined, serverMajor: number): Promise<void> {
  let said = ''
  const wayOut = `Install the programs of PostgreSQL ${serverMajor} (Debian: postgresql-client-${serverMajor}), or name their folder by --tools.`
  await run(programOf(tool, folder), ['--version'], {}, (line) => (said += line)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`There is no ${tool} here. ${wayOut}`)
    throw error
  })
  const major = Number(/ (\d+)[.\s\w]*/.exec(said)?.[1])
  if (!(major >= serverMajor))
    throw new Error(`${tool} is of PostgreSQL ${major}, and the server of ${serverMajor}: too old. ${wayOut}`)
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

/** An address as PostgreSQL's programs take it from their environment. */
export function connectionOf(address: string): Readonly<Record<string, string>> {
  const { urls, wanted } = readHosts(address)
  const servers = urls.map((url) => new URL(url))
  const { username, password, pathname, searchParams } = new URL(urls[0] ?? address)
  const hostOf = ({ hostname }: URL): string => decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1')
  const hasPorts = servers.some(({ port }) => port !== '')
  const named = {
    PGHOST: searchParams.get('host') ?? servers.map(hostOf).join(','),
    PGPORT: hasPorts ? servers.map(({ port }) => port).join(',') : searchParams.get('port'),
    PGTARGETSESSIONATTRS: wanted === 'any' ? '' : wanted,
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
