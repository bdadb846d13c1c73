import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { seededRandom } from '@kobo/gateway/features/sandbox/index.ts'
import { type Command, isHttpUrl, print, UsageError } from '../../../command.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from '../remote.ts'
import { openApiProxy } from './api-proxy.ts'
import { CRITERIA, type Criterion, PLAIN, SCENARIOS, type Scenario } from './scenarios.ts'
import { openShop, SetUpError, type ShopUrls } from './shop.ts'
import { Mistake, openStage, PACES, type Pace, type Stage } from './stage.ts'

const PORT_DEFAULT = '8790'
const SEED_MAX = 1_000_000

interface Result {
  readonly scenario: string
  readonly criterion: Criterion
  readonly isPassed: boolean
  /** The mistake of the shop. */
  readonly problem: string | undefined
}

export const checkIntegration: Command = {
  prints: 'text or JSON',
  usage: `--order URL --deliveries URL --webhook URL [--port PORT] [--seed SEED] [--fast] ${REMOTE_USAGE} [--json]`,
  summary: 'Tests your own shop against duplicate, forged, late and lost messages, and prints a score',
  details: `
Your shop needs three URLs, and the base URL http://localhost:PORT (default ${PORT_DEFAULT}) for Kobo's API while the check runs:

  --order URL        POST creates an order and its payment (init-transaction)
  --deliveries URL   GET returns {"deliveries": 1}: how often the goods of an order were delivered. {reference} in the URL stands for
                     the payment reference, and {NAME} for a field of the order's JSON response
  --webhook URL      receives webhooks

The check takes about two minutes; --fast shortens all pauses. --seed repeats a run. It works in the sandbox only, moves its clock
forward by an hour, and turns the merchant's webhook URLs off while it runs; additional endpoints stay as they are. Exit code 1 if the
score is below 100. --json prints {"score", "seed", "results": [{"scenario", "criterion", "isPassed", "problem", "guide"}]}.
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = readOptions(args)
    const { seed, isJson } = options
    const remote = await connect(context, options.merchant)
    const show = isJson ? () => {} : context.out
    const results = await check(remote, options, show)
    const score = Math.floor((100 * results.filter(({ isPassed }) => isPassed).length) / (SCENARIOS.length + 1))
    const guideOf = (criterion: Criterion) => `/docs/guides/${CRITERIA[criterion].guide}`
    const { baseUrl } = remote.credentials
    const urlOfGuide = (criterion: Criterion) => baseUrl + guideOf(criterion)
    const saved = results.map(({ scenario, criterion, isPassed, problem }) => ({
      scenario,
      isPassed,
      problem: problem?.slice(0, contract.PROBLEM_LENGTH_MAX) ?? null,
      guide: guideOf(criterion),
    }))
    if (isJson)
      print(context, { score, seed, results: results.map((one) => ({ ...one, guide: urlOfGuide(one.criterion) })) })
    else show(summaryOf(results, urlOfGuide, score, seed))
    await remote.call(contract.saveReport, { body: { score, seed, results: saved } })
    show(`Your team sees this report at ${baseUrl}/dashboard/check-integration\n`)
    return score === 100 ? 0 : 1
  },
}

interface CheckOptions {
  readonly urls: ShopUrls
  readonly port: number
  readonly seed: number
  readonly pace: Pace
  readonly isJson: boolean
  readonly merchant: { readonly merchant?: string | undefined; readonly credentials?: string | undefined }
}

function readOptions(args: string[]): CheckOptions {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const own = { order: text, deliveries: text, webhook: text, port: text, seed: text, fast: flag, json: flag }
  const { values } = parseArgs({ args, options: { ...REMOTE_OPTIONS, ...own } })
  return {
    urls: {
      order: urlOf(values.order, '--order'),
      deliveries: urlOf(values.deliveries, '--deliveries'),
      webhook: urlOf(values.webhook, '--webhook'),
    },
    port: numberOf(values.port ?? PORT_DEFAULT, '--port', 65_535),
    seed: numberOf(values.seed ?? String(randomInt(SEED_MAX)), '--seed', SEED_MAX),
    pace: PACES[values.fast ? 'fast' : 'normal'],
    isJson: values.json,
    merchant: values,
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs all scenarios, and restores the merchant's settings even after Ctrl-C. */
async function check(
  remote: Remote,
  { urls, port, seed, pace }: CheckOptions,
  show: (text: string) => void,
): Promise<readonly Result[]> {
  const random = seededRandom(seed)
  const ended = new AbortController()
  const end = (): void => ended.abort()
  await checkEndpoints(remote, urls)
  return withoutWebhookUrls(remote, async () => {
    const proxy = await openApiProxy(remote.credentials.baseUrl, port)
    for (const signal of SIGNALS) process.once(signal, end)
    try {
      show(`Seed ${seed}. Your shop must use ${proxy.url} as the base URL of Kobo's API.\n\n`)
      const shop = openShop(urls, proxy)
      const stage = await openStage({ remote, proxy, shop, random, pace, signal: ended.signal })
      return await play(stage, shuffled(SCENARIOS, random.part), ({ scenario, problem }) =>
        show(problem === undefined ? `  passed  ${scenario}\n` : `  FAILED  ${scenario}: ${problem}\n`),
      )
    } finally {
      for (const signal of SIGNALS) process.off(signal, end)
      await proxy.close()
    }
  })
}

function urlOf(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`${option} is required.`)
  if (!isHttpUrl(value)) throw new UsageError(`${option} must be an http or https URL.`)
  return value
}

function numberOf(value: string, option: string, most: number): number {
  if (!/^\d{1,7}$/.test(value) || Number(value) > most) throw new UsageError(`${option} must be 0 to ${most}.`)
  return Number(value)
}

function shuffled<Item>(items: readonly Item[], part: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, place: part() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** Additional webhook endpoints keep working during the check, so none may send to the shop that is checked. */
async function checkEndpoints({ call }: Remote, { webhook }: ShopUrls): Promise<void> {
  const endpoints = await call(contract.listWebhookEndpoints, {})
  const same = endpoints.find(({ url, isPaused }) => !isPaused && new URL(url).href === new URL(webhook).href)
  if (same !== undefined)
    throw new UsageError(
      `Your additional webhook endpoint ${same.id} sends events to ${webhook} too. Pause it in the dashboard under Webhooks while the check runs.`,
    )
}

/** Turns the merchant's webhook URLs off for `work`, since every webhook must come from the check. */
async function withoutWebhookUrls<T>({ call }: Remote, work: () => Promise<T>): Promise<T> {
  const { webhookUrl, webhookUrls } = await call(contract.getSettings, {}).catch((error: unknown) => {
    if (error instanceof contract.Refused && error.status === 404)
      throw new UsageError('This command works in the sandbox only.')
    throw error
  })
  const isSet = [webhookUrl, ...Object.values(webhookUrls)].some((url) => url !== null)
  if (isSet) await call(contract.changeSettings, { body: { webhookUrl: null, webhookUrls: null } })
  try {
    return await work()
  } finally {
    if (isSet) await call(contract.changeSettings, { body: { webhookUrl, webhookUrls } })
  }
}

/** Runs the plain order, then the other scenarios. */
async function play(
  stage: Stage,
  scenarios: readonly Scenario[],
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const one = async ({ name, criterion, play }: Scenario): Promise<void> => {
    const problem = await play(stage).catch((error: unknown) => {
      if (error instanceof Mistake || (error instanceof SetUpError && results.length > 0)) return error.message
      throw error
    })
    const result = { scenario: name, criterion, isPassed: problem === undefined, problem }
    results.push(result)
    onResult(result)
  }
  await one(PLAIN)
  for (const scenario of scenarios) await one(scenario)
  return results
}

function summaryOf(
  results: readonly Result[],
  guideOf: (criterion: Criterion) => string,
  score: number,
  seed: number,
): string {
  const lines = Object.entries(CRITERIA).map(([key, { title }]) => {
    const own = results.filter(({ criterion }) => criterion === key)
    const passed = own.filter(({ isPassed }) => isPassed).length
    const guide = passed === own.length ? '' : `  see ${guideOf(key as Criterion)}`
    return `  ${title.padEnd(42)} ${passed} of ${own.length}${guide}`
  })
  return `\n${lines.join('\n')}\n\nScore: ${score} of 100. Repeat this run with --seed ${seed}.\n`
}
