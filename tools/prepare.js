// Runs before every npm command, on the machine's own Node (20 or newer), so it is plain JavaScript.
// Installs the dependencies when package-lock.json has changed since the last install, and builds the pages when their
// sources have changed since the last build; otherwise does nothing. With --for-tests it also installs a browser.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { installChromium } from './chromium.js'

if (process.platform === 'win32') {
  process.stderr.write(
    'Kobo runs on Linux and macOS. On Windows use WSL 2: run `wsl --install`, open Ubuntu, and start it there.\n',
  )
  process.exit(1)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const NODE_MAJOR_MIN = 24
const stamp = `${root}node_modules/.installed`

async function installPackages() {
  const expected = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return
  process.stderr.write('Installing dependencies (once; about half a minute) …\n')
  const problem = await npm('ci', '--loglevel=error')
  if (problem !== undefined) {
    process.stderr.write(`Installing failed${problem}. Check the network or the npm registry, then try again.\n`)
    process.exit(1)
  }
  // Node.js is a dependency if there is a package for this platform; npm skips optional packages that it cannot get.
  if (!existsSync(`${root}node_modules/.bin/node`) && Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    process.stderr.write(
      `No package with Node.js ${NODE_MAJOR_MIN} could be installed, and this machine's own is ${process.versions.node}. Install a newer one, then try again.\n`,
    )
    process.exit(1)
  }
  writeFileSync(stamp, expected)
}

/**
 * Runs npm. Returns undefined if it succeeds, and otherwise the error, which is empty if npm has already printed it.
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>}
 */
function npm(...args) {
  // npm passes its own path to scripts, so a machine with several npms uses the same one.
  const path = process.env['npm_execpath']
  const [command, first] = path === undefined ? ['npm', []] : [process.execPath, [path]]
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], {
      cwd: root,
      stdio: ['ignore', 2, 2], // standard output belongs to the command itself: `kobo credentials` prints JSON there
    })
      .on('error', (error) => resolve(`: ${error.message}`))
      .on('exit', (code) => resolve(code === 0 ? undefined : ''))
    process.once('SIGTERM', () => {
      child.kill()
      process.exit(143)
    })
  })
}

await Promise.all([installPackages(), process.argv.includes('--for-tests') && installChromium()])

// Imported only now, because the bundler is a dependency.
const { buildAndReport } = await import('../web/build.js')
await buildAndReport()

const { npm_lifecycle_event: event, DATABASE_URL, KOBO_DATA_DIR, KOBO_ENVIRONMENT } = process.env
const isFirstSandbox = !DATABASE_URL && KOBO_ENVIRONMENT !== 'live' && !existsSync(KOBO_DATA_DIR ?? `${root}data`)
if (event === 'prestart' && isFirstSandbox) process.stderr.write('Creating the database (once; a few seconds) …\n')
