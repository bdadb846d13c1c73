// Runs before every npm command, on whatever Node the machine has (20 or newer), so it is plain JavaScript.
// Installs the dependencies when package-lock.json has changed since the last install, and builds the pages when their
// sources have changed since the last build; otherwise does nothing.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.installed`
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')
const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined

if (wanted !== installed) {
  process.stderr.write('Installing dependencies (once; about half a minute) …\n')
  // npm tells its own path to the scripts it runs, so a machine with several npms uses the same one throughout.
  const npm = process.env['npm_execpath']
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status, error } = spawnSync(command, [...args, 'ci', '--loglevel=error', '--no-progress'], {
    cwd: root,
    stdio: ['ignore', 2, 2], // standard output belongs to the command itself: `kobo credentials` prints JSON there
  })
  if (status !== 0) {
    process.stderr.write(
      `Installing failed${error ? `: ${error.message}` : ''}. Check the network or the npm registry, then try again.\n`,
    )
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

// Only now: the bundler is one of the dependencies.
const { buildAndTell } = await import('../web/build.js')
await buildAndTell()
