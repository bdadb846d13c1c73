import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import type { TestGateway } from '../../gateway/test/harness/gateway.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { DEPLOY, runTool, textOf } from './tools.ts'

const RULES = textOf('deploy/prometheus/rules.yml')
const MEASURED = new Set([...RULES.matchAll(/\bkobo_[a-z_]+/g)].map(([name]) => name))

/** The values of a scrape, by series. */
export type Scrape = ReadonlyMap<string, number>

/** The samples of a scrape that our alerts use; undefined if the gateway does not respond. */
async function scrape(url: string): Promise<Scrape | undefined> {
  const text = await fetch(`${url}/metrics`).then(
    (response) => response.text(),
    () => undefined,
  )
  if (text === undefined) return undefined
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (!MEASURED.has(name) || !Number.isFinite(Number(value))) continue
    samples.set(`${name}{${[labels, 'instance="a"', 'job="kobo"'].filter(Boolean).join(',')}}`, Number(value))
  }
  return samples
}

interface Check {
  readonly alert: string
  /** The minute at which it is checked. */
  readonly minute: number
  readonly fires: boolean
}

/**
 * Records what Prometheus scrapes before, during and after faults: each scrape is treated as a minute. A series that a
 * scrape lacks has no value in that minute, as in Prometheus.
 */
export function record(firstUrl: string) {
  let url = firstUrl
  const scrapes: (Scrape | undefined)[] = []
  const checks: Check[] = []
  const minutes = async (count: number): Promise<void> => {
    for (let minute = 0; minute < count; minute++) scrapes.push(await scrape(url))
  }
  const check = (alert: string, fires: boolean): void => {
    assert.ok(RULES.includes(`- alert: ${alert}\n`), alert)
    checks.push({ alert, minute: scrapes.length - 1, fires })
  }
  return {
    minutes,
    /** Waits until a fault shows in the metrics. */
    untilMeasured: async (isSo: (samples: Scrape) => boolean): Promise<void> =>
      until('it is measured', async () => {
        const samples = await scrape(url)
        return samples !== undefined && isSo(samples)
      }),
    /** Lets minutes pass in which nothing changes. */
    hold: (count: number): void => void scrapes.push(...Array<Scrape | undefined>(count).fill(scrapes.at(-1))),
    /** The alert must not fire at the last scrape. */
    quiet: (alert: string): void => check(alert, false),
    /** The alert must fire at the last scrape. */
    fires: (alert: string): void => check(alert, true),
    /** The gateway is another process from now on. */
    moveTo: (nextUrl: string): void => {
      url = nextUrl
    },
    /** Evaluates our rules over everything recorded. */
    evaluate: (): void => evaluate(scrapes, checks),
  }
}
export type Recording = ReturnType<typeof record>

/** A missing value: nothing before the first value, and a mark that the series has ended after the last. */
const valuesOf = (scrapes: readonly (Scrape | undefined)[], series: string): string => {
  let before: number | undefined
  return scrapes
    .map((samples) => {
      const value = samples?.get(series)
      const text = value === undefined ? (before === undefined ? '_' : 'stale') : String(value)
      before = value
      return text
    })
    .join(' ')
}

function evaluate(scrapes: readonly (Scrape | undefined)[], checks: readonly Check[]): void {
  const names = new Set(scrapes.flatMap((samples) => [...(samples?.keys() ?? [])]))
  const series = [...names].map((name) => ({ series: name, values: valuesOf(scrapes, name) }))
  const up = scrapes.map((samples) => (samples === undefined ? '0' : '1')).join(' ')
  const test = {
    interval: '1m',
    input_series: [...series, { series: 'up{instance="a",job="kobo"}', values: up }],
    promql_expr_test: checks.map(({ alert, minute, fires }) => ({
      expr: `group by (alertname) (ALERTS{alertstate="firing",alertname="${alert}"})`,
      eval_time: `${minute}m`,
      exp_samples: fires ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
    })),
  }
  const folder = ownFolder('alerts')
  writeFileSync(
    join(folder, 'alerts.json'),
    JSON.stringify({ rule_files: [join(DEPLOY, 'prometheus/rules.yml')], evaluation_interval: '1m', tests: [test] }),
  )
  const { code, output } = runTool(folder, 'promtool', 'test', 'rules', 'alerts.json')
  assert.equal(code, 0, output)
}

/** Whether any series of a metric with these labels is above a value. */
export const isAbove =
  (metric: string, labels: string, limit = 0) =>
  (samples: Scrape): boolean =>
    [...samples].some(([name, value]) => name.startsWith(`${metric}{`) && name.includes(labels) && value > limit)

/** Faults by the alert that each of them fires, after the minutes that it records. */
export type CausedFaults = Readonly<Record<string, (shop: TestGateway, recording: Recording) => Promise<void>>>

/** Causes the faults one after the other: each alert is quiet until its fault, and then fires. */
export async function recordFaults(shop: TestGateway, faults: CausedFaults): Promise<void> {
  const recording = record(shop.url)
  await recording.minutes(20)
  for (const [alert, fault] of Object.entries(faults)) {
    recording.quiet(alert)
    await fault(shop, recording)
    recording.fires(alert)
  }
  recording.evaluate()
}
