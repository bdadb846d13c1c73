import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { runVerification } from '../../gateway/src/app/ledger.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { gateway } from '../../gateway/test/harness/gateway.ts'
import { anAccount, CARDS, charge, openTransaction, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { webhookEndpoint } from '../../gateway/test/harness/webhook-endpoint.ts'
import { DEPLOY, freePorts, runTool, startTool, textOf, without } from './tools.ts'

const RULES = textOf('deploy/prometheus/rules.yml')
const DASHBOARD = JSON.parse(textOf('deploy/grafana/dashboard.json')) as {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}
const QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const FOLDER = join(DEPLOY, 'prometheus')

test('each alert has a chapter in the runbook: Means, Look, Do, Never', () => {
  const chapters = textOf('docs/operate/runbook.md').split(/^## /m).slice(1)
  assert.deepEqual(
    chapters.map((chapter) => chapter.split('\n')[0]),
    ALERTS,
  )
  for (const chapter of chapters)
    for (const part of ['Means', 'Look', 'Do', 'Never'])
      assert.match(chapter, new RegExp(`^\\*\\*${part}:\\*\\* \\S`, 'm'))
})

test('every metric in the rules and the dashboard is described in monitoring.md', () => {
  const described = textOf('docs/operate/monitoring.md')
  for (const [name] of [RULES, ...QUERIES.map(({ expr }) => expr)].join('\n').matchAll(/\bkobo_[a-z_]+/g)) {
    const base = name.replace(/_(bucket|count|sum)$/, '')
    assert.ok(described.includes(`\`${base}\``), `${base} is not described`)
  }
})

test('monitoring.md lists each alert with its fault, and the test that causes it', () => {
  const rows = [
    ...textOf('docs/operate/monitoring.md').matchAll(
      /^\| \[(Kobo\w+)\]\(\S+\) \| (.+) \| \[.*\]\(\.\.\/\.\.\/(\S+)\) \|$/gm,
    ),
  ]
  assert.deepEqual(
    rows.map(([, alert]) => alert),
    ALERTS,
  )
  const rules = RULES.split('- alert: ')
  for (const [, alert = '', , file = ''] of rows) {
    const metrics = [...(rules.find((rule) => rule.startsWith(`${alert}\n`)) ?? '').matchAll(/\bkobo_[a-z_]+/g)]
    const names = [alert, ...metrics.map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))]
    assert.ok(
      names.some((name) => textOf(file).includes(name)),
      `${file} does not test ${alert}`,
    )
  }
})

slow(
  'Prometheus accepts the rules, and each alert fires only when it should',
  {
    skip: without('promtool', 'prometheus'),
  },
  () => {
    for (const args of [
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'rules.test.yml', 'rules-by-day.test.yml'],
    ]) {
      const { code, output } = runTool(FOLDER, 'promtool', ...args)
      assert.equal(code, 0, output)
    }
    const tried = textOf('deploy/prometheus/rules.test.yml') + textOf('deploy/prometheus/rules-by-day.test.yml')
    for (const alert of ALERTS)
      for (const how of ['fires', 'is quiet']) assert.ok(tried.includes(`- name: ${alert} ${how}\n`), `${alert} ${how}`)
  },
)

/** Starts a Prometheus that scrapes a gateway every second; returns a function to query it. */
async function prometheusAt(t: TestContext, gatewayUrl: string) {
  const [port = 0] = await freePorts(1)
  const folder = ownFolder('prometheus')
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `scrape_configs: [{ job_name: kobo, scrape_interval: 1s, static_configs: [{ targets: ['${new URL(gatewayUrl).host}'] }] }]\n`,
  )
  const output = startTool(
    t,
    'prometheus',
    `--web.listen-address=127.0.0.1:${port}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--config.file=${config}`,
  )
  return async (query: string): Promise<readonly { readonly value: readonly [number, string] }[]> => {
    const url = `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`
    const response = await fetch(url).catch(() => undefined)
    if (response === undefined || response.status === 503) return [] // still starting
    const body = (await response.json()) as { status: string; error?: string; data: { result: [] } }
    assert.equal(body.status, 'success', `${query}: ${body.error}\n${output()}`)
    return body.data.result
  }
}

/** Queries that are empty without problems and with only the sandbox's own partner. */
const EMPTY_IF_HEALTHY = [
  'max by (of) (kobo_partner_breaker_open)',
  'max by (slot) (kobo_order_slots_resting)',
  'kobo_partner_answer_seconds_bucket',
]

slow(
  'each query of the dashboard returns a value for a gateway under load',
  {
    skip: without('prometheus'),
  },
  async (t) => {
    const events = await webhookEndpoint(t)
    const shop = await gateway(t, { env: { KOBO_RATE_LIMIT: '100000' } })
    await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: events.url } } })
    const at = new Date()
    await runVerification(shop.db, { isWhole: false, checkpointFile: undefined, at, onProgress: () => {} })
    const runQuery = await prometheusAt(t, shop.url)
    let isOver = false
    t.after(() => {
      isOver = true
    })
    const load = (async () => {
      while (!isOver) {
        await pay(shop, await anAccount(shop), 5_000)
        await charge(shop, await openTransaction(shop), CARDS.success)
      }
    })()
    for (const { title, expr } of QUERIES.filter(({ expr }) => !EMPTY_IF_HEALTHY.some((part) => expr.includes(part))))
      await until(`${title} has values`, async () => {
        const results = await runQuery(expr.replaceAll('$__rate_interval', '30s').replaceAll('$instance', '.*'))
        return results.some(({ value: [, value] }) => Number.isFinite(Number(value)))
      })
    isOver = true
    await load
    for (const { expr } of QUERIES)
      await runQuery(expr.replaceAll('$__rate_interval', '30s').replaceAll('$instance', '.*'))
  },
)
