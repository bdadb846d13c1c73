import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import * as contract from '@kobo/contract'
import { GIVEN_FIELDS } from '@kobo/contract/openapi'
import type { Static } from 'typebox'
import { npmInstall } from '../../../../sdk/test/npm.ts'
import { NOT_IN_STORY, STORY, type Step } from '../../../../tools/api-story.ts'
import {
  type ApiResponse,
  type Call,
  callsOf,
  type Document,
  documentOf,
  type Operation,
} from '../../../src/features/site/docs/document.ts'
import { curlOf } from '../../../src/features/site/docs/reference.ts'
import { ownFolder } from '../../harness/clear-up.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'

const run = promisify(execFile)

type StatusRecord = Static<typeof contract.TransactionStatusRecord>
const COLLECTION = fileURLToPath(new URL('../../../../docs/reference/postman.json', import.meta.url))

interface Item {
  readonly name: string
  readonly event: readonly [{ readonly script: { readonly exec: readonly string[] } }]
  readonly request: {
    readonly method: string
    readonly url: string
    readonly auth?: { readonly type: string }
    readonly body?: { readonly raw: string }
  }
}

const variablesOf = ({ url, credentials }: TestGateway): Record<string, string> => {
  const { apiKey, secretKey, contractCode, walletAccountNumber } = credentials
  return { baseUrl: url, apiKey, secretKey, contractCode, walletAccountNumber }
}

slow('every call of the Postman collection succeeds, twice, and the webhook URL stays the same', async (t) => {
  const shop = await gateway(t)
  const { webhookUrl } = await shop.call(contract.getMerchantSettings, {})
  const { item } = JSON.parse(readFileSync(COLLECTION, 'utf8')) as { item: readonly { item: readonly Item[] }[] }
  const variables = variablesOf(shop)
  for (const request of [...item, ...item].flatMap((chapter) => chapter.item)) await send(shop, request, variables)
  assert.equal((await shop.call(contract.getMerchantSettings, {})).webhookUrl, webhookUrl)
  const included = new Set([...Object.values(STORY).flatMap((steps) => steps.map(({ name }) => name)), ...NOT_IN_STORY])
  assert.deepEqual(
    contract.ROUTES.map(({ name }) => name).filter((name) => !included.has(name)),
    [],
    'every call is in the story',
  )
})

/** Sends a request and runs its script, as Postman does. */
async function send(shop: TestGateway, { name, event, request }: Item, variables: Record<string, string>) {
  const filled = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables[key] ?? assert.fail(`${name}: ${key} is not set`))
  const { apiKey, secretKey, token } = variables
  const login = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  const { status, text } = await shop.send(request.method, filled(request.url).slice(shop.url.length), {
    headers: request.auth?.type === 'noauth' ? {} : { authorization: request.auth ? login : `Bearer ${token}` },
    ...(request.body === undefined ? {} : { body: JSON.parse(filled(request.body.raw)) }),
  })
  const pm = {
    test: (_: string, check: () => void) => check(),
    response: {
      to: { have: { status: (wanted: number) => assert.equal(status, wanted, `${name}: ${text}`) } },
      json: () => JSON.parse(text),
    },
    collectionVariables: { set: (key: string, value: unknown) => Object.assign(variables, { [key]: String(value) }) },
  }
  runInNewContext(event[0].script.exec.join('\n'), { pm })
}

const STEPS = Object.values(STORY).flat()
/** The first calls of the story, which show at once that samples run. */
const FIRST_STEPS = 20

test('samples of the reference run as pasted, with the values of earlier responses', async (t) => {
  await runSamples(t, STEPS.slice(0, FIRST_STEPS))
})

slow('every sample of the reference runs as pasted', async (t) => {
  await runSamples(t, STEPS)
})

test('the example of a charged card token shows the card as the response does', async (t) => {
  const names = ['login', 'initTransaction', 'chargeCard', 'getTransaction', 'chargeCardToken']
  const steps = names.flatMap((name) => STEPS.findLast((step) => step.name === name) ?? assert.fail(name))
  const { response, example } = await runSamples(t, steps)
  const card = ({ paymentMethod, cardDetails, accountDetails, accountPayments }: StatusRecord) => [
    { ...cardDetails, cardToken: null },
    { paymentMethod, accountDetails, accountPayments },
  ]
  assert.deepEqual(card(example), card(response))
})

/** Runs the samples one after the other, and returns the last response and its example. */
async function runSamples(t: TestContext, steps: readonly Step[]) {
  const shop = await gateway(t)
  const variables = variablesOf(shop)
  const reference = referenceOf(shop)
  for (const step of steps.slice(0, -1)) await runSample(reference(), step, variables)
  const [last = assert.fail()] = steps.slice(-1)
  const { responseBody: response } = JSON.parse(await runSample(reference(), last, variables))
  const success = reference().calls.get(last.name)?.operation.responses['200'] as ApiResponse
  const shown = success.content?.['application/json'].example as { readonly responseBody: StatusRecord }
  return { response: response as StatusRecord, example: shown.responseBody }
}

interface Reference {
  readonly document: Document
  readonly calls: ReadonlyMap<string, Call>
}

/** Returns the reference with examples for the sandbox's day. */
function referenceOf({ core }: TestGateway): () => Reference {
  const byDay = new Map<string, Reference>()
  return () => {
    const now = core.clock.now()
    const day = now.toISOString().slice(0, 10)
    const known = byDay.get(day)
    if (known !== undefined) return known
    const document = documentOf('sandbox', now)
    const calls = document.tags.flatMap(({ name }) => callsOf(document, name))
    const made = { document, calls: new Map(calls.map((call) => [call.operation.operationId, call])) }
    byDay.set(day, made)
    return made
  }
}

/** Runs a sample in a shell whose variables are the values of earlier responses. */
async function runSample({ document, calls }: Reference, step: Step, variables: Record<string, string>) {
  const filled = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables[key] ?? assert.fail(`${step.name}: ${key} is not set`))
  const call = calls.get(step.name) ?? assert.fail(step.name)
  const but = Object.fromEntries(Object.entries(step.but ?? {}).map(([name, text]) => [name, filled(text)]))
  const sample = curlOf(document, { ...call, operation: changed(call.operation, step, but, filled) })
  const env = { PATH: process.env['PATH'], ...variables, ...but }
  const { stdout } = await run('sh', ['-c', `${sample} \\\n  -sS -w '\\n%{http_code}'`], { env })
  const [, text = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? []
  assert.equal(status, '200', `${sample}\n${stdout}`)
  const gives = { ...(step.name === 'login' ? { token: 'body.accessToken' } : {}), ...step.gives }
  for (const [name, expression] of Object.entries(gives))
    variables[name] = String(runInNewContext(expression, { body: JSON.parse(text).responseBody }))
  return text
}

/** The operation with the values that the step has in place of the example's. */
function changed(
  { parameters, requestBody, ...operation }: Operation,
  { also }: Step,
  but: Readonly<Record<string, string>>,
  filled: (text: string) => string,
): Operation {
  const content = requestBody?.content['application/json']
  const body = also === undefined ? (content?.example ?? {}) : { ...Object(content?.example), ...also }
  const given = JSON.stringify(body, (name, value: unknown) => {
    const instead = but[name]
    if (instead === undefined || typeof value === 'object') return value
    return typeof value === 'number' ? Number(instead) : instead
  })
  const example: unknown = JSON.parse(filled(given.replaceAll(/"#(\{\{\w+\}\})#"/g, '$1')))
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) =>
        'name' in one && but[one.name] !== undefined ? { ...one, example: but[one.name] } : one,
      ),
    }),
    ...(content && { requestBody: { content: { 'application/json': { ...content, example } } } }),
  }
}

test('responses of the story give every variable of a sample', () => {
  const given = new Set(STEPS.flatMap(({ gives }) => Object.keys(gives ?? {})))
  const { accountNumber: _, ...rest } = GIVEN_FIELDS // `toPay` in the story
  assert.deepEqual(
    Object.keys(rest).filter((name) => !given.has(name)),
    [],
  )
})

slow('newman runs the Postman collection', async (t) => {
  const folder = ownFolder('newman')
  writeFileSync(join(folder, 'package.json'), '{}')
  const problem = await npmInstall(folder, 'newman@6')
  if (problem !== undefined) return t.skip(problem)
  const shop = await gateway(t)
  const values = Object.entries(variablesOf(shop)).flatMap(([key, value]) => ['--env-var', `${key}=${value}`])
  const newman = join(folder, 'node_modules/newman/bin/newman.js')
  await run(process.execPath, [newman, 'run', COLLECTION, ...values], { maxBuffer: 10_000_000 })
})
