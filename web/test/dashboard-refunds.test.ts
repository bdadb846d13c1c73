import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import { paid } from '../../gateway/test/harness/refund-samples.ts'
import { aTransaction } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { aTeamMember, type UserOptions } from '../../gateway/test/harness/users.ts'
import { look, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()

/** A browser signed in as finance, on a screen. */
async function open(t: Parameters<typeof newPage>[0], screen: string, options?: UserOptions): Promise<Page> {
  const page = await newPage(t, { viewport: { width: 1280, height: 800 } })
  const { cookie } = await aTeamMember(shop, 'finance', options)
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  await page.goto(`${shop.url}/dashboard/${screen}`)
  return page
}

const refundsOf = async (): Promise<readonly string[]> =>
  (await shop.call(contract.listRefunds, { query: {} })).content.map(
    ({ transactionReference, refundAmount, refundReason }) => `${transactionReference} ${refundAmount} ${refundReason}`,
  )

slow('payments selected by keyboard are refunded together, after a preview and a second factor', async (t) => {
  const [one, other] = [await paid(shop, 7_000), await paid(shop, 9_000)]
  await shop.call(contract.initTransaction, { body: aTransaction(shop, { paymentReference: 'unpaid-1' }) })
  const page = await open(t, 'transactions', { secondFactor: 'shown' })
  await page.getByRole('checkbox', { name: 'Select unpaid-1' }).waitFor()
  assert.equal(await page.getByRole('checkbox', { name: 'Select unpaid-1' }).isDisabled(), true)
  await page.getByRole('checkbox', { name: 'Select all' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('2 selected, ₦16,000.00').waitFor()
  await look(page, 'refunds-selection')
  await page.getByRole('link', { name: 'Refund selected' }).press('Enter')
  await page.getByRole('definition').filter({ hasText: '₦16,000.00' }).waitFor()
  await page.getByLabel('Reason').fill('Event cancelled')
  await look(page, 'refunds-selection-preview')
  await page.keyboard.press('Enter')
  // Without a fresh second factor nothing is refunded.
  await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await refundsOf(), [])
  const confirmed = await open(t, page.url().split('/dashboard/')[1] ?? '', { secondFactor: 'fresh' })
  await confirmed.getByLabel('Reason').fill('Event cancelled')
  await confirmed.getByRole('button', { name: 'Refund 2 payments, ₦16,000.00' }).click()
  await confirmed.getByText('Refunds requested.').waitFor()
  await look(confirmed, 'refunds-selection-done')
  assert.deepEqual(
    [...(await refundsOf())].sort(),
    [`${one} 7000 Event cancelled`, `${other} 9000 Event cancelled`].sort(),
  )
})

slow('a refund file shows what cannot be refunded and why, and an upload again refunds nothing twice', async (t) => {
  const before = (await refundsOf()).length
  const [part, whole, disputed] = [await paid(shop, 7_000), await paid(shop, 9_000), await paid(shop, 5_000)]
  await openDispute(shop, disputed, { disputeAmount: 5_000 })
  const { paymentReference: own } = await shop.call(contract.getTransaction, {
    params: { transactionReference: whole },
  })
  const rows = [
    `${part},"1,500.50",Damaged`,
    `${own},,Late`,
    `${whole},100,The same payment`,
    `${part}x,100,Unknown`,
    `${disputed},100,Disputed`,
    'unpaid-1,100,Not paid',
    `${part},-5,No amount`,
  ]
  const upload = (page: Page): Promise<void> =>
    page.getByLabel('CSV file').setInputFiles({
      name: 'refunds.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Reference,Amount,Reason', ...rows].join('\n')),
    })
  const page = await open(t, 'refunds', { secondFactor: 'fresh' })
  await page.getByRole('link', { name: 'Refund from a file' }).click()
  await upload(page)
  await page.getByRole('heading', { name: '5 rows cannot be refunded' }).waitFor()
  for (const problem of [
    'The payment is already in row 3',
    'Could not find specified transaction',
    'The payment is in dispute',
    'It has not been paid',
    'The amount must be a number',
  ])
    await page.getByRole('cell', { name: problem }).waitFor()
  await page.getByRole('definition').filter({ hasText: '₦10,500.50' }).waitFor()
  await look(page, 'refunds-file')
  await page.getByRole('button', { name: 'Refund 2 payments, ₦10,500.50' }).click()
  await page.getByText('Refunds requested.').waitFor()
  assert.equal((await refundsOf()).length, before + 2)

  await page.reload()
  await upload(page)
  await page.getByRole('heading', { name: '7 rows cannot be refunded' }).waitFor()
  await page.getByRole('cell', { name: 'Already requested' }).first().waitFor()
  await look(page, 'refunds-file-again')
  assert.equal(await page.getByRole('button', { name: /^Refund/ }).count(), 0)
  assert.equal((await refundsOf()).length, before + 2)
})
