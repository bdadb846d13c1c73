import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { approveWaiting } from '../../gateway/test/harness/approval-samples.ts'
import { openDispute } from '../../gateway/test/harness/dispute-samples.ts'
import { anAccount, aTransfer, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember } from '../../gateway/test/harness/users.ts'
import { glance, go, type Locator, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()

async function open(t: TestContext, screen: string, size: { width: number; height: number }): Promise<Page> {
  const page = await newPage(t, { viewport: size })
  const { cookie } = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const [name = '', value = ''] = cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url: shop.url, httpOnly: true }])
  await page.goto(`${shop.url}/dashboard/${screen}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Measures in the page: texts by their text nodes, since a cell is as high as its row. */
const MEASURE = `
  const rectsOf = (one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    const rects = []
    for (const range = document.createRange(); walker.nextNode(); ) {
      if (walker.currentNode.parentElement.closest('.unseen') !== null) continue
      range.selectNodeContents(walker.currentNode)
      rects.push(...[...range.getClientRects()].filter(({ width }) => width > 1))
    }
    return rects
  }
  const middleOf = (one) => {
    const rects = rectsOf(one)
    return (Math.min(...rects.map(({ top }) => top)) + Math.max(...rects.map(({ bottom }) => bottom))) / 2
  }
  const linesOf = (one) => new Set(rectsOf(one).map(({ top }) => Math.round(top))).size`

/** How much the elements that a selector finds differ in a measure. */
const spread = (page: Page, selector: string, measure: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    ${MEASURE}
    const values = [...document.querySelectorAll('${selector}')].map(${measure})
    if (values.length < 2) throw new Error('${selector} finds only ' + values.length)
    return Math.max(...values) - Math.min(...values)
  })()`)

/** The most lines that the text of an element takes. */
const lines = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    ${MEASURE}
    return Math.max(...[...document.querySelectorAll('${selector}')].map(linesOf))
  })()`)

/** Texts of different sizes on one line differ by so many pixels in their middle. */
const LINE_PIXELS_MAX = 3

slow('on a phone the buttons of a heading share a line, and no date breaks over two', async (t) => {
  const account = await anAccount(shop, { amount: 9_000 })
  await pay(shop, account, 9_000)
  await shop.call(contract.advanceClock, { body: { seconds: 2 * 86_400 } })
  const page = await open(t, 'batches', { width: 390, height: 844 })
  await page.getByRole('link', { name: 'Create batch' }).waitFor()
  assert.ok((await spread(page, '.heading > .actions > *', 'middleOf')) <= LINE_PIXELS_MAX)
  await go(page, 'statement')
  await page.locator('tbody td.moment-cell').first().waitFor()
  assert.equal(await lines(page, 'tbody td.moment-cell'), 1)
  // A long status leaves room for the reference and the date.
  const maker = await aTeamMember(shop, 'finance')
  await maker.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  await go(page, 'transfers')
  await page.locator('.list .badge', { hasText: 'Pending authorization' }).waitFor()
  assert.equal(await lines(page, 'tbody td.moment-cell'), 1)
  const approver = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  await approveWaiting(approver)
  await openDispute(shop, account.transactionReference, { disputeAmount: 1_000 })
  await go(page, 'disputes')
  await page.locator('td[data-title="Respond by"]').waitFor()
  assert.equal(await lines(page, 'tbody td.moment-cell:not(.wide)'), 1)
  await go(page, `transactions/${encodeURIComponent(account.transactionReference)}`)
  await page.locator('.facts time').first().waitFor()
  assert.equal(await lines(page, '.facts time'), 1)
  await glance(page, 'payment-on-a-phone')
})

slow('on a phone one large amount cuts no amount off', async (t) => {
  for (const amount of [2_500, 999_999_999.99]) await anAccount(shop, { amount })
  const page = await open(t, 'transactions', { width: 360, height: 740 })
  for (const amount of ['₦2,500.00', '₦999,999,999.99']) {
    const box = (await page.getByRole('cell', { name: amount }).boundingBox()) ?? assert.fail(amount)
    assert.ok(box.x >= 0 && box.x + box.width <= 360, `${amount} is in sight`)
    assert.equal(await lines(page, 'td.amount-cell'), 1)
  }
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'nothing to scroll sideways')
})

slow('on a phone a member’s second factor and Remove are in sight, and what each row is about', async (t) => {
  const member = await aTeamMember(shop, 'support')
  const account = await anAccount(shop, { amount: 8_000, customerName: 'Chioma Eze' })
  await pay(shop, account, 8_000)
  await shop.call(contract.advanceClock, { body: { seconds: 2 * 86_400 } })
  const page = await open(t, 'team', { width: 390, height: 844 })
  /** Every part of the row is on the screen without scrolling sideways. */
  const inSight = async (row: Locator, parts: Readonly<Record<string, Locator>>): Promise<void> => {
    await row.scrollIntoViewIfNeeded()
    for (const [name, part] of Object.entries(parts)) {
      const { x, width, height } = (await part.boundingBox()) ?? assert.fail(name)
      assert.ok(x >= 0 && x + width <= 390 && width > 1 && height > 1, name)
    }
  }
  const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text }).first()
  const ofMember = rowOf(member.email)
  await ofMember.waitFor()
  await inSight(ofMember, {
    Remove: ofMember.getByRole('button', { name: 'Remove' }),
    factor: ofMember.getByText('Second factor: Not yet'),
  })
  await go(page, 'statement')
  const entry = page.locator('.list tbody tr').first()
  await inSight(entry, {
    description: entry.locator('td[data-title="Description"]'),
    date: entry.locator('td.moment-cell'),
  })
  await go(page, 'events')
  const event = page.locator('.list tbody tr').filter({ hasText: account.transactionReference }).first()
  await inSight(event, { reference: event.getByRole('link', { name: account.transactionReference }) })
  await go(page, 'transactions')
  const payment = rowOf(account.paymentReference)
  await inSight(payment, { customer: payment.getByRole('link', { name: 'Chioma Eze' }), date: payment.locator('time') })
})

slow('the buttons of a long dialog are in sight on a phone, and the focused field above them', async (t) => {
  const page = await open(t, 'keys', { width: 390, height: 700 })
  await page.getByRole('button', { name: 'Create restricted key' }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Create', exact: true })
  const boxOf = async (one: Locator) => (await one.boundingBox()) ?? assert.fail('not shown')
  assert.ok((await page.evaluate<number>("document.querySelector('dialog').scrollHeight")) > 700, 'the dialog scrolls')
  assert.ok((await boxOf(submit)).y + (await boxOf(submit)).height < 700)
  const isBelow = await page.evaluate<boolean>(`(() => {
    const { left, bottom } = document.querySelector('dialog').getBoundingClientRect()
    return document.elementFromPoint(left + 40, bottom - 10).closest('.buttons') === null
  })()`)
  assert.equal(isBelow, false, 'no field shows below the buttons')
  await glance(page, 'long-dialog')
  const last = dialog.getByLabel('Days until it expires')
  await last.focus()
  assert.ok((await boxOf(last)).y + (await boxOf(last)).height <= (await boxOf(submit)).y)
  assert.ok((await boxOf(submit)).y + (await boxOf(submit)).height < 700)
})

slow('on a wide desktop both days of nine filters share a line, and no date or duration breaks', async (t) => {
  await anAccount(shop, { paymentReference: `order_${'abcdefghij_'.repeat(5)}` })
  const page = await open(t, 'transactions', { width: 1440, height: 900 })
  await page.locator('tbody td.moment-cell').first().waitFor()
  assert.equal(await page.locator('.filters .field').count(), 9)
  const boxOf = async (label: string) =>
    (await page.getByLabel(label, { exact: true }).boundingBox()) ?? assert.fail(label)
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 900 })
    if (width === 320) await page.getByRole('button', { name: 'Filters' }).click()
    const [from, to] = [await boxOf('From'), await boxOf('To')]
    assert.equal(from.y, to.y)
    assert.ok(from.x + from.width < to.x)
    const end = await page.evaluate<number>("document.querySelector('.filters .days').getBoundingClientRect().right")
    assert.ok(to.x + to.width <= end, `at ${width} the days stay in their cell`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  assert.equal(await lines(page, 'tbody td.moment-cell'), 1)
  await until('requests are logged', async () => {
    await go(page, 'team')
    await go(page, 'requests')
    return (await page.locator('tbody tr').count()) > 0
  })
  for (const cell of ['td.moment-cell', 'td[data-title="Duration"]'])
    assert.equal(await lines(page, `tbody ${cell}`), 1)
  await page.locator('tbody a').first().click()
  await page.locator('.facts dd').first().waitFor()
  // Labels stay near their values.
  const apart = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('.facts')].map((one) => one.clientWidth))",
  )
  assert.ok(apart <= 44 * 16, `${apart} pixels wide`)
})

slow('on a desktop menu and column titles stay in sight, and rows that are about to change are marked', async (t) => {
  for (let count = 0; count < 30; count++) await anAccount(shop, { amount: 100 + count })
  const page = await open(t, 'transactions', { width: 1440, height: 700 })
  await page.locator('tbody tr').nth(29).scrollIntoViewIfNeeded()
  const topOf = async (place: string) => (await page.locator(place).first().boundingBox())?.y ?? -1
  for (const place of ['header.top', '.navigation a', '.list thead th']) assert.ok((await topOf(place)) >= 0, place)
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/lists\/transactions\?.*status=PAID/, async (route) => {
    await held
    await route.continue()
  })
  await page.getByLabel('Status', { exact: true }).selectOption('PAID')
  await page.locator('.table-frame[aria-busy="true"]').waitFor()
  answer()
  await page.locator('.table-frame[aria-busy="true"]').waitFor({ state: 'detached' })
})

slow('headings, actions and gaps line up on a desktop; approvals and tills are empty like every list', async (t) => {
  const page = await open(t, 'audit', { width: 1440, height: 900 })
  await page.locator('tbody a').first().click()
  await page.locator('.link.back').waitFor()
  assert.ok((await spread(page, '.link.back, h1', '(one) => one.getBoundingClientRect().left')) <= LINE_PIXELS_MAX)
  await go(page, 'team')
  await page.getByRole('button', { name: 'Change role' }).first().waitFor()
  assert.ok((await spread(page, 'tbody tr:first-child td', 'middleOf')) <= LINE_PIXELS_MAX)
  await go(page, 'settings')
  const gap = await page.evaluate<number>(`(() => {
    const title = document.querySelector('#terms')
    return title.nextElementSibling.getBoundingClientRect().top - title.getBoundingClientRect().bottom
  })()`)
  assert.ok(gap >= 5, `${gap} pixels under “Your terms”`)
  for (const [screen, title] of [
    ['approvals', 'Nothing to approve'],
    ['tills', 'No tills yet'],
    ['batches', 'No batches yet'],
  ] as const) {
    await go(page, screen)
    await page.locator('.nothing').getByText(title, { exact: true }).waitFor()
  }
})

slow('the webhook screen folds URLs that are not set, so that the endpoints are in sight', async (t) => {
  const page = await open(t, 'webhooks', { width: 1440, height: 900 })
  const separate = page.getByLabel('Refunds (separate URL)')
  const add = page.getByRole('button', { name: 'Add endpoint' })
  await add.waitFor()
  assert.equal(await separate.isVisible(), false)
  const box = await add.boundingBox()
  assert.ok(box !== null && box.y + box.height < 900, 'the endpoints are on the first screen')
  await page.getByText('Separate URLs by event type', { exact: true }).click()
  await separate.fill('https://shop.example/refunds')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Webhook URLs saved.').waitFor()
  await page.reload()
  await separate.waitFor()
  assert.equal(await separate.inputValue(), 'https://shop.example/refunds')
})

slow('an audit log entry shows what it recorded in words', async (t) => {
  await shop.call(contract.changeSettings, { body: { lowBalanceThreshold: 5_000 } })
  const page = await open(t, 'audit?act=settings.change', { width: 1440, height: 900 })
  await page.locator('tbody a').first().click()
  await page.getByText('After: Low-balance alert (naira)').waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), /[{}"]/)
  await glance(page, 'audit-details')
})
