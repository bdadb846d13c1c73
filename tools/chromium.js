// Finds or installs the browser for the page tests. This is plain JavaScript, because it runs before any package is
// installed, on Node 20 or newer.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/**
 * Where Chromium or Chrome can be installed. The headless program comes first: it needs half of the processor time.
 */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const find = () => [process.env['CHROMIUM'] ?? '', ...PLACES].find(isProgram)

/** Returns the path of the configured or installed browser. */
export function findChromium() {
  const found = find()
  if (found !== undefined) return found
  throw new Error(
    'The tests of the pages need Chromium or Chrome. Install it (on Debian and Ubuntu: sudo apt-get install chromium), or name it: CHROMIUM=/path/to/chrome npm test',
  )
}

/**
 * Installs Chromium if there is no browser and packages can be installed. If that fails, the tests that need a browser
 * report it.
 */
export async function installChromium() {
  if (
    find() !== undefined ||
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    !isProgram('/usr/bin/apt-get')
  )
    return
  process.stderr.write('Installing Chromium for the tests of the pages …\n')
  await apt('update')
  for (const name of ['chromium-headless-shell', 'chromium'])
    if (await apt('install', '-y', '--no-install-recommends', name)) return
}

/**
 * Returns whether the command succeeded.
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
const apt = (...args) =>
  new Promise((resolve) => {
    spawn('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', () => resolve(false))
      .on('exit', (code) => resolve(code === 0))
  })
