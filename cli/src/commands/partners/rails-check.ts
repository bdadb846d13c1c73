import { parseArgs } from 'node:util'
import { type ConformanceReport, checkAdapter, NOT_SEEN, type Verdict } from '@kobo/connectors/conformance/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { type Command, isHttpUrl, print, UsageError } from '../../command.ts'

const TIMEOUT_SECONDS = 25
const TIMEOUT_SECONDS_MAX = 600

export const railsCheck: Command = {
  prints: 'text or JSON',
  usage: 'URL [--secret-env NAME] [--timeout SECONDS] [--json]',
  summary: 'Runs the conformance tests against a connector; exit code 1 if one fails',
  details: `
URL is the connector's URL, as in KOBO_RAILS_URL. The secret comes from KOBO_RAILS_SECRET or the variable in --secret-env. The tests
use only the accounts, cards and customers that the manifest lists under "trial", which must not move real money. --json prints
{manifest, verdicts, notSeen}.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'secret-env': text, timeout: text, json: { type: 'boolean' } },
    })
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0 || !isHttpUrl(url))
      throw new UsageError('Specify the connector by one http or https URL.')
    const name = values['secret-env'] ?? 'KOBO_RAILS_SECRET'
    const secret = context.env[name]?.trim()
    if (!secret) throw new UsageError(`The connector’s secret is missing. Set ${name}.`)
    const seconds = Number(values.timeout ?? TIMEOUT_SECONDS)
    if (!(seconds > 0 && seconds <= TIMEOUT_SECONDS_MAX))
      throw new UsageError(`--timeout must be at most ${TIMEOUT_SECONDS_MAX} seconds.`)
    const report = await checkAdapter({
      url: url.replace(/\/+$/, ''),
      secret: hidden(secret),
      wall: context.wall ?? wallClock,
      timeoutMilliseconds: seconds * 1_000,
    })
    if (values.json === true) print(context, { ...report, notSeen: NOT_SEEN })
    else context.out(asText(report))
    return report.verdicts.some(({ result }) => result === 'failed') ? 1 : 0
  },
}

function asText({ manifest, verdicts }: ConformanceReport): string {
  const head =
    manifest === undefined
      ? []
      : [`${manifest.partner.name} (${manifest.software}): ${manifest.capabilities.join(', ')}`, '']
  const count = (verdict: Verdict['result']): string =>
    `${verdicts.filter(({ result }) => result === verdict).length} ${verdict}`
  return [
    ...head,
    ...verdicts.flatMap(lines),
    '',
    `${count('passed')}, ${count('failed')}, ${count('skipped')}`,
    'Not tested:',
    ...NOT_SEEN.map((what) => `  - ${what}`),
    '',
  ].join('\n')
}

function lines({ result, title, reason, why }: Verdict): readonly string[] {
  if (result === 'passed') return [`  passed   ${title}`]
  if (result === 'skipped') return [`  skipped  ${title}`, `           ${reason}`]
  return [`  FAILED   ${title}`, `           found: ${reason}`, `           why it matters: ${why}`]
}
