import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '@kobo/contract'
import type { Locator } from 'playwright-core'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { aPaymentLink, BVN, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember } from '../../gateway/test/harness/users.ts'
import { aPayment, openSite, type Page, send } from './browser.ts'

/** Programs that share no code with ours. */
const PROGRAMS = { zbarimg: 'zbar-tools', pdftoppm: 'poppler-utils' } as const
const missing = Object.entries(PROGRAMS).filter(([program]) => spawnSync(program, ['-h']).error !== undefined)
const skip =
  missing.length > 0 && `no program reads QR codes: apt-get install ${missing.map(([, name]) => name).join(' ')}`

const { shop, page: newPage } = await openSite()
const folder = ownFolder('qr')
const DESK = { viewport: { width: 1280, height: 800 } }

/** The text of the QR code in a picture. */
function textIn(picture: Buffer): string {
  const file = join(folder, 'picture.png')
  writeFileSync(file, picture)
  const { stdout, stderr } = spawnSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' })
  return stdout.trim() || stderr
}

/** The text of a QR code on a page, in light and dark. Tries again, because the page may update between the pictures. */
async function textOf(page: Page, code: Locator): Promise<string> {
  let [light, dark] = ['', '']
  await until('light and dark have the same text', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    light = textIn(await code.screenshot())
    await page.emulateMedia({ colorScheme: 'dark' })
    dark = textIn(await code.screenshot())
    return light !== '' && light === dark
  })
  return light
}

/** The transaction that a receipt's QR code proves. */
async function provenBy(text: string): Promise<string> {
  const [page, receipt = ''] = text.split('#')
  assert.equal(page, `${shop.url}/receipt`)
  return (await shop.call(contract.checkReceipt, { body: { receipt } })).transactionReference
}

/** The first page of a PDF as a picture. */
async function pictureOf(url: string): Promise<Buffer> {
  const input = Buffer.from(await (await fetch(url)).arrayBuffer())
  return spawnSync('pdftoppm', ['-png', '-singlefile', '-r', '100', '-'], { input }).stdout
}

slow(
  'another program reads the QR codes of the checkout, and of the receipt on page and paper',
  { skip },
  async (t) => {
    const page = await newPage(t, DESK)
    const payment = await aPayment(shop, { amount: 12_500 })
    const { params, checkoutUrl } = payment
    await shop.call(contract.checkoutTransfer, { params, body: {} })
    await page.goto(checkoutUrl)
    await page.getByText('Continue on your phone').click()
    assert.equal(await textOf(page, page.getByRole('img', { name: 'Continue on your phone' })), checkoutUrl)
    await send(shop, payment, 12_500)
    const code = page.getByRole('img', { name: 'Scan to check that this receipt is genuine.' })
    for (const text of [await textOf(page, code), textIn(await pictureOf(`${checkoutUrl}/receipt.pdf`))])
      assert.equal(await provenBy(text), payment.transactionReference)
  },
)

slow('another program reads the QR codes of a till, its receipts and a payment link', { skip }, async (t) => {
  const page = await newPage(t, DESK)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const [name = '', value = ''] = owner.cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])

  const { url } = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
  const [link] = (await owner.call(contract.browsePaymentLinks, { query: {} })).items
  await page.goto(`${shop.url}/dashboard/payment-links/${link?.id}`)
  assert.equal(await textOf(page, page.getByRole('img', { name: 'The link as a QR code' })), url)

  const { tillReference, accounts } = await owner.call(contract.createTill, { body: { name: 'Ikeja', bvn: BVN } })
  const [account = assert.fail('a till has an account')] = accounts
  const params = { accountReference: tillReference }
  await pay(shop, await shop.call(contract.getReservedAccount, { params }), 2_500)
  await page.goto(`${shop.url}/dashboard/tills/${encodeURIComponent(tillReference)}`)
  const code = page.getByRole('img', { name: 'Account number of Ikeja as a QR code' })
  const { accountNumber, bankName, accountName } = account
  assert.equal(await textOf(page, code), `${accountNumber}\n${bankName}\n${accountName}`)
  await page.getByRole('button', { name: 'Receipt' }).click()
  const { payments } = await owner.call(contract.getTill, { params: { tillReference }, query: {} })
  const receipt = page.getByRole('dialog').getByRole('img', { name: 'Receipt as a QR code' })
  assert.equal(await provenBy(await textOf(page, receipt)), payments[0]?.transactionReference)
})
