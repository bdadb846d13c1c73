import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../../src/core/merchants/index.ts'
import { aShop, type Shop } from '../../harness/gateway.ts'
import { aCard, aTransaction, CARDS, checkoutReferenceOf } from '../../harness/samples.ts'

const stand = ({ core, merchantId }: Shop, status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED') =>
  core.directory.change(merchantId, (unit) => updateMerchant(unit.tx, merchantId, { standing: status }))

const aCheckout = async (shop: Shop) => {
  const { checkoutUrl } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  return { checkoutReference: checkoutReferenceOf(checkoutUrl) }
}

for (const standing of ['SUSPENDED', 'CLOSED'] as const)
  test(`payers of a merchant that is ${standing} see their payment read-only, and can pay once it is active again`, async () => {
    const shop = await aShop()
    const [params, opened] = [await aCheckout(shop), await aCheckout(shop)]
    const { account } = await shop.call(contract.checkoutTransfer, { params: opened, body: {} })
    assert.ok(account !== null)
    const { otp } = await shop.call(contract.checkoutCard, { params, body: { card: aCard(CARDS.otp) } })
    await stand(shop, standing)

    const seen = await shop.call(contract.getCheckout, { params: opened })
    assert.deepEqual(
      [seen.paused, seen.merchantName, seen.totalPayable, seen.paymentStatus, seen.paymentMethods, seen.account],
      [true, 'Demo Shop', 5_000, 'PENDING', [], null],
    )
    const actions = [
      () => shop.rejected(403, contract.checkoutTransfer, { params, body: {} }),
      () => shop.rejected(403, contract.checkoutUssd, { params, body: { bankCode: '058' } }),
      () => shop.rejected(403, contract.checkoutCard, { params, body: { card: aCard(CARDS.success) } }),
      () => shop.rejected(403, contract.checkoutOtp, { params, body: { tokenId: otp?.tokenId, token: '123456' } }),
      () => shop.rejected(403, contract.inlineCheckout, { body: anInline(shop) }),
    ]
    for (const act of actions) assert.equal((await act()).code, 'MERCHANT_TAKES_NO_PAYMENTS')
    await stand(shop, 'ACTIVE')
    const { status } = await shop.call(contract.checkoutOtp, {
      params,
      body: { tokenId: otp?.tokenId ?? '', token: '123456' },
    })
    assert.equal(status, 'SUCCESS')
  })

const anInline = ({ credentials }: Shop) => ({
  apiKey: credentials.apiKey,
  contractCode: credentials.contractCode,
  amount: 7_500,
  currency: 'NGN',
  reference: `web-${Math.random()}`,
  customerEmail: 'ada@example.com',
})

test('the page of a paused merchant says so in the payer’s language, shows no account number, and its form redirects to it', async () => {
  const shop = await aShop()
  const params = await aCheckout(shop)
  const { account } = await shop.call(contract.checkoutTransfer, { params, body: {} })
  await stand(shop, 'SUSPENDED')
  const path = `/checkout/${encodeURIComponent(params.checkoutReference)}`
  const english = await shop.send('GET', `${path}?bank=058`)
  assert.equal(english.status, 200)
  assert.match(english.text, /Demo Shop is not accepting payments at the moment\. Please do not send any money/)
  assert.ok(!english.text.includes(account?.accountNumber ?? 'none'))
  assert.match((await shop.send('GET', `${path}?lang=pcm`)).text, /Demo Shop no dey collect payment for now/)
  const sent = await shop.send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  })
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, path])
})
