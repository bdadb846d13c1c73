import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import * as contract from '@kobo/contract'
import { commandsWith, settings } from '../../cli/test/commands.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { refund, refundWithStatus } from '../../gateway/test/harness/refund-samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aPayment, look, openSite, type Page, send } from './browser.ts'

const { shop, page: newPage } = await openSite()

const KEYS = '/.well-known/kobo-receipt-keys.json'
const BYTES_MAX = 10_000

/** The URL of a paid receipt's QR code. */
async function aReceipt(amount: number) {
  const payment = await aPayment(shop, { amount })
  const { params } = payment
  await shop.call(contract.checkoutTransfer, { params, body: {} })
  await send(shop, payment, amount)
  const { receiptProof } = await shop.call(contract.getCheckout, { params })
  return { ...payment, url: receiptProof ?? assert.fail('a receipt is signed') }
}

/** Waits until the page can be used without the network. */
const isStored = (page: Page): Promise<void> =>
  until('the page is stored', () => page.evaluate<boolean>(`caches.match('${KEYS}').then(Boolean)`))

slow('the page that checks receipts takes at most 10 kB with everything that it loads', async (t) => {
  const page = await newPage(t, {})
  const loaded = new Set([`${shop.url}/receipt-worker.js`])
  page.on('request', (request) => loaded.add(request.url().split('#')[0] ?? ''))
  const { url } = await aReceipt(5_000)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
  await isStored(page)
  let bytes = 0
  for (const one of loaded) bytes += (await (await fetch(one)).arrayBuffer()).byteLength
  const paths = [...loaded].map((one) => new URL(one).pathname).sort()
  assert.deepEqual(paths, [KEYS, '/receipt', '/receipt-worker.js'])
  assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`)
})

slow(
  'the payer’s receipt leads to a page that checks it, without telling the gateway; it tells what was refunded',
  async (t) => {
    const page = await newPage(t, {})
    const { url, checkoutUrl, transactionReference } = await aReceipt(12_500)
    await page.goto(checkoutUrl)
    await page.getByRole('img', { name: 'Scan to check that this receipt is genuine.' }).waitFor()
    await look(page, 'receipt-with-proof')

    const bodies: string[] = []
    page.on('request', (request) => bodies.push(`${request.url().split('#')[0]} ${request.postData() ?? ''}`))
    await page.goto(url)
    await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
    for (const text of [
      '₦12,500.00',
      'Demo Shop',
      'Bank transfer',
      transactionReference,
      'Sandbox: no real money moved.',
    ])
      await page.getByText(text, { exact: true }).waitFor()
    const statement = new URL(url).hash.slice(1)
    assert.deepEqual(
      bodies.filter((one) => one.includes(statement)),
      [],
      'the statement stays on the phone',
    )

    const button = page.getByRole('button', { name: 'Check current status' })
    await button.click()
    await page.getByText('₦12,500.00 paid. Nothing was refunded.').waitFor()
    const back = await refund(shop, transactionReference, { refundAmount: 2_500 })
    await refundWithStatus(shop, back, 'COMPLETED')
    await button.click()
    await page.getByText('₦2,500.00 was refunded.').waitFor()
    await look(page, 'receipt-genuine')
  },
)

slow('a receipt that was altered, or signed with another key, is not genuine', async (t) => {
  const page = await newPage(t, {})
  const { url } = await aReceipt(5_000)
  const [address, receipt = ''] = url.split('#')
  const [version, kid, payload = '', signature] = receipt.split('.')
  const facts = JSON.parse(Buffer.from(payload, 'base64url').toString())
  facts[1] = '50000.00'
  const dearer = Buffer.from(JSON.stringify(facts)).toString('base64url')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = `${version}.${kid}.${dearer}`
  const other = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  for (const forged of [`${text}.${signature}`, `${text}.${other}`, `r1.99.${payload}.${signature}`, 'nonsense']) {
    await page.goto('about:blank')
    await page.goto(`${address}#${forged}`)
    await page.getByRole('heading', { name: 'Not genuine' }).waitFor()
    assert.equal(await page.getByText('₦').count(), 0, 'no amount is shown')
  }
  await look(page, 'receipt-altered')

  await page.goto('about:blank')
  await page.goto(address ?? '')
  await look(page, 'receipt-none')
  await page.getByLabel('Scan the QR code of a receipt, or paste its link:').fill(url)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
})

slow(
  'after one visit, receipts are checked offline; a new key needs the network once, and old receipts stay genuine',
  async (t) => {
    const page = await newPage(t, {})
    const context = page.context()
    const [first, second] = [await aReceipt(1_000), await aReceipt(2_000)]
    await page.goto(first.url)
    await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
    await isStored(page)
    const open = async (url: string): Promise<void> => {
      await page.goto('about:blank')
      await page.goto(url)
    }

    await context.setOffline(true)
    await open(second.url)
    await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
    await page.getByText('₦2,000.00').waitFor()
    assert.equal(await page.evaluate('fetch("/health").then(() => "online", () => "offline")'), 'offline')
    await page.getByRole('button', { name: 'Check current status' }).click()
    await page.getByText('You are offline.').waitFor()
    const changed = second.url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    await open(changed)
    await page.getByRole('heading', { name: 'Not genuine' }).waitFor()

    const { prints } = commandsWith(settings(shop.databaseUrl), testWall)
    assert.deepEqual(await prints('keys', 'rotate-receipts'), { keyId: 2 })
    await until('the gateway signs with the new key', async () => (await aReceipt(500)).url.includes('#r1.2.'))
    const third = await aReceipt(3_000)
    await open(third.url)
    await page.getByRole('heading', { name: 'Not checked yet' }).waitFor()
    await look(page, 'receipt-unknown-key')
    await context.setOffline(false)
    await open(third.url)
    await page.getByText('₦3,000.00').waitFor()

    await context.setOffline(true)
    for (const { url } of [first, third]) {
      await open(url)
      await page.getByRole('heading', { name: 'Genuine receipt' }).waitFor()
    }
  },
)
