import { parseArgs } from 'node:util'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { NOT_SEEN, type TrialReport, tryAdapter, type Verdict } from '@kobo/rails/trial/index.ts'
import { type Command, print, UsageError } from '../command.ts'

const TIMEOUT_SECONDS = 25
const TIMEOUT_SECONDS_MAX = 600

export const railsCheck: Command = {
  prints: 'text or JSON',
  usage: 'URL [--secret-env NAME] [--timeout SECONDS] [--json]',
  summary: 'Puts an adapter to the trial: what every adapter must do; exit code 1 if it does not',
  details: `
URL is what KOBO_RAILS_URL would be. The secret is taken from KOBO_RAILS_SECRET, or from the variable that --secret-env
names. It sends to the accounts, cards and customers that the manifest names under trial, and to nobody else: what an
adapter names there must move no real money. --json prints {manifest, verdicts, notSeen}.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'secret-env': text, timeout: text, json: { type: 'boolean' } },
    })
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError('Name the adapter by one http or https address.')
    const name = values['secret-env'] ?? 'KOBO_RAILS_SECRET'
    const secret = around.env[name]?.trim()
    if (!secret) throw new UsageError(`The secret of the adapter is missing: set ${name}.`)
    const seconds = Number(values.timeout ?? TIMEOUT_SECONDS)
    if (!(seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX))
      throw new UsageError(`--timeout must be seconds, up to ${TIMEOUT_SECONDS_MAX}.`)
    const report = await tryAdapter({
      url: url.replace(/\/+$/, ''),
      secret: hidden(secret),
      wall: around.wall ?? wallClock,
      timeoutMilliseconds: seconds * 1_000,
    })
    if (values.json === true) print(around, { ...report, notSeen: NOT_SEEN })
    else around.out(asText(report))
    return report.verdicts.some(({ result }) => result === 'failed') ? 1 : 0
  },
}

function asText({ manifest, verdicts }: TrialReport): string {
  const head =
    manifest === undefined
      ? []
      : [`${manifest.partner.name} (${manifest.software}): ${manifest.capabilities.join(', ')}`, '']
  const count = (wanted: Verdict['result']): string =>
    `${verdicts.filter(({ result }) => result === wanted).length} ${wanted}`
  return [
    ...head,
    ...verdicts.flatMap(lines),
    '',
    `${count('passed')}, ${count('failed')}, ${count('skipped')}`,
    'Not seen from here:',
    ...NOT_SEEN.map((what) => `  - ${what}`),
    '',
  ].join('\n')
}

function lines({ result, title, reason, why }: Verdict): readonly string[] {
  if (result === 'passed') return [`  passed   ${title}`]
  if (result === 'skipped') return [`  skipped  ${title}`, `           ${reason}`]
  return [`  FAILED   ${title}`, `           found: ${reason}`, `           why it matters: ${why}`]
}
