import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { text as textOf } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { endLater, ownFolder } from '../harness/clear-up.ts'
import { freePort } from '../harness/ports.ts'
import { emptyDatabase } from '../harness/postgres.ts'
import { command } from '../harness/processes.ts'
import { slow } from '../harness/slow.ts'
import { WAIT_MILLISECONDS_MAX } from '../harness/until.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/operate/going-live.md'), 'utf8')

/** A block of the guide: commands, or their output. */
interface Block {
  readonly kind: string
  readonly text: string
}
const BLOCKS: readonly Block[] = [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}))

/**
 * Programs as the guide calls them, without their installation. A server is the process itself, so that it can be
 * stopped; a command runs inside the test with its environment, since a separate process takes most of a second to
 * load.
 */
const NPM = `#!/bin/bash
case "$*" in
  start) exec node "$ROOT/gateway/src/main.ts" ;;
  'run connectors') exec node "$ROOT/connectors/src/main.ts" ;;
  *) echo "the guide calls npm $*"; exit 1 ;;
esac
`
const KOBO = `#!/bin/bash
{ env -0; printf '\\0'; printf '%s\\0' "$@"; } | curl -s --fail-with-body --unix-socket ./commands --data-binary @- http://test/
`

/** Runs the commands that the script calls, in its folder. */
async function serveCommands(t: TestContext, folder: string): Promise<void> {
  const before = process.cwd()
  process.chdir(folder)
  const server = createServer(async (request, response) => {
    const [env = '', args = ''] = (await textOf(request)).split('\0\0')
    const { code, stdout, stderr } = await command(
      // The same folder as that of the guide's gateway.
      {
        KOBO_DATA_DIR: join(folder, 'data'),
        ...Object.fromEntries(env.split('\0').map((line) => line.split(/=(.*)/s))),
      },
      ...args.split('\0').slice(0, -1),
    )
    response.writeHead(code === 0 ? 200 : 500).end(stdout + stderr)
  })
  await new Promise<void>((resolve) => server.listen('commands', resolve))
  t.after(() => {
    server.close()
    process.chdir(before)
  })
}

const WAITS_MAX = 600
/** The shell of a reader of the guide; a wait that fails prints the programs' output. */
const PRELUDE = `set -eu
exec 2>&1
waits=0
sleep() {
  waits=$((waits + 1))
  if [ $waits -gt ${WAITS_MAX} ]; then cat ./*.log; exit 1; fi
  command sleep "$1"
}
`
const END_OF_BLOCK = '--- end of block ---'

slow(
  'the go-live guide leads from an empty database to a first payout and an imported statement, with exactly the output that it shows',
  async (t) => {
    const here = await aServer(t)
    const commands = BLOCKS.filter(({ kind }) => kind === 'sh')
    const script = PRELUDE + commands.map(({ text }) => `${here(text)}echo; echo '${END_OF_BLOCK}'\n`).join('')
    const printed = await run(t, script)
    const outputs = printed.split(`${END_OF_BLOCK}\n`)
    assert.equal(outputs.length, commands.length + 1, printed)
    for (const [index, command] of commands.entries()) {
      const next = BLOCKS[BLOCKS.indexOf(command) + 1]
      const shown = next?.kind === 'text' ? next.text : '\n'
      const output = `${outputs[index]?.trimEnd()}\n`
      assert.match(output, patternOf(here(shown)), `${command.text}\nprints\n\n${output}`)
    }
  },
)

/** The output must match the guide; `…` is anything in a line, and alone on a line any lines. */
function patternOf(shown: string): RegExp {
  const lines = shown
    .split(/(?<=\n)/)
    .map((line) =>
      line === '…\n' ? '(?:.*\\n)*?' : line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*'),
    )
  return new RegExp(`^${lines.join('')}$`)
}

/** Runs a script in its own folder; returns its output and that of its programs. All of them end with it. */
async function run(t: TestContext, script: string): Promise<string> {
  const folder = ownFolder('going-live')
  await serveCommands(t, folder)
  for (const [name, script] of Object.entries({ npm: NPM, kobo: KOBO }))
    writeFileSync(join(folder, name), script, { mode: 0o755 })
  symlinkSync(join(ROOT, 'samples'), join(folder, 'samples'))
  const file = join(folder, 'guide.sh')
  writeFileSync(file, script)
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const shell = spawn('bash', [file], {
    cwd: folder,
    env: { PATH: `${folder}:${PATH}`, NODE_COMPILE_CACHE, ROOT, HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // its own process group, with all that it starts
    timeout: WAIT_MILLISECONDS_MAX,
  })
  endLater(shell, file, 'group')
  const endAll = (): void => {
    try {
      process.kill(-(shell.pid as number), 'SIGKILL')
    } catch {
      // all of them have ended
    }
  }
  t.after(endAll)
  let printed = ''
  shell.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(shell, 'close')
  const [code] = await once(shell, 'exit')
  endAll()
  await closed
  assert.equal(code, 0, printed)
  return printed
}

/** Runs the guide's SQL in an empty database; returns a function that adapts the guide's texts to this machine. */
async function aServer(t: TestContext): Promise<(text: string) => string> {
  const { ownerUrl, drop } = await emptyDatabase()
  const { host, hostname, pathname } = new URL(ownerUrl)
  const name = pathname.slice(1)
  const suffix = name.slice(-8)
  const ports = new Map(
    await Promise.all(['8080', '8090', '3000'].map(async (port) => [port, await freePort()] as const)),
  )
  const here = (text: string): string =>
    text
      .replaceAll('127.0.0.1:5432/kobo', `${host}/${name}`)
      .replaceAll(/kobo_(owner|program|vault)/g, `kobo_$1_${suffix}`)
      .replaceAll(/\b(8080|8090|3000)\b/g, (port) => String(ports.get(port)))
      .replace('KOBO_ALLOW=', isLoopback(hostname) ? 'KOBO_ALLOW=' : 'KOBO_ALLOW=plain-database,')
  const admin = new pg.Client(Object.assign(new URL(ownerUrl), { pathname: '/postgres' }).href)
  await admin.connect()
  const roles = ['owner', 'program', 'vault'].map((role) => `kobo_${role}_${suffix}`)
  t.after(async () => {
    await drop()
    for (const role of roles) await admin.query(`drop role if exists ${role}`)
    await admin.end()
  })
  const statements = here(BLOCKS.find(({ kind }) => kind === 'sql')?.text ?? '')
    .split(/;\n/)
    .filter(Boolean)
  // The database already exists, under a name given by the test.
  for (const statement of statements)
    await admin.query(
      statement.startsWith('create database') ? `alter database ${name} owner to ${roles[0]}` : statement,
    )
  return here
}

const isLoopback = (hostname: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(hostname)
