import { spawn } from 'node:child_process'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Command, print, UsageError } from '../../command.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE } from './remote.ts'

const PAGES: Readonly<Record<string, string>> = {
  start: '/',
  docs: '/docs',
  simulator: '/simulator',
  'demo-shop': '/demo-shop',
}

export const open: Command = {
  prints: 'text or JSON',
  usage: `[PAGE] ${REMOTE_USAGE} [--json]`,
  summary: 'Prints a sandbox URL and, in a terminal, opens your browser',
  details: `\nPages: ${Object.keys(PAGES).join(', ')}.\n${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = { ...REMOTE_OPTIONS, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [page = 'start', ...more] = positionals
    const path = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
    if (path === undefined || more.length > 0)
      throw new UsageError(`PAGE must be one of ${Object.keys(PAGES).join(', ')}.`)
    const address = (await connect(context, values)).credentials.baseUrl + path
    if (values.json === true) print(context, { address })
    else context.out(`${address}\n`)
    if (context.isTerminal === true) openBrowser(address)
    return 0
  },
}

/** Opens the URL in the default browser, if there is one. */
function openBrowser(address: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(program, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
