import { spawn } from 'node:child_process'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { demoSignInLink } from '@kobo/gateway/features/sandbox/index.ts'
import { type Command, type CommandContext, print, UsageError, withCore } from '../../command.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE } from './remote.ts'

const PAGES: Readonly<Record<string, string>> = {
  start: '/',
  dashboard: '/dashboard',
  docs: '/docs',
  simulator: '/simulator',
  'demo-shop': '/demo-shop',
}

export const open: Command = {
  prints: 'text or JSON',
  usage: `[PAGE] ${REMOTE_USAGE} [--json]`,
  summary: 'Prints a sandbox URL and, in a terminal, opens your browser',
  details: `\nPages: ${Object.keys(PAGES).join(', ')}. In this clone, the dashboard's URL signs you in, once.\n${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = { ...REMOTE_OPTIONS, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [page = 'start', ...more] = positionals
    const path = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
    if (path === undefined || more.length > 0)
      throw new UsageError(`PAGE must be one of ${Object.keys(PAGES).join(', ')}.`)
    const { credentials } = await connect(context, values) // fails if no gateway responds at the URL
    const link = page === 'dashboard' ? await signInLink(context, values) : undefined
    const address = link ?? credentials.baseUrl + path
    if (values.json === true) print(context, { address })
    else context.out(`${address}\n`)
    if (context.isTerminal === true) openBrowser(address)
    return 0
  },
}

/** Creates a sign-in link to the dashboard of this clone's sandbox; undefined for another gateway or merchant. */
async function signInLink(context: CommandContext, values: { merchant?: string; credentials?: string }) {
  if ((values.merchant ?? values.credentials ?? context.env['KOBO_CREDENTIALS']) !== undefined) return undefined
  return withCore(context, async ({ core, config, baseUrl }) =>
    config.environment === 'sandbox' ? demoSignInLink(core, config.dashboardUrl ?? baseUrl) : undefined,
  )
}

/** Opens the URL in the default browser, if there is one. */
function openBrowser(address: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  spawn(program, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
