import type { getReport, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { useSettings } from '../api/use-settings.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { moment } from '../parts/format.ts'
import { Status } from '../parts/list/value.tsx'
import { LoadError, LoadingOrError } from '../parts/placeholders.tsx'
import { shellQuote } from '../parts/shell-quote.ts'
import type { ScreenProps } from '../shell/screen.ts'

const SHOP = 'http://localhost:3000'

/** Explains the check of an integration, and shows its command and the last report. */
export default function CheckIntegration({ me }: ScreenProps): JSX.Element {
  const { settings, problem } = useSettings()
  if (settings === undefined) return <LoadingOrError problem={problem} />
  const webhook = settings.webhookUrl ?? `${SHOP}/events`
  const command = [
    `./kobo check-integration --merchant ${me.merchant?.code}`,
    `--order ${SHOP}/buy`,
    `--deliveries ${shellQuote(`${SHOP}/orders/{reference}`)}`,
    `--webhook ${shellQuote(webhook)}`,
  ].join(' \\\n  ')
  return (
    <div class="stack">
      <h1>Check your integration</h1>
      <p>
        This command tests your own shop. For about two minutes it acts as a customer, an attacker and a bad network,
        then prints a score and, for each mistake, the guide to read.
      </p>
      <section class="panel stack" aria-labelledby="command">
        <div class="split-row">
          <h2 id="command">Run it in your clone of Kobo</h2>
          <CopyButton text={command} what="the command" />
        </div>
        <pre class="text">{command}</pre>
        <ul>
          <li>
            Replace the first two URLs with your shop’s: one creates an order, the other says how often its goods were
            delivered.
          </li>
          <li>
            While the check runs, your shop must use <code>http://localhost:8790</code> as the base URL of Kobo’s API.
          </li>
          <li>
            It moves the sandbox’s clock forward by an hour and turns your webhook URLs off while it runs. Additional
            endpoints stay as they are.
          </li>
        </ul>
        <p>
          <a href="/docs/guides/testing#check-your-integration">What your shop needs</a>
        </p>
      </section>
      <LastReport />
    </div>
  )
}

type Report = NonNullable<Reply<typeof getReport>['report']>

function LastReport(): JSX.Element | null {
  const { body, problem } = useReply(routes.getReport, {})
  if (body === undefined) return <LoadError problem={problem} />
  const { checkedAt, report } = body
  if (checkedAt === null || report === null) return null
  return (
    <section class="panel stack" aria-labelledby="report">
      <h2 id="report">Last score: {report.score} of 100</h2>
      <p class="quiet">
        <time dateTime={checkedAt}>{moment(checkedAt)}</time>. Repeat this run with <code>--seed {report.seed}</code>.
      </p>
      <ul class="rows">
        {[false, true].flatMap((isPassed) =>
          report.results
            .filter((result) => result.isPassed === isPassed)
            .map((result) => <ReportRow key={result.scenario} {...result} />),
        )}
      </ul>
    </section>
  )
}

const ReportRow = ({ scenario, isPassed, problem, guide }: Report['results'][number]): JSX.Element => (
  <li class="split-row">
    <span>
      {scenario.replace(/^./, (letter) => letter.toUpperCase())}
      {problem !== null && (
        <>
          : {problem}. <a href={guide}>Read the guide</a>
        </>
      )}
    </span>
    <Status status={isPassed ? 'PASSED' : 'FAILED'} />
  </li>
)
