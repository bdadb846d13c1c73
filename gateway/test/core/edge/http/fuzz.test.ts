import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES, type Route } from '@kobo/contract'
import { openLog } from '../../../../src/platform/observability/log.ts'
import { fuzzed } from '../../../harness/fuzz.ts'
import { basic, type Client, gateway, type TestGateway } from '../../../harness/gateway.ts'
import { type ApiResponse, checkRefusal, checkReply, parseEnvelope as read } from '../../../harness/responses.ts'
import { anAccount, inBatches, seededRandom, testSeed } from '../../../harness/samples.ts'
import { sendRequest } from '../../../harness/send-request.ts'
import { isShort } from '../../../harness/slow.ts'

/** More by KOBO_TEST_FUZZ=100000 npm test -- gateway/test/core/edge/http/fuzz.test.ts */
const INPUTS = Number(process.env['KOBO_TEST_FUZZ'] ?? (isShort ? 600 : 3_000))

/** Values with which an otherwise valid request passes the field checks. */
async function factsOf(shop: TestGateway): Promise<Readonly<Record<string, unknown>>> {
  const { accountNumber, bankCode, transactionReference } = await anAccount(shop)
  const { apiKey, contractCode, walletAccountNumber } = shop.credentials
  const own = { sourceAccountNumber: walletAccountNumber, walletAccountNumber, walletId: walletAccountNumber }
  return { apiKey, contractCode, accountNumber, bankCode, transactionReference, ...own, seconds: 1 }
}

const SECONDS_PASSED_MAX = 60

/** Requests that would move the clock by years are left to the tests of the clock. */
const isBearable = (route: Route, body: string | undefined): boolean => {
  const seconds = /"seconds":"?(\d+)/.exec(body ?? '')?.[1]
  return !route.path.endsWith('/clock/advance') || seconds === undefined || Number(seconds) <= SECONDS_PASSED_MAX
}

test(`any input to a route gets a response that the contract allows, never an internal error (seed ${testSeed})`, async (t) => {
  const faults: string[] = []
  const log = openLog('error', { write: (line: string) => void faults.push(line) })
  const shop = await gateway(t, { log })
  const facts = await factsOf(shop)
  // A merchant that changes its own whitelist or permissions must not lock out the others.
  const changing = await shop.anotherMerchant()
  const random = seededRandom(testSeed)
  const statuses = new Map<number, number>()

  await inBatches(INPUTS, async (nth) => {
    const { route } = ROUTES[nth % ROUTES.length] ?? assert.fail()
    const { path, headers, body } = fuzzed(route, facts, random)
    if (!isBearable(route, body)) return
    const client: Client = route.path === '/sandbox/settings' ? changing : shop
    const length: Record<string, string> =
      body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const authorization = route.access === 'keys' ? basic(client.credentials) : `Bearer ${client.token}`
    const response: ApiResponse = read(
      await sendRequest({
        method: route.method,
        url: shop.url + path,
        headers: { authorization, ...length, ...headers },
        body,
      }),
    )
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const sent = `seed ${testSeed}, input ${nth}: ${route.method} ${path.slice(0, 300)} ${body?.slice(0, 2_000)}`
    // Unreachable partners are simulated too; the contract has a response for them.
    assert.ok(response.status < 500 || response.status === 503, `${sent}\n${response.text}\n${faults.join('')}`)
    try {
      if (response.status === 200) checkReply(route, response)
      else checkRefusal(route, response)
    } catch (error) {
      assert.fail(`${sent}\n${(error as Error).message}`)
    }
  })
  assert.deepEqual(faults, [])
  assert.equal('polluted' in {}, false)
  t.diagnostic(`${INPUTS} inputs: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  for (const status of [200, 400]) assert.ok((statuses.get(status) ?? 0) > INPUTS / 50, `some responses are ${status}`)
})
