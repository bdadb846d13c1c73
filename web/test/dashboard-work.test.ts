import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { approveWaiting } from '../../gateway/test/harness/approval-samples.ts'
import { anAccount, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember, type UserOptions } from '../../gateway/test/harness/users.ts'
import { webhookEndpoint } from '../../gateway/test/harness/webhook-endpoint.ts'
import { look, openFromMenu, openSite, type Page } from './browser.ts'

const { shop, page: newPage } = await openSite()
const DESK = { viewport: { width: 1280, height: 800 } }
const DAY_SECONDS = 86_400
const FRESH = { secondFactor: 'fresh' } as const

/** The dashboard, signed in with a role. */
async function as(t: TestContext, role: contract.Role, options: UserOptions = FRESH): Promise<Page> {
  const page = await newPage(t, DESK)
  const { cookie } = await aTeamMember(shop, role, options)
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: shop.url }])
  await page.goto(`${shop.url}/dashboard`)
  await page.getByRole('heading', { name: `Welcome, Test ${role}` }).waitFor()
  return page
}

const open = async (page: Page, name: string, heading = name): Promise<void> => {
  await openFromMenu(page, name)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

/** Presses a button whose action needs another approver of the team, who approves it; then it is pressed again. */
async function pressWithApproval(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByText('Another approver of your team must approve this first').waitFor()
  await approveWaiting(await aTeamMember(shop, 'owner', FRESH))
  await page.getByRole('button', { name }).click()
}

/** A PNG of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

slow('a new secret key is shown only once', async (t) => {
  const page = await as(t, 'owner')
  await open(page, 'Keys')
  await page.getByRole('heading', { name: 'Secret keys' }).waitFor()
  await page.getByRole('button', { name: 'Create secret key' }).click()
  await look(page, 'dashboard-keys-rotate')
  await pressWithApproval(page, 'Create key')
  await page.getByRole('heading', { name: 'Your new secret key' }).waitFor()
  await look(page, 'dashboard-keys')
  const secret = await page.locator('.panel .key').first().innerText()
  await page.reload()
  await page.getByText('Not used yet').waitFor()
  assert.ok(!(await page.content()).includes(secret))
})

slow('a restricted key offers only the user’s own rights, is shown only once, and is revoked', async (t) => {
  const page = await as(t, 'admin')
  await open(page, 'Keys')
  await page.getByRole('button', { name: 'Create restricted key' }).click()
  assert.equal(await page.getByLabel('Send payouts').count(), 0)
  await page.getByLabel('Name').fill('Till')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Choose at least one right.').waitFor()
  await page.getByLabel('Take payments').check()
  await page.getByLabel('Days until it expires').fill('30')
  await look(page, 'dashboard-restricted-key-new')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Secret key of Till').waitFor()
  await look(page, 'dashboard-restricted-keys')
  const secret = await page.locator('.notice .key').innerText()
  assert.match(secret, /^RK_TEST_/)
  await page.reload()
  await page.getByText(`RK_TEST_…${secret.slice(-4)}`).waitFor()
  assert.ok(!(await page.content()).includes(secret))
  await page.getByRole('button', { name: 'Revoke Till' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText(`RK_TEST_…${secret.slice(-4)}`).waitFor({ state: 'detached' })
})

slow(
  'a developer changes webhook URLs, the IP whitelist and branding; invalid values are rejected with an error',
  async (t) => {
    const page = await as(t, 'developer')
    await open(page, 'Webhooks')
    await page.getByLabel('Default URL').fill('not an address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Default URL must be/).waitFor()
    await page.getByLabel('Default URL').fill('https://shop.example/events')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Webhook URLs saved.').waitFor()
    await look(page, 'dashboard-webhooks')
    await open(page, 'Check your integration')
    const command = await page.locator('pre').innerText()
    assert.match(command, /^\.\/kobo check-integration --merchant \w+ /)
    assert.match(command, /--webhook 'https:\/\/shop\.example\/events'$/)
    await page.getByRole('heading', { name: /Last score/ }).waitFor({ state: 'detached' })
    const checked = { isPassed: true, problem: null, guide: '/docs/guides/first-payment#check-the-status' }
    const wrong = { isPassed: false, problem: 'delivered 3 times instead of once', guide: '/docs/guides/webhooks' }
    const results = [
      { ...checked, scenario: 'a plain paid order' },
      { ...wrong, scenario: 'the same webhook three times' },
    ]
    await shop.call(contract.saveReport, { body: { score: 50, seed: 7, results } })
    await page.reload()
    await page.getByRole('heading', { name: 'Last score: 50 of 100' }).waitFor()
    const rows = await page.getByRole('region', { name: 'Last score' }).getByRole('listitem').allInnerTexts()
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s+/g, ' ')),
      [
        'The same webhook three times: delivered 3 times instead of once. Read the guide Failed',
        'A plain paid order Passed',
      ],
    )
    await look(page, 'dashboard-check-integration')
    await open(page, 'IP whitelist and sites')
    await page.getByLabel('Server IP addresses').fill('127.0.0.0/8\n::1\n196.6.103.0/24')
    await pressWithApproval(page, 'Save')
    await page.getByText('Saved.', { exact: true }).waitFor()
    await look(page, 'dashboard-ip-list')
    await open(page, 'Terms and settings')
    await page.getByText('Daily at').waitFor()
    await page.getByLabel('Header colour').fill('#FFEE00')
    await page.getByRole('button', { name: 'Save branding' }).click()
    await page.getByText('Header colour is too light').waitFor()
    await page.getByLabel('Header colour').fill('#7A1FA2')
    await page.getByLabel('Support contact').fill('help@shop.example')
    await page.getByRole('button', { name: 'Save branding' }).click()
    await page.getByText('Branding saved.').waitFor()
    const large = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(40_000) }
    await page.getByLabel('Logo', { exact: true }).setInputFiles(large)
    await page.getByText('This file is larger than 32 kB.').waitFor()
    await page.getByLabel('Logo', { exact: true }).setInputFiles({ ...large, buffer: Buffer.from(PICTURE, 'base64') })
    await page.getByRole('img', { name: 'Your logo' }).waitFor()
    await look(page, 'dashboard-settings')
    const removeLogo = async (choice: string): Promise<void> => {
      await page.getByRole('button', { name: 'Remove logo' }).click()
      await page.getByRole('dialog').getByRole('button', { name: choice }).click()
    }
    await removeLogo('Cancel')
    await page.getByRole('img', { name: 'Your logo' }).waitFor()
    await removeLogo('Remove')
    await page.getByText('Logo removed.').waitFor()
    const { webhookUrl, ipWhitelist, brandColour } = await shop.call(contract.getMerchantSettings, {})
    assert.deepEqual([webhookUrl, ipWhitelist.length, brandColour], ['https://shop.example/events', 3, '#7a1fa2'])
  },
)

slow('the sandbox screen simulates customers, banks and time', async (t) => {
  const page = await as(t, 'developer')
  await open(page, 'Sandbox')
  const cash = page.getByRole('region', { name: 'A customer pays cash' })
  await cash.getByRole('button', { name: 'Record cash payment' }).click()
  await cash.getByText('Paid: ').waitFor()
  const before = await shop.call(contract.readClock, {})
  await page.getByRole('button', { name: 'Advance 1 hour' }).click()
  await until('an hour has passed', async () => {
    const { epochMilliseconds } = await shop.call(contract.readClock, {})
    return epochMilliseconds - before.epochMilliseconds >= 3_600_000
  })
  const pay = page.getByRole('region', { name: 'A customer pays by transfer' })
  await pay.getByLabel('Bank').selectOption({ index: 1 })
  await pay.getByLabel('Account number').fill('0123456789')
  await pay.getByRole('button', { name: 'Send transfer' }).click()
  await pay.getByText('This bank has no such account').waitFor()
  await look(page, 'dashboard-sandbox')
})

slow(
  'a developer resends an event after reading its deliveries, without the customer; the audit log records it',
  async (t) => {
    const server = await webhookEndpoint(t, (nth) => (nth === 1 ? 503 : 200))
    await shop.call(contract.changeSettings, { body: { webhookUrl: server.url } })
    const account = await anAccount(shop, { amount: 4_200, customerEmail: 'chioma@example.com' })
    await pay(shop, account, 4_200)
    await server.count(1)
    const page = await as(t, 'developer')
    await open(page, 'Events')
    await page.getByRole('cell', { name: 'Retrying', exact: true }).first().waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('Pending or retrying')
    await page.waitForURL(/status=PENDING/)
    await page.getByRole('cell', { name: 'Retrying', exact: true }).first().waitFor()
    await look(page, 'dashboard-events')
    await page.getByRole('link', { name: 'SUCCESSFUL_TRANSACTION' }).first().click()
    const isMasked = async (body: string): Promise<void> => {
      const text = await page.getByRole('region', { name: body }).locator('pre').innerText()
      assert.match(text, /"c\*\*\*@example\.com"/)
      assert.ok(!text.includes('chioma@'))
    }
    await isMasked('Payload')
    await page.getByRole('cell', { name: 'Status 503', exact: true }).waitFor()
    await look(page, 'dashboard-event')
    await page.getByRole('button', { name: 'Resend event' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend event' }).click()
    await server.count(2)
    assert.equal(new Set(server.received.map(({ body }) => body)).size, 1)
    // The page updates by itself.
    await page.getByRole('cell', { name: 'Status 200', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Event Delivered' }).waitFor()
    await open(page, 'Events')
    const attempts = page.getByRole('row').filter({ hasText: account.transactionReference }).locator('td').last()
    assert.equal(await attempts.innerText(), '2')

    const request = page.getByRole('link', { name: 'POST /api/v1/merchant/transactions/init-transaction' })
    await until('the request is logged', async () => {
      await page.goto(`${shop.url}/dashboard/requests?reference=${encodeURIComponent(account.paymentReference)}`)
      await page.locator('table, .nothing').first().waitFor()
      return (await request.count()) > 0
    })
    await request.click()
    await isMasked('Request body')

    const owner = await as(t, 'owner')
    await open(owner, 'Audit log')
    await owner.getByText('Event: resend').first().waitFor()
    await look(owner, 'dashboard-audit')
  },
)

slow('a developer sends a test event and reads the response; failures are listed with their event', async (t) => {
  const server = await webhookEndpoint(t, (nth) => (nth === 1 ? 200 : 503))
  await shop.call(contract.changeSettings, { body: { webhookUrl: server.url } })
  const page = await as(t, 'developer')
  const send = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click()
  }
  await open(page, 'Webhooks')
  await send()
  await page.getByText('Test event delivered: status 200').waitFor()
  await send()
  await page.getByText('Test event not accepted: status 503').waitFor()
  await page.getByRole('heading', { name: 'Last failures' }).waitFor()
  await look(page, 'dashboard-webhook-health')
  await page.getByRole('link', { name: 'Status 503' }).click()
  await page.getByText('"eventType": "TEST_EVENT"').waitFor()
})

slow('a developer adds a webhook endpoint, sees its deliveries, replaces its key, pauses and removes it', async (t) => {
  const [server, other] = [await webhookEndpoint(t), await webhookEndpoint(t)]
  await shop.call(contract.changeSettings, { body: { webhookUrl: other.url } })
  const page = await as(t, 'developer')
  await open(page, 'Webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(server.url)
  await dialog.getByLabel('Description').fill('Accounting')
  await dialog.getByLabel('SUCCESSFUL_TRANSACTION').check()
  await look(page, 'dashboard-webhook-endpoint-new')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Secret key of Accounting').waitFor()
  const secret = await page.locator('.notice .key').innerText()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await pay(shop, await anAccount(shop, { amount: 4_300 }), 4_300)
  const [received] = await server.count(1)
  const signature = createHmac('sha512', secret)
    .update(received?.body ?? '')
    .digest('hex')
  assert.equal(received?.headers['service-signature'], signature)

  await page.getByRole('button', { name: 'Deliveries to Accounting' }).click()
  const log = page.getByRole('region', { name: 'Deliveries to Accounting' })
  await until('the delivery is listed', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    return (await log.getByText('Status 200').count()) === 1
  })
  await look(page, 'dashboard-webhook-endpoint')
  await page.getByLabel('Event', { exact: true }).selectOption('FAILED_DISBURSEMENT')
  await page.getByText('No deliveries.').waitFor()
  await page.getByLabel('Event', { exact: true }).selectOption('SUCCESSFUL_TRANSACTION')
  await log.getByText('Status 200').waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('GIVEN_UP')
  await page.getByText('No deliveries.').waitFor()
  await page.getByRole('button', { name: 'Send test event to Accounting' }).click()
  await page.getByText('Test event delivered: status 200').waitFor()
  await page.getByRole('button', { name: 'Pause Accounting' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Replace secret key Accounting' }).click()
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.getByText('Secret key of Accounting').waitFor()
  await page.getByRole('button', { name: 'Remove Accounting' }).click()
  await dialog.getByRole('button', { name: 'Remove endpoint' }).click()
  await page.getByText('Endpoint removed.').waitFor()
  assert.deepEqual(await shop.call(contract.listWebhookEndpoints, {}), [])
})

slow('an owner finds a rejected request and copies it as curl without a token', async (t) => {
  await shop.rejected(400, contract.initTransaction, { body: { amount: 100, paymentReference: 'it’s-wrong' } })
  const page = await as(t, 'owner')
  const row = page.getByRole('link', { name: 'POST /api/v1/merchant/transactions/init-transaction' })
  await until('the request is logged', async () => {
    await page.goto(`${shop.url}/dashboard/requests?outcome=REFUSED&reference=${encodeURIComponent('it’s-wrong')}`)
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor()
    await page.locator('table, .nothing').first().waitFor()
    return (await row.count()) === 1
  })
  await look(page, 'dashboard-requests')
  await row.click()
  await page.getByText('"paymentReference": "it’s-wrong"').waitFor()
  await page.getByText('Bearer $ACCESS_TOKEN').waitFor()
  await look(page, 'dashboard-request')
  assert.ok(!(await page.content()).includes(shop.token))
})

slow('finance has no developer screens and a viewer no sandbox', async (t) => {
  const page = await as(t, 'finance')
  for (const name of ['keys', 'webhooks', 'events', 'requests', 'ip-list', 'settings']) {
    await page.goto(`${shop.url}/dashboard/${name}`)
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  }
  const viewer = await as(t, 'viewer')
  await viewer.goto(`${shop.url}/dashboard/sandbox`)
  await viewer.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  const person = await aTeamMember(shop, 'viewer')
  await person.rejected(403, contract.advanceClock, { body: { seconds: 60 } })
})

slow('a list is shown for a period, with chosen columns and saved views; home compares totals', async (t) => {
  await pay(shop, await anAccount(shop), 5_000)
  const page = await as(t, 'owner')
  await page.getByLabel('Period').selectOption('Today')
  await page.getByText('the day before').first().waitFor()
  await look(page, 'dashboard-home-totals')

  await open(page, 'Transactions')
  const rows = page.getByRole('region', { name: 'Transactions' }).getByRole('row')
  await page.getByLabel('Period').selectOption('Last month')
  await page.getByText('No results').waitFor()
  await page.getByLabel('Period').selectOption('Today')
  await rows.nth(1).waitFor()
  const today = await page.getByLabel('From').inputValue()
  assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), today)

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name of the view').fill('Today’s payments')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('summary', { hasText: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Status' }).uncheck()
  await page.getByRole('columnheader', { name: 'Status' }).waitFor({ state: 'detached' })
  await look(page, 'dashboard-list-columns')

  // Both choices are kept.
  await page.goto(`${shop.url}/dashboard/transactions`)
  await rows.first().waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'Status' }).count(), 0)
  // A day later, the view of today shows that day: nothing was paid on it.
  await shop.advance(DAY_SECONDS)
  await page.reload()
  await page.getByRole('link', { name: 'Today’s payments' }).click()
  await page.getByText('No results').waitFor()
  assert.equal(await page.getByLabel('Period').inputValue(), 'today')
  assert.ok((await page.getByLabel('From').inputValue()) > today)
  // A fixed day replaces the period, and stays what it is.
  await page.getByLabel('From').fill(today)
  await rows.nth(1).waitFor()
  assert.match(page.url(), new RegExp(`\\?from=${today}&to=.{10}$`))
  assert.equal(await page.getByLabel('Period').inputValue(), 'custom')
  await page.getByRole('button', { name: 'Remove view Today’s payments' }).click()
  await page.getByRole('link', { name: 'Today’s payments' }).waitFor({ state: 'detached' })
})
