import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import * as contract from '@kobo/contract'
import { NOT_IN_STORY, STORY } from '../../../../tools/api-story.ts'
import { callsOf, documentOf } from '../../../src/features/site/docs/document.ts'
import { curlOf } from '../../../src/features/site/docs/reference.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'

const run = promisify(execFile)
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

slow('every call of the Postman collection succeeds, from beginning to end and again', async (t) => {
  const shop = await gateway(t)
  const { item } = JSON.parse(readFileSync(COLLECTION, 'utf8')) as { item: readonly { item: readonly Item[] }[] }
  const variables = variablesOf(shop)
  for (const request of [...item, ...item].flatMap((chapter) => chapter.item)) await send(shop, request, variables)
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

/** Calls whose sample needs nothing from an earlier response. */
const INDEPENDENT = ['login', 'initTransaction', 'reserveAccount', 'initiateTransfer', 'createInvoice', 'listBanks']

test('samples of the reference run as pasted, with the variables of the first guide', async (t) => {
  const shop = await gateway(t)
  const document = documentOf('sandbox', shop.core.clock.now())
  const calls = document.tags.flatMap(({ name }) => callsOf(document, name))
  for (const name of INDEPENDENT) {
    const call = calls.find(({ operation }) => operation.operationId === name) ?? assert.fail(name)
    const env = { ...process.env, ...variablesOf(shop), token: shop.token }
    const { stdout } = await run('sh', ['-c', curlOf(document, call)], { env })
    assert.equal(JSON.parse(stdout).requestSuccessful, true, `${name}: ${stdout}`)
  }
})

slow('newman runs the Postman collection', { skip: whyNoNewman() }, async (t) => {
  const shop = await gateway(t)
  const newman = createRequire(import.meta.url).resolve('newman/bin/newman.js')
  const values = Object.entries(variablesOf(shop)).flatMap(([key, value]) => ['--env-var', `${key}=${value}`])
  await run(process.execPath, [newman, 'run', COLLECTION, ...values], { maxBuffer: 10_000_000 })
})

function whyNoNewman(): string | false {
  try {
    createRequire(import.meta.url).resolve('newman')
    return false
  } catch {
    return 'newman is not installed (npm install --no-save newman)'
  }
}
