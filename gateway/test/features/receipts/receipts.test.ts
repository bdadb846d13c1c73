import assert from 'node:assert/strict'
import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { commandsWith, settings } from '../../../../cli/test/commands.ts'
import { testWall } from '../../harness/clock.ts'
import { decideDispute, openDispute } from '../../harness/dispute-samples.ts'
import { aShop, type Client, gateway, type TestGateway } from '../../harness/gateway.ts'
import { textsIn } from '../../harness/pdf-text.ts'
import { refund, refundWithStatus } from '../../harness/refund-samples.ts'
import { aTransaction, checkoutReferenceOf, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const KEYS = '/.well-known/kobo-receipt-keys.json'

/** A payment by transfer, and the signed statement of its receipt. */
async function aReceipt(client: Client, amount: number) {
  const body = aTransaction(client, { amount })
  const { transactionReference, checkoutUrl } = await client.call(contract.initTransaction, { body })
  const params = { checkoutReference: checkoutReferenceOf(checkoutUrl) }
  const { account, receiptProof: before } = await client.call(contract.checkoutTransfer, { params, body: {} })
  assert.equal(before, null, 'nothing is paid')
  const sender = { senderName: 'BOLA ADE', senderAccountNumber: '0123452190', senderBankCode: '058' }
  assert.equal((await pay(client, account ?? assert.fail(), amount, sender)).status, 'ACCEPTED')
  const { receiptProof, paidOn } = await client.call(contract.getCheckout, { params })
  const [page = '', receipt = ''] = (receiptProof ?? '').split('#')
  return { transactionReference, checkoutUrl, page, receipt, paidOn: paidOn ?? assert.fail() }
}

type PublishedKey = JsonWebKey & { readonly kid: string }
const publishedBy = async (client: Client): Promise<readonly PublishedKey[]> => {
  const response = await client.send('GET', KEYS, { headers: { origin: 'https://elsewhere.example' } })
  assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, '*'])
  return JSON.parse(response.text).keys
}

/** Verifies a statement as any program can: by the published keys and WebCrypto alone. Returns its facts. */
async function verified(keys: readonly PublishedKey[], receipt: string): Promise<readonly unknown[] | undefined> {
  const [version, kid, payload = '', signature = ''] = receipt.split('.')
  const jwk = keys.find((key) => key.kid === kid)
  if (jwk === undefined) return undefined
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('jwk', jwk, ecdsa, false, ['verify'])
  const text = Buffer.from(`${version}.${kid}.${payload}`)
  const isSigned = await crypto.subtle.verify(ecdsa, key, Buffer.from(signature, 'base64url'), text)
  return isSigned ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : undefined
}

const altered = (receipt: string, change: (facts: unknown[]) => void): string => {
  const [version, kid, payload = '', signature] = receipt.split('.')
  const facts = JSON.parse(Buffer.from(payload, 'base64url').toString())
  change(facts)
  return [version, kid, Buffer.from(JSON.stringify(facts)).toString('base64url'), signature].join('.')
}

test('a receipt holds a signed statement of the payment and nothing about the payer, on the page and in the PDF', async () => {
  const shop = await aShop()
  const { page, receipt, transactionReference, checkoutUrl, paidOn } = await aReceipt(shop, 12_500)
  assert.equal(page, `${shop.url}/receipt`)
  const facts = await verified(await publishedBy(shop), receipt)
  const paidAt = Math.floor(paidOn / 1_000)
  const expected = ['Demo Shop', '12500.00', 'NGN', paidAt, transactionReference, 'ACCOUNT_TRANSFER', 'sandbox']
  assert.deepEqual(facts, expected)

  const pdf = await fetch(`${checkoutUrl}/receipt.pdf`)
  const caption = 'Scan to check that this receipt is genuine.'
  assert.ok(textsIn(Buffer.from(await pdf.arrayBuffer())).includes(caption))
  assert.ok((await shop.send('GET', new URL(checkoutUrl).pathname)).text.includes(caption))
})

test('an altered statement, and one signed with another key, are rejected', async () => {
  const shop = await aShop()
  const { receipt } = await aReceipt(shop, 5_000)
  const keys = await publishedBy(shop)
  const [version, kid, payload] = receipt.split('.')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = `${version}.${kid}.${payload}`
  const other = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const forged = [
    altered(receipt, (facts) => (facts[1] = '50000.00')),
    altered(receipt, (facts) => (facts[0] = 'Other Shop')),
    altered(receipt, (facts) => facts.pop()),
    `${text}.${other.toString('base64url')}`,
    `${text}.`,
    receipt.replace(/^r1\.\d+/, 'r1.99'),
    receipt.replace('r1.', 'r2.'),
    text,
    'r1.1.x.y',
    '…',
  ]
  for (const one of forged) {
    const { code } = await shop.rejected(422, contract.checkReceipt, { body: { receipt: one } })
    assert.equal(code, 'RECEIPT_NOT_SIGNED', one)
    assert.equal(await verified(keys, one), undefined, one)
  }
  await shop.rejected(400, contract.checkReceipt, { body: { receipt: 'r'.repeat(2_001) } })
})

test('the gateway tells the holder of a receipt what was refunded or reversed since', async () => {
  const shop = await aShop()
  const { receipt, transactionReference } = await aReceipt(shop, 9_000)
  const status = () => shop.call(contract.checkReceipt, { body: { receipt } })
  const { now: _, ...first } = await status()
  const untouched = { amountPaid: 9_000, amountRefunded: 0, amountReversed: 0 }
  assert.deepEqual(first, { transactionReference, currencyCode: 'NGN', ...untouched })

  const back = await refund(shop, transactionReference, { refundAmount: 4_000 })
  await refundWithStatus(shop, back, 'COMPLETED')
  assert.equal((await status()).amountRefunded, 4_000)
  const dispute = await openDispute(shop, transactionReference)
  assert.equal((await status()).amountReversed, 0, 'it is not decided')
  await decideDispute(shop, dispute, 'LOST')
  assert.equal((await status()).amountReversed, 5_000)
  assert.ok(await verified(await publishedBy(shop), receipt), 'the statement still shows the state at that time')
})

/** Receipts of two gateways on one database: each signs with the same keys. */
const aSecondNode = (t: TestContext, { databaseUrl }: TestGateway): Promise<TestGateway> => gateway(t, { databaseUrl })

test('a new key signs from now on, on every node; receipts signed before stay valid, and the old private key is gone', async (t) => {
  const shop = await gateway(t)
  const other = await aSecondNode(t, shop)
  const before = await aReceipt(shop, 3_000)
  assert.match(before.receipt, /^r1\.1\./)
  const { prints } = commandsWith(settings(shop.databaseUrl), testWall)
  assert.deepEqual(await prints('keys', 'rotate-receipts'), { keyId: 2 })
  await until('both nodes publish the new key', async () =>
    (await Promise.all([shop, other].map(publishedBy))).every(({ length }) => length === 2),
  )
  const after = await aReceipt(other, 4_000)
  assert.match(after.receipt, /^r1\.2\./)
  const keys = await publishedBy(shop)
  for (const { receipt, transactionReference } of [before, after]) {
    assert.equal((await verified(keys, receipt))?.[4], transactionReference)
    const checked = await shop.call(contract.checkReceipt, { body: { receipt } })
    assert.equal(checked.transactionReference, transactionReference)
  }
  const rows = await shop.db<{ id: number }[]>`select id from receipt_key where private_key is not null`
  assert.deepEqual([...rows], [{ id: 2 }])
  assert.ok(!(await shop.send('GET', KEYS)).text.includes('"d"'), 'no private part is published')
})
