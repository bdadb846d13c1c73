import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/** Where Chromium and Chrome are installed. First the one without windows: it does the same with half the work. */
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const installed = (named: string | undefined): string | undefined =>
  [...(named === undefined ? [] : [named]), ...PLACES].find(isProgram)

/** The browser for the tests of the pages: the one that is named or there, else it is installed where that is allowed. */
export async function findChromium(named: string | undefined): Promise<string> {
  const found = installed(named) ?? ((await installWithApt()) ? installed(named) : undefined)
  if (found !== undefined) return found
  throw new Error(
    'The tests of the pages need Chromium or Chrome. Install it (on Debian and Ubuntu: sudo apt-get install chromium), or name it: CHROMIUM=/path/to/chrome npm test',
  )
}

/** Installs Chromium where packages may be installed at all; answers whether it could. */
async function installWithApt(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !isProgram('/usr/bin/apt-get')) return false
  process.stdout.write('\n— Installing Chromium for the tests of the pages …\n')
  await apt('update')
  const install = (name: string): Promise<boolean> => apt('install', '-y', '--no-install-recommends', name)
  return (await install('chromium-headless-shell')) || (await install('chromium'))
}

/** Answers whether it went well. */
const apt = (...args: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    spawn('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', () => resolve(false))
      .on('exit', (code) => resolve(code === 0))
  })
