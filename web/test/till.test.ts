import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { startSession } from '../../gateway/src/core/sessions/index.ts'
import { unitOfWork } from '../../gateway/src/core/unit-of-work.ts'
import { BVN, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember } from '../../gateway/test/harness/users.ts'
import { look, openFromMenu, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** The dashboard on a tablet, with its own session. */
async function openAs(t: TestContext, cookie: string): Promise<Page> {
  const page = await newPage(t, { viewport: { width: 820, height: 1180 } })
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  await page.addInitScript('window.said = []; speechSynthesis.speak = ({ text }) => window.said.push(text)')
  await page.goto(`${shop.url}/dashboard`)
  return page
}

/** Signs a user in again. */
async function sessionOf(personId: bigint): Promise<string> {
  const { core, merchantId } = shop
  const who = { personId, merchantId, deviceId: personId, address: '127.0.0.1', agent: 'a test' }
  const begin = { ...who, secondFactorAt: null, at: core.wall.now() }
  return `kobo=${await unitOfWork(core, async (unit) => startSession(unit, begin))}`
}

slow(
  'a cashier sees a transfer at once, with the payer’s name, hears it, and opens nothing but their till',
  async (t) => {
    const admin = await aTeamMember(shop, 'admin', { secondFactor: 'fresh' })
    const { personId } = await aTeamMember(shop, 'cashier')
    const adminPage = await openAs(t, admin.cookie)
    await openFromMenu(adminPage, 'Tills')
    await adminPage.getByText('A till is an account number for your counter.').waitFor()
    await adminPage.getByRole('button', { name: 'Create till' }).click()
    await adminPage.getByLabel('Name', { exact: true }).fill('Demo Shop Ikeja')
    await adminPage.getByLabel('BVN of the business owner').fill(BVN)
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Create till' }).click()
    await adminPage.getByText('Till created.').waitFor()
    await adminPage.getByRole('button', { name: 'Choose cashiers' }).click()
    await adminPage.getByRole('checkbox', { name: 'Test cashier' }).check()
    await adminPage.getByRole('button', { name: 'Save cashiers' }).click()
    await adminPage.getByText('Cashiers: Test cashier').waitFor()
    await look(adminPage, 'tills')

    const page = await openAs(t, await sessionOf(personId))
    await page.getByRole('heading', { name: 'Demo Shop Ikeja', exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('No payments yet today.').waitFor()
    await page.getByRole('checkbox', { name: 'Announce payments aloud' }).check()
    await page.evaluate('window.isSamePage = true')
    const [till] = (await admin.call(contract.listTills, {})).tills
    const params = { accountReference: till?.tillReference ?? assert.fail() }
    const account = await shop.call(contract.getReservedAccount, { params })
    await pay(shop, account, 2_500, { senderName: 'ADA OBI' })
    await page.getByText('ADA OBI').waitFor()
    await pay(shop, account, '1200.50', { senderName: 'BOLA ADE' })
    await page.getByText('BOLA ADE').waitFor()
    const rows = await page.getByRole('list', { name: 'Payments, newest first' }).getByRole('listitem').allInnerTexts()
    assert.match(rows[0] ?? '', /₦1,200\.50[\s\S]*BOLA ADE/)
    assert.match(rows[1] ?? '', /₦2,500\.00[\s\S]*ADA OBI/)
    await page.getByRole('region', { name: 'Total' }).getByText('₦3,700.50').waitFor()
    await page.getByText('2 payments today').waitFor()
    assert.equal(await page.evaluate('window.isSamePage'), true, 'without a reload')
    assert.deepEqual(await page.evaluate('window.said'), [
      '2500 naira from ADA OBI',
      '1200 naira 50 kobo from BOLA ADE',
    ])
    const time = await page.locator('.live time').first().innerText()
    await until('the clock ticks', async () => (await page.locator('.live time').first().innerText()) !== time)
    await page.getByRole('img', { name: 'Account number of Demo Shop Ikeja as a QR code' }).waitFor()
    await look(page, 'till')
    await page.getByRole('button', { name: 'Receipt' }).first().click()
    await page.getByRole('dialog').getByRole('img', { name: 'Receipt as a QR code' }).waitFor()
    await look(page, 'till-receipt')
    await page.getByRole('button', { name: 'Close' }).click()
    const { payments } = await admin.call(contract.getTill, {
      params: { tillReference: params.accountReference },
      query: {},
    })
    const [, receipt = ''] = payments[0]?.receiptProof.split('#') ?? []
    const checked = await shop.call(contract.checkReceipt, { body: { receipt } })
    assert.deepEqual([checked.transactionReference, checked.amountPaid], [payments[0]?.transactionReference, 1_200.5])

    assert.deepEqual(await page.getByRole('navigation').getByRole('listitem').allInnerTexts(), ['Tills'])
    for (const name of ['transactions', 'reserved-accounts', 'team', 'settings']) {
      await page.goto(`${shop.url}/dashboard/${name}`)
      await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
    }
    await page.goto(`${shop.url}/dashboard/tills`)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('Not connected: new payments may be missing.').waitFor()
  },
)
