import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { BALANCES } from '../../gateway/src/core/money/ledger/index.ts'
import { type Db, openDatabase } from '../../gateway/src/platform/postgres/db.ts'
import type { Shop } from '../../gateway/test/harness/gateway.ts'
import { long } from '../../gateway/test/harness/long.ts'
import { aMandate } from '../../gateway/test/harness/mandate-samples.ts'
import { asOwner } from '../../gateway/test/harness/postgres.ts'
import { refund, refundWithStatus } from '../../gateway/test/harness/refund-samples.ts'
import {
  anAccount,
  anInvoice,
  CARDS,
  charge,
  openTransaction,
  pay,
  reserveAccount,
} from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aTeamMember } from '../../gateway/test/harness/users.ts'
import { aDatabase, aGateway } from './commands.ts'

/** A customer. */
interface Payer {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly accountNumber: string
}
const ADA: Payer = {
  name: 'Adaeze Oko',
  email: 'adaeze@example.com',
  phone: '08031110001',
  accountNumber: '0123451111',
}
const BOLA: Payer = {
  name: 'Bolanle Ad',
  email: 'bola@example.com',
  phone: '08031110002',
  accountNumber: '0123452222',
}

/** Creates a payment by bank transfer and returns its reference. */
async function paidBy(shop: Shop, { name, email, accountNumber }: Payer): Promise<string> {
  const account = await anAccount(shop, {
    customerName: name,
    customerEmail: email,
    paymentDescription: `Shoes for ${name}`,
    metaData: { buyer: name },
  })
  await pay(shop, account, 5_000, { senderName: name.toUpperCase(), senderAccountNumber: accountNumber })
  return account.transactionReference
}

/** Creates one of everything that a customer can have with a merchant; returns a function that ends what stays open. */
async function affairsOf(shop: Shop, payer: Payer) {
  const { name, email, phone, accountNumber } = payer
  const customer = { customerName: name, customerEmail: email }
  const paid = await paidBy(shop, payer)
  await refundWithStatus(shop, await refund(shop, paid, { customerNote: `Dear ${name}` }), 'COMPLETED')
  const support = await aTeamMember(shop, 'support')
  const note = { params: { transactionReference: paid }, body: { text: `${name} called` } }
  await support.call(contract.addTransactionNote, note)
  const card = await openTransaction(shop, { ...customer, amount: 900 })
  await charge(shop, card, CARDS.success)
  const invoice = await shop.call(contract.createInvoice, {
    body: anInvoice(shop, shop.core.clock.now(), { ...customer, description: `Dress of ${name}` }),
  })
  const account = await reserveAccount(shop, { ...customer, accountName: `${name} Stores`, getAllAvailableBanks: true })
  await pay(shop, account, 2_000, { senderName: name.toUpperCase(), senderAccountNumber: accountNumber })
  const mandate = await shop.call(contract.createMandate, {
    body: aMandate(shop, {
      customerName: name,
      customerEmailAddress: email.toUpperCase(),
      customerPhoneNumber: phone,
      customerAddress: `${name}, 1 Broad Street`,
      customerAccountNumber: accountNumber,
    }),
  })
  await shop.send('POST', contract.createWallet.path, {
    headers: { 'idempotency-key': randomUUID() },
    body: {
      walletReference: `wallet-${randomUUID()}`,
      walletName: `Savings of ${name}`,
      ...customer,
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  const end = async (): Promise<void> => {
    await shop.call(contract.cancelInvoice, { params: { invoiceReference: invoice.invoiceReference } })
    await shop.call(contract.deallocateReservedAccount, { params: { accountReference: account.accountReference } })
    await shop.call(contract.cancelMandate, { params: { mandateCode: mandate.mandateCode } })
  }
  return { paid, card, invoice, mandate, end }
}

/** Tables of the sandbox's simulated partners, which are outside the merchant's data. */
const OUTSIDE = ['simulated_entry']

/** All tables in which a row contains any of the customer's data. */
async function namedIn(databaseUrl: string, { name, email, phone, accountNumber }: Payer): Promise<readonly string[]> {
  const tables = await asOwner<{ name: string }>(
    databaseUrl,
    `select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace::regnamespace::text not like 'pg\\_%' and c.relnamespace <> 'information_schema'::regnamespace`,
  )
  const inside = tables.map((table) => table.name).filter((table) => !OUTSIDE.includes(table))
  const rows = await asOwner<{ place: string; text: string }>(
    databaseUrl,
    inside.map((table) => `select '${table}' as place, t::text as text from ${table} t`).join(' union all '),
  )
  const found = new Set<string>()
  for (const word of [name, email, phone, accountNumber])
    for (const { place, text } of rows)
      if (text.toLowerCase().includes(word.toLowerCase())) found.add(`${place}: ${word}`)
  return [...found].sort()
}

/** Waits for the request log, which is written after the responses. */
async function noted(shop: Shop): Promise<void> {
  const requestId = `last-${randomUUID()}`
  await shop.send('GET', contract.listBanks.path, { headers: { 'x-request-id': requestId } })
  await until('the requests are noted', async () => {
    const rows = await shop.db`select from request_log where request_id = ${requestId}`
    return rows.length === 1
  })
}

/** The ledger, which no erasure may change. */
const booksOf = async (db: Db): Promise<string> => {
  const books = [
    await db`select * from journal order by merchant_id, id`,
    await db`select * from move order by merchant_id, journal_id, line`,
    await db`select * from ${BALANCES} a order by merchant_id, code`,
    await db`select * from wallet_entry order by merchant_id, account_number, id`,
    await db`select transaction_reference, payment_reference, status, amount, amount_paid, fee, paid_at
               from transaction order by merchant_id, id`,
  ]
  return JSON.stringify(books, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

long(
  'customer erase removes a customer from every table; the ledger stays, and the API shows the pseudonym',
  async (t) => {
    const { shop, prints, run } = await aGateway(t)
    const [{ code }] = await prints('merchant', 'list')
    const ada = await affairsOf(shop, ADA)
    await affairsOf(shop, BOLA)
    const erase = ['customer', 'erase', '--merchant', code, '--email', 'Adaeze@Example.com', '--phone', ADA.phone]

    await noted(shop)
    const before = await namedIn(shop.databaseUrl, ADA)
    assert.ok(before.includes(`request_log: ${ADA.email}`))
    const rejected = await run(...erase)
    assert.equal(rejected.code, 1)
    assert.match(rejected.stderr, /^Nothing was changed: this customer still has open records \(3\)\./)
    for (const open of [/payments: /, /reserved accounts: customer-/, /mandates: mandate-/])
      assert.match(rejected.stderr, open)
    assert.deepEqual(await namedIn(shop.databaseUrl, ADA), before)

    await ada.end()
    await shop.advance(3_600)
    await noted(shop)
    // One of her account numbers belongs to another customer by now.
    await shop.db`
    insert into earlier_account (bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, closes_at)
    select bank_code, account_number, merchant_id, purpose, owner_id, account_name, opened_at, now()
      from virtual_account where account_name like ${`${ADA.name}%`} limit 1`
    const [books, bystander] = [await booksOf(shop.db), await namedIn(shop.databaseUrl, BOLA)]
    const { pseudonym, erased } = await prints(...erase)
    assert.match(pseudonym, /^erased-[0-9a-f]{16}@erased\.invalid$/)
    assert.deepEqual(erased, {
      payments: 4,
      'reserved accounts': 1,
      mandates: 1,
      wallets: 1,
      bills: 0,
      events: erased.events,
      'cards on file': 1,
      mails: erased.mails,
      'stored responses': 1,
      requests: erased.requests,
    })
    assert.ok(erased.events > 4 && erased.mails > 0 && erased.requests > 4)
    assert.deepEqual(await namedIn(shop.databaseUrl, ADA), [])
    assert.deepEqual(await namedIn(shop.databaseUrl, BOLA), bystander)
    assert.equal(await booksOf(shop.db), books)
    await until('the bank that issued a number in her name gets the pseudonym', async () => {
      const reported = await shop.db<
        { rail: string }[]
      >`select rail from simulated_entry where rail like 'account name %'`
      assert.ok(reported.every(({ rail }) => !rail.includes(ADA.name)))
      return reported.length > 0
    })
    assert.equal((await prints('ledger', 'verify', '--all', '--json')).clean, true)
    const trail = await shop.db<{ state: string; reference: string }[]>`
    select details->>'state' as state, reference from audit where act = 'customer.erase' order by id`
    assert.deepEqual(
      trail.map(({ state, reference }) => [state, reference]),
      [
        ['begun', pseudonym],
        ['done', pseudonym],
      ],
    )
    await showsPseudonym(shop, ada, pseudonym)
    assert.equal((await prints(...erase)).erased.events, 0, 'once more changes nothing')
  },
)

/** Every response is also validated against the contract. */
async function showsPseudonym(
  shop: Shop,
  { paid, card, invoice, mandate }: Awaited<ReturnType<typeof affairsOf>>,
  pseudonym: string,
): Promise<void> {
  const record = await shop.call(contract.getTransaction, { params: { transactionReference: paid } })
  assert.deepEqual([record.customer.email, record.metaData, record.paymentDescription], [pseudonym, {}, 'Erased'])
  const charged = await shop.call(contract.getTransaction, { params: { transactionReference: card } })
  assert.deepEqual([charged.cardDetails?.last4, charged.cardDetails?.cardToken ?? null], ['0000', null])
  const { invoiceReference } = invoice
  assert.equal((await shop.call(contract.getInvoice, { params: { invoiceReference } })).customerEmail, pseudonym)
  const [found] = await shop.call(contract.getMandates, { query: { mandateReferences: mandate.mandateReference } })
  assert.deepEqual([found?.customerEmailAddress, found?.customerPhoneNumber], [pseudonym, '00000000000'])
  const { customers } = await shop.call(contract.listCustomers, { query: { search: pseudonym } })
  assert.deepEqual([customers[0]?.customerEmail, customers.length], [pseudonym, 1])
  const wallets = await shop.call(contract.listWallets, { query: { customerEmail: pseudonym } })
  assert.equal(wallets.content[0]?.bvnDetails.bvn, '00000000000')
  const events = await shop.call(contract.listEvents, { query: { reference: paid } })
  assert.ok(events.content.length > 0 && events.content.some(({ body }) => body.includes(pseudonym)))
  const refunds = await shop.call(contract.listRefunds, { query: {} })
  assert.ok(refunds.content.some(({ customerNote }) => customerNote === 'Erased'))
  await shop.rejected(400, contract.initiateRefund, {
    body: {
      transactionReference: paid,
      refundAmount: 100,
      refundReference: 'later',
      refundReason: 'x',
      customerNote: 'y',
    },
  })
}

slow('an interrupted erasure continues when it is run again', async (t) => {
  const { shop, prints, run } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  for (let n = 0; n < 3; n++) await paidBy(shop, ADA)
  await shop.advance(3_600)
  await noted(shop)
  await asOwner(
    shop.databaseUrl,
    `create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`,
    'create trigger stop before update of body on event execute function stop()',
  )
  const erase = ['customer', 'erase', '--merchant', code, '--email', ADA.email]
  assert.equal((await run(...erase)).code, 1)
  const left = await namedIn(shop.databaseUrl, ADA)
  assert.ok(left.length > 0 && left.every((one) => /^(event|request_log):/.test(one)), left.join())
  await asOwner(shop.databaseUrl, 'drop trigger stop on event')
  assert.equal((await prints(...erase)).erased.payments, 3)
  assert.deepEqual(await namedIn(shop.databaseUrl, ADA), [])
})

slow('a customer with money in a wallet or of another merchant is not erased; an identifier is required', async (t) => {
  const { shop, prints, run, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const wallet = await shop.call(contract.createWallet, {
    body: {
      walletReference: 'savings',
      walletName: 'Savings',
      customerName: ADA.name,
      customerEmail: ADA.email,
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  await pay(shop, wallet.topUpAccountDetails, 1_000)
  const rejected = await run('customer', 'erase', '--merchant', code, '--email', ADA.email)
  assert.deepEqual([rejected.code, /wallets: \d{10}/.test(rejected.stderr)], [1, true])
  await shop.anotherMerchant()
  const other = (await prints('merchant', 'list')).find((one: { code: string }) => one.code !== code)
  const { erased } = await prints('customer', 'erase', '--merchant', other.code, '--email', ADA.email)
  assert.deepEqual(new Set(Object.values(erased)), new Set([0]))
  assert.ok((await namedIn(shop.databaseUrl, ADA)).length > 0)
  await misused(
    [/--email or --phone is required/, 'customer', 'erase', '--merchant', code],
    [/--email must be/, 'customer', 'erase', '--merchant', code, '--email', 'ada'],
    [/--phone must be/, 'customer', 'erase', '--merchant', code, '--phone', 'ada'],
    [/--merchant is required/, 'customer', 'erase', '--email', ADA.email],
  )
})

test('in live mode the consent basis is required for lookup permissions and is audited', async (t) => {
  const { env, prints, misused } = await aDatabase(t, {
    KOBO_ENVIRONMENT: 'live',
    KOBO_PUBLIC_URL: 'https://pay.example.com',
    KOBO_ALLOW: 'embedded-database,plain-database,plain-http,plain-public-url,plain-rails',
  })
  await prints('merchant', 'create', '--name', 'Shop', '--email', 'shop@example.com')
  const [{ code }] = await prints('merchant', 'list')
  const permit = ['merchant', 'permit', '--merchant', code] as const
  const basis = 'Opening of accounts; consent by form 7, kept by the merchant'
  await misused(
    [/--consent-basis is required for verification/, ...permit, '--grant', 'verification'],
    [/--consent-basis is required for recurring/, ...permit, '--grant', 'recurring'],
    [/--consent-basis can only be used with/, ...permit, '--grant', 'bills', '--consent-basis', basis],
    [/1 to 500 characters/, ...permit, '--grant', 'verification', '--consent-basis', ' '],
  )
  await prints(...permit, '--grant', 'verification', '--consent-basis', basis)
  const db = openDatabase(env['DATABASE_URL'] ?? '', 1)
  t.after(db.end)
  const [record] = await db<{ basis: string }[]>`
    select details->>'consentBasis' as basis from audit where act = 'merchant.permit'`
  assert.equal(record?.basis, basis)
})
