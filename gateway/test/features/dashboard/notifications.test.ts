import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openDispute } from '../../harness/dispute-samples.ts'
import { aShop, type Shop } from '../../harness/gateway.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'

const choose = (
  person: TestUser,
  topic: contract.NotificationTopic,
  body: { readonly isOnScreen?: boolean; readonly isByMail?: boolean },
) => person.call(contract.chooseNotifications, { params: { topic }, body })

const inboxOf = (shop: Shop, { email: to }: Pick<TestUser, 'email'>) => shop.call(contract.readInbox, { query: { to } })

async function dispute(shop: Shop): Promise<void> {
  const paid = await anAccount(shop, { amount: 9_000 })
  await pay(shop, paid, 9_000)
  await openDispute(shop, paid.transactionReference, { disputeAmount: 1_000 })
}

test('what needs attention is shown by role and topic, and a topic can be turned off for oneself only', async () => {
  const shop = await aShop()
  const [finance, other, developer] = [
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'developer'),
  ]
  const items = async (person: TestUser) => (await person.call(contract.getNotifications, {})).items
  const topics = async (person: TestUser) =>
    (await person.call(contract.getNotificationChoices, {})).choices.map(({ topic }) => topic)
  assert.deepEqual(await items(finance), [])
  await dispute(shop)
  assert.deepEqual(await items(finance), [{ what: 'DISPUTES_OPEN', count: 1 }])
  assert.deepEqual(await topics(finance), ['APPROVALS', 'DISPUTES', 'PAYOUTS', 'SETTLEMENTS', 'LOW_BALANCE'])
  assert.deepEqual(await topics(developer), ['DISPUTES', 'WEBHOOKS'])
  const support = await aTeamMember(shop, 'support')
  assert.ok(!(await topics(support)).includes('SETTLEMENTS'), 'support sees no balances')
  await choose(finance, 'DISPUTES', { isOnScreen: false, isByMail: false })
  assert.deepEqual(await items(finance), [])
  assert.deepEqual((await finance.call(contract.getHome, {})).attention, [])
  assert.deepEqual((await items(other)).length, 1)
  // Two choices at the same time both count.
  await Promise.all([
    choose(finance, 'DISPUTES', { isOnScreen: true }),
    choose(finance, 'DISPUTES', { isByMail: true }),
  ])
  assert.deepEqual((await items(finance)).length, 1)
  const { choices } = await finance.call(contract.getNotificationChoices, {})
  assert.equal(choices.find(({ topic }) => topic === 'DISPUTES')?.isByMail, true)
})

slow('a mail to the merchant is copied once to each team member who asked for its topic and may see it', async () => {
  const shop = await aShop()
  const [finance, silent] = [await aTeamMember(shop, 'finance'), await aTeamMember(shop, 'finance')]
  await choose(finance, 'DISPUTES', { isOnScreen: true, isByMail: true })
  await dispute(shop)
  await until('finance has the mail', async () => (await inboxOf(shop, finance)).length > 0)
  await dispute(shop)
  await until('finance has a mail about the second dispute', async () => (await inboxOf(shop, finance)).length >= 2)
  const subjects = (await inboxOf(shop, finance)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['₦1,000.00 of a payment is disputed', '₦1,000.00 of a payment is disputed'])
  assert.deepEqual(await inboxOf(shop, silent), [])
})

test('only an owner turns the mails of a topic to the company’s address off; the copies for the team stay', async () => {
  const shop = await aShop()
  const [owner, admin] = [await aTeamMember(shop, 'owner'), await aTeamMember(shop, 'admin')]
  const toCompany = async (person: TestUser) =>
    (await person.call(contract.getNotificationChoices, {})).choices.map(({ topic, isToCompany }) => [
      topic,
      isToCompany,
    ])
  const input = { params: { topic: 'DISPUTES' }, body: { isOn: false } } as const
  await admin.rejected(403, contract.chooseCompanyMails, input)
  assert.deepEqual(
    (await toCompany(admin)).flat().filter((one) => one === true),
    [],
  )
  await choose(admin, 'DISPUTES', { isByMail: true })
  await owner.call(contract.chooseCompanyMails, input)
  assert.deepEqual(await toCompany(owner), [
    ['APPROVALS', null],
    ['DISPUTES', false],
    ['PAYOUTS', true],
    ['SETTLEMENTS', true],
    ['WEBHOOKS', true],
    ['LOW_BALANCE', true],
  ])
  await dispute(shop)
  await until('the admin has the copy', async () => (await inboxOf(shop, admin)).length === 1)
  await until('no mail waits', async () => {
    const rows = await shop.db`select from notice where merchant_id = ${shop.merchantId}`
    return rows.length === 0
  })
  const company = { email: 'demo@example.com' }
  assert.deepEqual(await inboxOf(shop, company), [])
  await owner.call(contract.chooseCompanyMails, { ...input, body: { isOn: true } })
  await dispute(shop)
  await until('the company has the mail', async () => (await inboxOf(shop, company)).length === 1)
  const audited = await shop.db<{ details: object }[]>`
    select details from audit where merchant_id = ${shop.merchantId} and act = 'company-mail.choose' order by id`
  assert.deepEqual(
    audited.map(({ details }) => details),
    [
      { topic: 'DISPUTES', isOn: false },
      { topic: 'DISPUTES', isOn: true },
    ],
  )
})
