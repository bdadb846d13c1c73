import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../../src/core/merchants/index.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { aMandate } from '../../harness/mandate-samples.ts'

type Mandate = Reply<typeof contract.authorizeMandate>

async function opened(shop: Shop, changes: Parameters<typeof aMandate>[1] = {}): Promise<Mandate> {
  const body = aMandate(shop, changes)
  await shop.call(contract.createMandate, { body })
  return statusOf(shop, body.mandateReference)
}

async function statusOf(shop: Shop, mandateReferences: string): Promise<Mandate> {
  const [mandate] = await shop.call(contract.getMandates, { query: { mandateReferences } })
  assert.ok(mandate !== undefined)
  return mandate
}

async function look(link: string): Promise<{ status: number; headers: Headers; text: string }> {
  const decide = await fetch(link)
  return { status: decide.status, headers: decide.headers, text: await decide.text() }
}

/** Submits the page's form, as a browser without script does. */
const submit = (link: string, decision: string): Promise<Response> =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })

const decisions = (text: string): string[] =>
  [...text.matchAll(/name="decision" value="(\w+)"/g)].map(([, it]) => it ?? '')

test('the page says that the total of a mandate that renews itself is for all its periods', async () => {
  const { authorizationLink } = await opened(await aShop(), { autoRenew: true, mandateAmount: 60_000 })
  const { text } = await look(authorizationLink ?? '')
  assert.ok(text.includes('₦60,000.00 at most in total, including renewals'))
})

test('the page behind the link shows the request, and authorizing there makes the mandate ACTIVE', async () => {
  const shop = await aShop()
  const mandate = await opened(shop, {
    customerName: '<b>Ada</b>',
    mandateDescription: 'Rent & <script>alert(1)</script>',
    debitAmount: 5_000,
    mandateAmount: 60_000,
  })
  const link = mandate.authorizationLink ?? ''
  const { status, headers, text } = await look(link)
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  for (const part of ['Demo Shop', '₦5,000.00 each time', '₦60,000.00 at most', '0123456789', 'GTBank', '₦50.00'])
    assert.ok(text.includes(part), part)
  assert.ok(text.includes('Rent &amp; &lt;script&gt;'))
  assert.ok(!text.includes('<script'))
  assert.deepEqual(decisions(text), ['authorize', 'refuse'])
  assert.equal((text.match(/<h1>/g) ?? []).length, 1)

  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /form-action 'self'(;|$)/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cache-control'), 'no-store')

  const agreed = await submit(link, 'authorize')
  assert.equal(agreed.status, 303)
  assert.equal(new URL(agreed.headers.get('location') ?? '', link).href, link)
  assert.equal((await statusOf(shop, mandate.mandateReference)).mandateStatus, 'ACTIVE')
  const afterwards = await look(link)
  assert.deepEqual(decisions(afterwards.text), [])
  assert.match(afterwards.text, /You authorized this direct debit/)
  assert.equal((await submit(link, 'authorize')).status, 303, 'agreeing twice is agreeing')
  assert.equal((await submit(link, 'refuse')).status, 400)
})

test('refusing makes the mandate FAILED and redirects to the merchant, which the page’s policy allows', async () => {
  const shop = await aShop()
  const mandate = await opened(shop, { redirectUrl: 'https://shop.example.com/done?basket=7' })
  const link = mandate.authorizationLink ?? ''
  assert.match(
    (await look(link)).headers.get('content-security-policy') ?? '',
    /form-action 'self' https:\/\/shop\.example\.com/,
  )
  const rejected = await submit(link, 'refuse')
  assert.equal(rejected.status, 303)
  const address = new URL(rejected.headers.get('location') ?? '')
  assert.deepEqual(
    [address.origin, address.pathname, Object.fromEntries(address.searchParams)],
    [
      'https://shop.example.com',
      '/done',
      { basket: '7', mandateReference: mandate.mandateReference, mandateCode: mandate.mandateCode },
    ],
  )
  const failed = await statusOf(shop, mandate.mandateReference)
  assert.deepEqual([failed.mandateStatus, failed.authorizationLink], ['FAILED', null])
  await shop.rejected(400, contract.authorizeMandate, { params: mandate })
})

test('a customer may cancel only if the mandate allows it', async () => {
  const shop = await aShop()
  for (const customerCancellation of [true, false]) {
    const mandate = await opened(shop, { customerCancellation })
    const link = mandate.authorizationLink ?? ''
    assert.equal(
      (await submit(link, 'cancel')).status,
      400,
      'a mandate that was never authorized is rejected, not cancelled',
    )
    await shop.call(contract.authorizeMandate, { params: mandate })
    assert.deepEqual(decisions((await look(link)).text), customerCancellation ? ['cancel'] : [])
    assert.equal((await submit(link, 'cancel')).status, customerCancellation ? 303 : 400)
    const { mandateStatus } = await statusOf(shop, mandate.mandateReference)
    assert.equal(mandateStatus, customerCancellation ? 'CANCELLED' : 'ACTIVE')
  }
})

test('after 7 days the page takes no decision any more', async (t) => {
  const shop = await gateway(t)
  const mandate = await opened(shop)
  await shop.advance(7 * 86_400)
  const link = mandate.authorizationLink ?? ''
  const { text } = await look(link)
  assert.match(text, /The authorization period has expired/)
  assert.deepEqual(decisions(text), [])
  assert.equal((await submit(link, 'authorize')).status, 400)
})

test('an invalid link is a page that cannot be found, and no other text opens a mandate', async () => {
  const shop = await aShop()
  const mandate = await opened(shop)
  const link = mandate.authorizationLink ?? ''
  const token = link.slice(link.lastIndexOf('/') + 1)
  const other = token.at(-5) === 'A' ? 'B' : 'A'
  for (const wrong of [
    'x',
    encodeURIComponent(mandate.mandateCode),
    `${token}A`,
    token.slice(0, -5) + other + token.slice(-4),
    'A'.repeat(54),
  ]) {
    const address = link.replace(token, wrong)
    assert.equal((await look(address)).status, 404, wrong)
    assert.equal((await submit(address, 'authorize')).status, 404, wrong)
  }
  for (const decision of ['', 'suspend', 'expire']) assert.equal((await submit(link, decision)).status, 400)
  assert.equal((await statusOf(shop, mandate.mandateReference)).mandateStatus, 'PENDING_AUTHORIZATION')
})

test('in live mode there is no such page and no link: the customer decides at the bank', async (t) => {
  const shop = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live' } })
  const { core, merchantId } = shop
  await core.directory.change(merchantId, ({ tx }) => updateMerchant(tx, merchantId, { permissions: ['directDebit'] }))
  const body = aMandate(shop)
  await shop.call(contract.createMandate, { body })
  const mandate = await statusOf(shop, body.mandateReference)
  assert.equal(mandate.authorizationLink, null)
  assert.match(mandate.authorizationMessage ?? '', /₦50\.00/)
  assert.equal((await look(`${shop.url}/direct-debit/authorize/${'A'.repeat(54)}`)).status, 404)
})
