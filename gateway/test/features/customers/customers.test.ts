import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { openDispute } from '../../harness/dispute-samples.ts'
import { aShop } from '../../harness/gateway.ts'
import { aMandate } from '../../harness/mandate-samples.ts'
import { refund } from '../../harness/refund-samples.ts'
import { anAccount, anInvoice, CARDS, charge, openTransaction, pay, reserveAccount } from '../../harness/samples.ts'
import { aTeamMember } from '../../harness/users.ts'

const emailsOf = (customers: readonly { readonly customerEmail: string }[]): readonly string[] =>
  customers.map(({ customerEmail }) => customerEmail)

test('every customer is listed once, the latest first, from transactions, accounts and mandates, over all pages', async () => {
  const shop = await aShop()
  const customers = ['ada', 'bola', 'chidi', 'dayo', 'efe'].map((name) => `${name}@example.com`)
  for (const customerEmail of customers) await openTransaction(shop, { customerEmail })
  await openTransaction(shop, { customerEmail: 'Ada@Example.com', customerName: 'Ada Obi' })
  await reserveAccount(shop, { customerEmail: 'BOLA@example.com' })
  await reserveAccount(shop, { customerEmail: 'ife@example.com' })
  await shop.call(contract.createMandate, { body: aMandate(shop, { customerEmailAddress: 'ife@example.com' }) })
  await shop.call(contract.createMandate, { body: aMandate(shop, { customerEmailAddress: 'uche@example.com' }) })
  await openTransaction(await aShop(), { customerEmail: 'stranger@example.com' })

  const seen: string[] = []
  let before: string | undefined
  for (let page = 0; page < 10; page++) {
    const query = { size: 2, ...(before === undefined ? {} : { before }) }
    const { customers, next } = await shop.call(contract.listCustomers, { query })
    seen.push(...emailsOf(customers))
    if (next === null) break
    before = next
  }
  assert.deepEqual(seen.toSorted(), [
    'Ada@Example.com',
    'bola@example.com',
    'chidi@example.com',
    'dayo@example.com',
    'efe@example.com',
    'ife@example.com',
    'uche@example.com',
  ])
  assert.equal(seen[0], 'uche@example.com')
  const payers = seen.filter((email) => !/^(ife|uche)/.test(email))
  assert.deepEqual(payers.slice(0, 2), ['Ada@Example.com', 'efe@example.com'])
})

test('a customer is found by email, by part of a name, by phone number and by account number', async () => {
  const shop = await aShop()
  const ada = await anAccount(shop, { customerEmail: 'ada@example.com', customerName: 'Ada Nwosu' })
  await pay(shop, ada, 5_000, { senderAccountNumber: '2233445566' })
  await openTransaction(shop, { customerEmail: 'ada@example.com', customerName: 'A. Nwosu' })
  const reserved = await reserveAccount(shop, { customerEmail: 'bola@example.com', customerName: 'Bola Ige' })
  await shop.call(contract.createMandate, {
    body: aMandate(shop, {
      customerName: 'Chidi Okafor',
      customerEmailAddress: 'chidi@example.com',
      customerPhoneNumber: '08031234567',
      customerAccountNumber: '0123456789',
    }),
  })
  const found = async (search: string) =>
    emailsOf((await shop.call(contract.listCustomers, { query: { search } })).customers)
  assert.deepEqual(await found('ADA@example.com'), ['ada@example.com'])
  assert.deepEqual(await found('ada nw'), ['ada@example.com'], 'by a name of an older payment')
  assert.deepEqual(await found('nwosu'), ['ada@example.com'], 'once, though two payments match')
  assert.deepEqual(await found('2233445566'), ['ada@example.com'], 'by the account that paid')
  assert.deepEqual(await found(ada.accountNumber), ['ada@example.com'], 'by the account to pay into')
  assert.deepEqual(await found(reserved.accountNumber), ['bola@example.com'])
  assert.deepEqual(await found('0123456789'), ['chidi@example.com'], 'by the account of a mandate')
  assert.deepEqual(await found('08031234567'), ['chidi@example.com'])
  assert.deepEqual(await found('+234 803 123 4567'), ['chidi@example.com'])
  assert.deepEqual(await found('unknown@example.com'), [])
  assert.deepEqual(await found('zzz'), [])
})

test('a customer’s page has their payments, refunds, disputes, cards, mandates, invoices and accounts, and no one else’s', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const customer = { customerEmail: 'ada@example.com', customerName: 'Ada Obi' }
  const refunded = await anAccount(shop, customer)
  await pay(shop, refunded, 5_000)
  await refund(shop, refunded.transactionReference, { refundAmount: 1_000 })
  const disputed = await anAccount(shop, { ...customer, amount: 3_000 })
  await pay(shop, disputed, 3_000)
  await openDispute(shop, disputed.transactionReference)
  await charge(shop, await openTransaction(shop, { ...customer, amount: 2_000 }), CARDS.success)
  await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now(), customer) })
  await shop.call(contract.createMandate, { body: aMandate(shop, { customerEmailAddress: 'ADA@example.com' }) })
  await reserveAccount(shop, customer)
  await pay(shop, await anAccount(shop, { customerEmail: 'bola@example.com' }), 5_000)

  const read = (customerEmail: string) => owner.call(contract.getCustomer, { params: { customerEmail } })
  const page = await read('Ada@example.com')
  assert.deepEqual(
    [page.customerName, page.phoneNumber, page.payments, page.amountPaid, page.amountRefunded, page.isPartial],
    ['Ada Obi', '08031234567', 3, 10_000, 1_000, false],
  )
  const { transactions, refunds, disputes, savedCards, mandates, invoices, reservedAccounts } = page
  assert.deepEqual(
    [transactions, refunds, disputes, savedCards, mandates, invoices, reservedAccounts].map(({ length }) => length),
    [4, 1, 1, 1, 1, 1, 1],
  )
  assert.equal(savedCards[0]?.last4, CARDS.success.slice(-4))
  assert.deepEqual((await read('bola@example.com')).payments, 1)
  await owner.rejected(404, contract.getCustomer, { params: { customerEmail: 'unknown@example.com' } })
  const stranger = await aTeamMember(await aShop(), 'owner')
  await stranger.rejected(404, contract.getCustomer, { params: { customerEmail: 'ada@example.com' } })
})

test('users who may not see customers cannot list or open them', async () => {
  const shop = await aShop()
  await openTransaction(shop, { customerEmail: 'ada@example.com' })
  for (const role of ['developer', 'viewer'] as const) {
    const person = await aTeamMember(shop, role)
    await person.rejected(403, contract.browseCustomers, { query: {} })
    await person.rejected(403, contract.listCustomers, { query: {} })
    await person.rejected(403, contract.getCustomer, { params: { customerEmail: 'ada@example.com' } })
  }
  const support = await aTeamMember(shop, 'support')
  const { items } = await support.call(contract.browseCustomers, { query: { customer: 'ada@example.com' } })
  assert.deepEqual(emailsOf(items), ['ada@example.com'])
})
