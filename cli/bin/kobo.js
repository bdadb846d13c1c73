// The program behind `./kobo` in the root. It is plain JavaScript so that it starts on any Node from 20; it installs and builds
// missing parts, then runs the command with the Node version from node_modules.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)

// At once, without the program: loading it takes a second.
if (args.length === 1 && ['--version', '-v'].includes(args[0] ?? '')) {
  process.stdout.write(`${JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version}\n`)
} else if (args.length === 0 || (args.length === 1 && ['--help', '-h', 'help'].includes(args[0] ?? ''))) {
  process.stdout.write(readFileSync(`${root}cli/src/help.txt`))
} else {
  await import('../../tools/prepare.js')
  const packaged = `${root}node_modules/.bin/node`
  const node = existsSync(packaged) ? packaged : process.execPath
  const child = spawn(node, [`${root}cli/src/main.ts`, ...args], {
    stdio: 'inherit',
    // The gateway of this clone, whatever the current folder is.
    env: {
      NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`,
      KOBO_DATA_DIR: `${root}data`,
      ...process.env,
    },
  })
  // The terminal sends Ctrl-C to the child too, which decides when to exit; SIGTERM has to be passed on.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1
    else process.kill(process.pid, signal)
  })
}
