import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { LISTS, type ListName } from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { inTransaction } from '../../../src/platform/postgres/db.ts'
import { aShop, gateway } from '../../harness/gateway.ts'
import { daysAfter } from '../../harness/mandate-samples.ts'
import { refund, refundWithStatus } from '../../harness/refund-samples.ts'
import {
  aBatch,
  anAccount,
  anInvoice,
  anItem,
  aPaymentLink,
  aTransfer,
  CARDS,
  charge,
  checkoutReferenceOf,
  openTransaction,
  pay,
  reserveAccount,
  transferTo,
} from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

test('lists continue where the page before ended, newest first, with the merchant’s own rows only', async () => {
  const [shop, stranger] = [await aShop(), await aShop()]
  const owner = await aTeamMember(shop, 'owner')
  for (let n = 1; n <= 5; n++) await openTransaction(shop, { amount: 1_000 * n })
  await openTransaction(stranger)
  const seen: number[] = []
  let before: string | undefined
  for (let page = 0; page < 3; page++) {
    const query = { size: 2, ...(before === undefined ? {} : { before }) }
    const { items, next, searchedBackTo } = await owner.call(contract.browseTransactions, { query })
    seen.push(...items.map(({ amount }) => amount))
    assert.equal(searchedBackTo, null)
    assert.equal(next === null, page === 2)
    before = next ?? undefined
  }
  assert.deepEqual(seen, [5_000, 4_000, 3_000, 2_000, 1_000])
  await owner.rejected(400, contract.browseTransactions, { query: { before: 'yesterday' } })

  const first = await owner.call(contract.browseTransactions, { query: { size: 3, order: 'OLDEST' } })
  const rest = await owner.call(contract.browseTransactions, {
    query: { size: 3, order: 'OLDEST', ...(first.next === null ? {} : { before: first.next }) },
  })
  const oldest = [first, rest].map(({ items }) => items.map(({ amount }) => amount))
  assert.deepEqual(
    [oldest, rest.next],
    [
      [
        [1_000, 2_000, 3_000],
        [4_000, 5_000],
      ],
      null,
    ],
  )
})

test('lists are filtered by time, status, method, amount and customer', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const account = await anAccount(shop, {
    amount: 7_000,
    customerEmail: 'Chioma@Example.com',
    customerName: 'Chioma Eze',
  })
  await pay(shop, account, 7_000)
  await openTransaction(shop, { amount: 3_000 })
  const references = async (query: object): Promise<readonly number[]> =>
    (await owner.call(contract.browseTransactions, { query })).items.map(({ amount }) => amount)
  assert.deepEqual(await references({ status: 'PAID' }), [7_000])
  assert.deepEqual(await references({ method: 'ACCOUNT_TRANSFER' }), [7_000])
  assert.deepEqual(await references({ amountFrom: 2_000, amountTo: 4_000 }), [3_000])
  assert.deepEqual(await references({ customer: 'chioma@example.com' }), [7_000])
  assert.deepEqual(await references({ customer: 'oma ez' }), [7_000])
  const later = new Date(shop.core.clock.now().getTime() + DAY_SECONDS * 1_000).toISOString()
  assert.deepEqual(await references({ from: later }), [])
  assert.deepEqual(await references({ to: later }), [3_000, 7_000])
})

test('every list shows the merchant’s rows', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner')
  const { accountReference } = await reserveAccount(shop)
  const { items: accounts } = await owner.call(contract.browseReservedAccounts, { query: {} })
  assert.deepEqual(
    accounts.map((item) => item.accountReference),
    [accountReference],
  )
  await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })
  const made = await owner.call(contract.inDashboard(contract.createPaymentLink), { body: aPaymentLink(shop) })
  const [link] = (await owner.call(contract.browsePaymentLinks, { query: {} })).items
  assert.deepEqual([link?.linkReference, shop.url + link?.path, link?.status], [made.linkReference, made.url, 'ACTIVE'])
  const { reference } = await aTransfer(shop)
  await shop.call(contract.initiateTransfer, { body: await aTransfer(shop, { reference }) })
  const paid = await anAccount(shop)
  await pay(shop, paid, 5_000)
  await refund(shop, paid.transactionReference)
  await shop.advance(DAY_SECONDS)
  const counts = Object.fromEntries(
    await Promise.all(
      (Object.keys(LISTS) as ListName[]).map(async (name) => {
        const { items } = (await owner.call(LISTS[name], { query: {} } as never)) as {
          readonly items: readonly object[]
        }
        return [name, items.length] as const
      }),
    ),
  )
  for (const name of [
    'transactions',
    'transfers',
    'refunds',
    'settlements',
    'invoices',
    'payment-links',
    'statement',
    'events',
    'audit',
  ])
    assert.ok((counts[name] ?? 0) > 0, `${name}: ${counts[name]}`)
  const [settlement] = (await owner.call(contract.browseSettlements, { query: {} })).items
  assert.deepEqual([settlement?.gross, settlement?.fee, settlement?.net], [5_000, 75, 4_925])
  const { items: lines } = await owner.call(contract.browseStatement, { query: { size: 100 } })
  const balances = await owner.call(contract.getStatementBalances, { query: {} })
  assert.equal(balances.closingBalance, lines[0]?.balanceAfter)
  assert.equal(balances.openingBalance, lines.at(-1)?.balanceBefore)
  const named = [
    contract.browseTransfers,
    contract.browseBatches,
    contract.browseRefunds,
    contract.browseDisputes,
    contract.browseInvoices,
    contract.browseMandates,
    contract.browseSubAccounts,
    contract.browsePaycodes,
    contract.browseBills,
    contract.browseLimitProfiles,
    contract.browseEvents,
    contract.browseAudit,
  ]
  for (const route of named) await owner.rejected(400, route, { query: { size: 1_000 } })
})

test('the server masks customers for users who may not see them, in lists, search and timeline', async () => {
  const shop = await aShop()
  const [owner, developer] = [await aTeamMember(shop, 'owner'), await aTeamMember(shop, 'developer')]
  const account = await anAccount(shop, { customerEmail: 'ada@example.com', customerName: 'Ada Obi' })
  await pay(shop, account, 5_000)
  const { transactionReference } = account
  const of = async (person: typeof owner) => {
    const { items } = await person.call(contract.browseTransactions, { query: {} })
    const { found } = await person.call(contract.search, { query: { text: transactionReference } })
    const timeline = await person.call(contract.getTransactionTimeline, { params: { transactionReference } })
    return [items[0]?.customerEmail, found[0]?.customerName, timeline.payments[0]?.payerAccountNumber?.slice(0, 6)]
  }
  const [email, name, number] = await of(owner)
  assert.deepEqual([email, name], ['ada@example.com', 'Ada Obi'])
  assert.match(number ?? '', /^\d{6}$/)
  assert.deepEqual(await of(developer), ['a***@example.com', 'A***', '******'])
})

test('search finds by any reference, email address, account number or session, within the user’s permissions', async () => {
  const [shop, stranger] = [await aShop(), await aShop()]
  const [owner, support] = [await aTeamMember(shop, 'owner'), await aTeamMember(shop, 'support')]
  const elsewhere = await aTeamMember(stranger, 'owner')
  const account = await anAccount(shop, { customerEmail: 'ngozi@example.com', customerName: 'Ngozi Bello' })
  const { transactionReference, paymentReference, accountNumber } = account
  await pay(shop, account, 5_000)
  const timeline = await owner.call(contract.getTransactionTimeline, { params: { transactionReference } })
  const find = async (person: typeof owner, text: string) =>
    (await person.call(contract.search, { query: { text } })).found.map(({ kind, reference }) => `${kind} ${reference}`)
  const texts = [transactionReference, paymentReference, accountNumber]
  const [payment] = timeline.payments
  for (const text of [...texts, payment?.sessionId ?? '', payment?.payerAccountNumber ?? '']) {
    assert.deepEqual(await find(owner, text), [`transaction ${transactionReference}`], text)
    assert.deepEqual(await find(elsewhere, text), [], 'merchants are apart')
  }
  for (const text of ['NGOZI@example.com', 'ngozi']) {
    assert.deepEqual(await find(owner, text), ['customer ngozi@example.com', `transaction ${transactionReference}`])
    assert.deepEqual(await find(elsewhere, text), [], 'merchants are apart')
  }
  const transfer = await shop.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  assert.deepEqual(await find(owner, transfer.reference), [`transfer ${transfer.reference}`])
  const developer = await aTeamMember(shop, 'developer')
  assert.deepEqual(await find(developer, transfer.reference), [], 'developers see no payouts')
  assert.deepEqual(await find(developer, 'ngozi'), [], 'developers find no customers')
  assert.deepEqual(await find(support, 'nothing of the kind'), [])
  await owner.rejected(400, contract.search, { query: { text: '' } })
})

test('search finds payments by the last digits of their card, before others', async () => {
  const [shop, stranger] = [await aShop(), await aShop()]
  const [owner, viewer, elsewhere] = [
    await aTeamMember(shop, 'owner'),
    await aTeamMember(shop, 'viewer'),
    await aTeamMember(stranger, 'owner'),
  ]
  const number = CARDS.success
  const transactionReference = await openTransaction(shop, { amount: 5_000 })
  await charge(shop, transactionReference, number)
  const last4 = number.slice(-4)
  // A newer payment of this amount does not hide the card’s.
  const { transactionReference: ofAmount } = await anAccount(shop, { amount: Number(last4) })
  const find = async (person: typeof owner, text: string, size = 20) =>
    (await person.call(contract.search, { query: { text, size } })).found.map(
      ({ kind, reference }) => `${kind} ${reference}`,
    )
  for (const person of [owner, viewer])
    assert.deepEqual(await find(person, last4), [`transaction ${transactionReference}`, `transaction ${ofAmount}`])
  assert.deepEqual(await find(elsewhere, last4), [], 'merchants are apart')
})

test('search finds every reference in the wallet statement', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const paid = await anAccount(shop, { amount: 7_000 })
  await pay(shop, paid, 7_000)
  await refund(shop, paid.transactionReference, { refundAmount: 1_000 })
  await shop.call(contract.initiateTransfer, { body: await aTransfer(shop) })
  await shop.call(contract.initiateBatch, { body: aBatch(shop, [anItem()]) })
  await shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: 'Bola Ige',
      amount: 5_000,
      paycodeReference: 'cash-1',
      expiryDate: daysAfter(shop.core.clock.now(), 20),
      clientId: shop.credentials.apiKey,
    },
  })
  const { items } = await owner.call(contract.browseStatement, { query: {} })
  const references = new Set(items.flatMap((item) => [item.reference, item.transactionReference]))
  const kinds = new Set<string>()
  for (const text of references) {
    const [first] = (await owner.call(contract.search, { query: { text } })).found
    assert.ok(first !== undefined, text)
    kinds.add(first.kind)
  }
  assert.deepEqual([...kinds].sort(), ['batch', 'paycode', 'refund', 'transfer'])
})

test('search finds an event and a logged request by their ids, for users who may see them', async () => {
  const [shop, stranger] = [await aShop(), await aShop()]
  const [developer, finance, elsewhere] = [
    await aTeamMember(shop, 'developer'),
    await aTeamMember(shop, 'finance'),
    await aTeamMember(stranger, 'developer'),
  ]
  const find = async (person: TestUser, text: string) =>
    (await person.call(contract.search, { query: { text } })).found.map(({ kind, id, reference }) => [
      kind,
      id,
      reference,
    ])
  await pay(shop, await anAccount(shop), 5_000)
  const [event] = (await developer.call(contract.browseEvents, { query: {} })).items
  const id = event?.id ?? assert.fail('the payment has an event')
  const requestId = `req-${id}`
  await shop.send('GET', contract.listBanks.path, { headers: { 'x-request-id': requestId } })
  await until('the request is logged', async () => (await find(developer, requestId)).length > 0)
  const [request] = (await developer.call(contract.browseRequests, { query: { size: 1 } })).items
  assert.deepEqual(await find(developer, requestId), [['request', request?.id, requestId]])
  for (const text of [id, `evt_${id}`])
    assert.deepEqual(await find(developer, text), [['event', id, `evt_${id}`]], text)
  for (const text of [id, requestId, '9'.repeat(19)])
    for (const person of [finance, elsewhere]) assert.deepEqual(await find(person, text), [], text)
})

test('search finds a settlement by the session id of its payout, and a wallet by each of its numbers', async (t) => {
  const shop = await gateway(t)
  const [owner, support] = [await aTeamMember(shop, 'owner'), await aTeamMember(shop, 'support')]
  const find = async (person: typeof owner, text: string) =>
    (await person.call(contract.search, { query: { text } })).found.map(({ kind, reference }) => `${kind} ${reference}`)
  await shop.call(contract.changeSettings, {
    body: { settlementDestination: 'BANK', settlementAccount: { bankCode: '058', accountNumber: '0123456789' } },
  })
  await pay(shop, await anAccount(shop), 5_000)
  await shop.advance(DAY_SECONDS)
  const [settlement] = (await owner.call(contract.browseSettlements, { query: {} })).items
  const session = settlement?.bankReference ?? assert.fail('it has arrived')
  assert.deepEqual(await find(owner, session), [`settlement ${settlement?.settlementReference}`])
  const { accountNumber, walletReference, topUpAccountDetails } = await shop.call(contract.createWallet, {
    body: {
      walletReference: 'savings-1',
      walletName: 'Savings of Ada',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  for (const text of [accountNumber, walletReference, topUpAccountDetails.accountNumber])
    assert.deepEqual(await find(owner, text), [`wallet ${accountNumber}`], text)
  const { walletAccountNumber } = shop.credentials
  assert.deepEqual(await find(owner, walletAccountNumber), [`wallet ${walletAccountNumber}`])
  for (const text of [session, accountNumber])
    assert.deepEqual(await find(support, text), [], 'support sees no balances')
})

test('recipients are accounts that were paid before, once each, by name or number', async () => {
  const [shop, stranger] = [await aShop(), await aShop()]
  const [owner, elsewhere] = [await aTeamMember(shop, 'owner'), await aTeamMember(stranger, 'owner')]
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  for (const [nth, ending] of ['789', '780', '001', '789'].entries())
    await transferTo(shop, ending, { amount: 5_000 + nth })
  const find = async (person: typeof owner, text?: string) =>
    (await person.call(contract.findRecipients, { query: text === undefined ? {} : { text } })).recipients
  await until('all are paid', async () => {
    const recipients = await find(owner)
    return recipients.length === 2 && recipients[0]?.accountNumber === '0123456789'
  })
  const recipients = await find(owner)
  // A failed transfer paid no one.
  assert.deepEqual(
    recipients.map(({ accountNumber }) => accountNumber),
    ['0123456789', '0123456780'],
  )
  const [last] = recipients
  assert.deepEqual(await find(owner, last?.accountName?.slice(8, 12).toLowerCase()), [last])
  assert.deepEqual(await find(owner, '456780'), [recipients[1]])
  assert.deepEqual(await find(owner, 'ada@example.com'), [], 'accounts have no email address')
  assert.deepEqual(await find(elsewhere), [], 'merchants are apart')
  const support = await aTeamMember(shop, 'support')
  assert.equal((await support.rejected(403, contract.findRecipients, { query: {} })).code, 'ROLE_NOT_ALLOWED')
})

test('search continues up to a time, and shows a refunded payment as its list does', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner')
  const customer = { customerName: 'Halima Sule', customerEmail: 'halima@example.com' }
  const older = await anAccount(shop, { amount: 7_531, ...customer })
  await pay(shop, older, 7_531)
  await refundWithStatus(shop, await refund(shop, older.transactionReference, { refundAmount: 1_000 }), 'COMPLETED')
  await shop.advance(HOUR_SECONDS)
  const to = shop.core.clock.now().toISOString()
  await shop.advance(DAY_SECONDS)
  const newer = await anAccount(shop, { amount: 7_531, ...customer })
  await pay(shop, newer, 7_531)
  const search = async (query: { text: string; to?: string }) =>
    (await owner.call(contract.search, { query })).found
      .filter(({ kind }) => kind === 'transaction')
      .map(({ reference, status }) => `${reference} ${status}`)
  const [paid, refunded] = [`${newer.transactionReference} PAID`, `${older.transactionReference} PARTIALLY_REFUNDED`]
  for (const text of ['7531', 'halima', customer.customerEmail]) {
    assert.deepEqual(await search({ text }), [paid, refunded], text)
    assert.deepEqual(await search({ text, to }), [refunded], text)
  }
  const only = await owner.call(contract.search, { query: { text: 'halima', to } })
  assert.equal(only.found.length, 1, 'customers are found by the first search')
  assert.deepEqual(await search({ text: older.transactionReference }), [refunded])
})

test('transactions are filtered by whether all or part of them was refunded, over all pages', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner')
  for (const [amount, refundAmount] of [
    [1_000, 1_000],
    [2_000, 500],
    [3_000, 0],
    [4_000, 4_000],
    [5_000, 5_000],
  ] as const) {
    const account = await anAccount(shop, { amount })
    await pay(shop, account, amount)
    if (refundAmount > 0)
      await refundWithStatus(shop, await refund(shop, account.transactionReference, { refundAmount }), 'COMPLETED')
  }
  const read = async (query: object) => {
    const { items, next } = await owner.call(contract.browseTransactions, { query })
    return { amounts: items.map(({ amount }) => amount), next }
  }
  assert.deepEqual(await read({ status: 'PARTIALLY_REFUNDED' }), { amounts: [2_000], next: null })
  assert.deepEqual(await read({ status: 'REFUNDED', amountTo: 4_000 }), { amounts: [4_000, 1_000], next: null })
  for (const [order, pages] of [
    ['NEWEST', [[5_000, 4_000], [1_000]]],
    ['OLDEST', [[1_000, 4_000], [5_000]]],
  ] as const) {
    const first = await read({ status: 'REFUNDED', size: 2, order })
    const rest = await read({ status: 'REFUNDED', size: 2, order, before: first.next ?? assert.fail('there is more') })
    assert.deepEqual([first.amounts, rest.amounts, rest.next], [...pages, null])
  }
  const { today } = await shop.call(contract.readClock, {})
  await shop.advance(2 * DAY_SECONDS)
  const { today: later } = await shop.call(contract.readClock, {})
  for (const order of ['NEWEST', 'OLDEST']) {
    const count = async (period: object) => (await read({ status: 'REFUNDED', order, ...period })).amounts.length
    assert.deepEqual([await count({ from: today, to: later }), await count({ from: later })], [3, 0])
    assert.equal(await count({ to: today }), 3)
  }
  const { text } = await owner.send(contract.exportList, {
    params: { list: 'transactions' },
    query: { status: 'REFUNDED' },
  })
  assert.equal(text.trimEnd().split('\r\n').length, 4)
})

test('the timeline says that no webhook was sent if the merchant has no webhook URL', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const transactionReference = await openTransaction(shop, { amount: 5_000 })
  await charge(shop, transactionReference, CARDS.success)
  const { timeline } = await owner.call(contract.getTransactionTimeline, { params: { transactionReference } })
  assert.equal(
    timeline.find(({ what }) => what === 'EVENT_TOLD')?.text,
    'No webhook URL is set for SUCCESSFUL_TRANSACTION',
  )
})

test('the timeline of a transaction has its attempts, money, events with every delivery, and the journal in plain words', async (t) => {
  const shop = await aShop()
  const { url } = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: url } })
  const owner = await aTeamMember(shop, 'owner')
  const transactionReference = await openTransaction(shop, { amount: 5_000 })
  const read = () => owner.call(contract.getTransactionTimeline, { params: { transactionReference } })
  assert.match((await read()).checkoutUrl ?? '', /^http\S+\/checkout\//)
  await charge(shop, transactionReference, CARDS.insufficientFunds).catch(() => {})
  const declined = await read()
  assert.equal(declined.transaction.status, 'FAILED')
  assert.match(declined.checkoutUrl ?? '', /^http\S+\/checkout\//, 'it can still be paid')
  await charge(shop, transactionReference, CARDS.success)
  assert.equal((await read()).checkoutUrl, null)
  await until('the event is delivered', async () => (await read()).events[0]?.status === 'DELIVERED')
  const timeline = await read()
  assert.equal(timeline.transaction.status, 'PAID')
  assert.deepEqual(
    timeline.timeline.map(({ what }) => what),
    ['ASKED', 'CARD_DECLINED', 'CARD_CHARGED', 'PAID', 'EVENT_TOLD'],
  )
  assert.deepEqual(
    timeline.attempts.map(({ status }) => status),
    ['DECLINED', 'APPROVED'],
  )
  assert.equal(timeline.events[0]?.deliveries[0]?.status, 200)
  assert.deepEqual(
    timeline.journal.flatMap(({ moves }) => moves.map(({ text }) => text)),
    [
      '₦4,925.00 moved from the card network to your unsettled balance',
      '₦75.00 moved from the card network to Kobo’s fees',
    ],
  )
  await owner.rejected(404, contract.getTransactionTimeline, {
    params: { transactionReference: 'KOBO|00|20260101000000|000000' },
  })
})

test('a payment link reports its payments, their total and its newest transactions, of its merchant only', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  const { url, linkReference } = await shop.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
  const start = async (): Promise<string> => {
    const body = new URLSearchParams({ name: 'Ngozi Ade', email: 'ngozi@example.com' })
    const { headers } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    return checkoutReferenceOf(headers.get('location') ?? '')
  }
  const read = () => owner.call(contract.getLinkPayments, { params: { linkReference } })
  assert.deepEqual(await read(), { payments: 0, amount: 0, isPartial: false, newest: [] })
  await start()
  const { account } = await shop.call(contract.checkoutTransfer, {
    params: { checkoutReference: await start() },
    body: {},
  })
  await pay(shop, account ?? assert.fail(), 5_000)
  const { payments, amount, newest } = await read()
  assert.deepEqual([payments, amount], [1, 5_000])
  assert.deepEqual(
    newest.map(({ status }) => status),
    ['PAID', 'PENDING'],
  )
  const stranger = await aTeamMember(await aShop(), 'owner')
  await stranger.rejected(404, contract.getLinkPayments, { params: { linkReference } })
})

test('invoices are filtered by status, and an event counts every attempt, also those before it was resent', async (t) => {
  const endpoint = await webhookEndpoint(t)
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner')
  await shop.call(contract.changeSettings, { body: { webhookUrl: endpoint.url } })
  const invoices = await Promise.all(
    [1, 2, 3].map(() => shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })),
  )
  const [cancelled, paid, open] = invoices.map(({ invoiceReference }) => invoiceReference)
  await shop.call(contract.cancelInvoice, { params: { invoiceReference: cancelled ?? '' } })
  const { bankCode, accountNumber } = invoices[1] ?? assert.fail()
  await pay(shop, { bankCode: bankCode ?? '', accountNumber: accountNumber ?? '' }, 5_000)
  const of = async (status: 'CANCELLED' | 'PAID' | 'PENDING' | 'EXPIRED') =>
    (await owner.call(contract.browseInvoices, { query: { status } })).items.map((item) => item.invoiceReference)
  assert.deepEqual(
    [await of('CANCELLED'), await of('PAID'), await of('PENDING'), await of('EXPIRED')],
    [[cancelled], [paid], [open], []],
  )

  const attempts = async () => (await owner.call(contract.browseEvents, { query: {} })).items[0]?.attempts
  await until('it is delivered', async () => (await attempts()) === 1)
  const [event] = (await owner.call(contract.browseEvents, { query: {} })).items
  await owner.call(contract.resendMerchantEvent, { params: { id: event?.id ?? '' } })
  await until('both attempts count', async () => (await attempts()) === 2)
})

test('notes on a transaction are internal, audited, masked by role and of its merchant only', async () => {
  const shop = await aShop()
  const [support, developer] = [await aTeamMember(shop, 'support'), await aTeamMember(shop, 'developer')]
  const params = { transactionReference: await openTransaction(shop) }
  for (const text of ['Ada called', 'Ada called again'])
    await support.call(contract.addTransactionNote, { params, body: { text } })
  const read = async (user: TestUser) => (await user.call(contract.getTransactionTimeline, { params })).notes
  const notes = await read(support)
  assert.deepEqual(
    notes.map(({ text }) => text),
    ['Ada called again', 'Ada called'],
  )
  assert.match(notes[0]?.author ?? '', /@/)
  assert.ok(!JSON.stringify(await read(developer)).includes('called'), 'a note may name the customer')
  await developer.rejected(403, contract.addTransactionNote, { params, body: { text: 'No' } })
  await support.rejected(400, contract.addTransactionNote, { params, body: { text: '' } })
  const stranger = await aTeamMember(await aShop(), 'owner')
  await stranger.rejected(404, contract.addTransactionNote, { params, body: { text: 'No' } })
  const { items } = await (await aTeamMember(shop, 'owner')).call(contract.browseAudit, {
    query: { act: 'transaction.note' },
  })
  assert.deepEqual(
    items.map(({ reference }) => reference),
    [params.transactionReference, params.transactionReference],
  )
  assert.ok(!JSON.stringify(items).includes('called'), 'the audit log keeps no text')
})

test('home lists the steps to the first payment, then the next settlement with its time and amount', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner')
  const doneIn = async () =>
    (await owner.call(contract.getHome, {})).setup?.filter(({ isDone }) => isDone).map(({ step }) => step)
  assert.deepEqual(await doneIn(), ['API_CALL'], 'the test has logged in')
  await shop.call(contract.changeSettings, { body: { webhookUrl: 'http://127.0.0.1:1/' } })
  const account = await anAccount(shop)
  assert.deepEqual(await doneIn(), ['API_CALL', 'WEBHOOK_URL'])
  assert.equal((await owner.call(contract.getHome, {})).nextSettlement, null)
  await pay(shop, account, 5_000)
  const { setup, nextSettlement } = await owner.call(contract.getHome, {})
  assert.equal(setup, null)
  assert.equal(nextSettlement?.amount, 4_925)
  const { transaction } = await owner.call(contract.getTransactionTimeline, {
    params: { transactionReference: account.transactionReference },
  })
  assert.equal(nextSettlement.on, transaction.settlesOn)
  const developer = await aTeamMember(shop, 'developer')
  assert.equal((await developer.call(contract.getHome, {})).nextSettlement, null)
  await shop.advance(7 * DAY_SECONDS)
  const settled = await owner.call(contract.getHome, {})
  assert.deepEqual([settled.setup, settled.nextSettlement], [null, null])
})

test('home compares today with the same time a week ago from hourly sums, which ledger verification checks', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner')
  await pay(shop, await anAccount(shop), 5_000)
  await openTransaction(shop)
  const live = await owner.call(contract.getHome, {})
  assert.deepEqual([live.today.amount, live.today.fee, live.today.payments], [5_000, 75, 1])

  await shop.advance(7 * DAY_SECONDS + HOUR_SECONDS)
  await pay(shop, await anAccount(shop, { amount: 3_000 }), 3_000)
  const later = await owner.call(contract.getHome, {})
  assert.equal(
    later.days.reduce((sum, { amount }) => sum + amount, 0),
    8_000,
  )
  assert.ok(later.balance !== null)
  const viewer = await aTeamMember(shop, 'developer')
  assert.equal((await viewer.call(contract.getHome, {})).balance, null)
  await shop.call(contract.changeSettings, { body: { lowBalanceThreshold: 999_999_999 } })
  const isReported = async (person: TestUser) =>
    (await person.call(contract.getHome, {})).attention.some(({ what }) => what === 'LOW_BALANCE')
  assert.deepEqual(
    [await isReported(owner), await isReported(viewer)],
    [true, false],
    'who sees no balance hears nothing of it',
  )
  const [summed] = await shop.db<{ count: bigint }[]>`select count(*) from hourly_total`
  assert.ok((summed?.count ?? 0n) > 0n, 'hours at rest are summed up')
  const { days } = await owner.call(contract.getTotals, { query: { from: '2024-01-01' } })
  // The same days as home has, each once: a day starts at midnight in Lagos, which is 23:00 UTC.
  assert.deepEqual(
    days.filter(({ collected }) => collected > 0).map(({ day, collected }) => [day, collected]),
    later.days.map(({ day, amount }) => [day, amount]),
  )
  assert.equal(
    days.reduce((sum, { collected }) => sum + collected, 0),
    8_000,
  )
  assert.equal(
    days.reduce((sum, { settled }) => sum + settled, 0),
    4_925,
  )

  assert.deepEqual((await verifyLedger(shop.db)).wrong, [])
  await shop.db`update hourly_total set amount = amount + 1 where target = 'payable'`
  const [wrong] = (await verifyLedger(shop.db)).wrong
  assert.match(
    wrong?.what ?? '',
    /the hour’s total from clearing\/bank-transfer to payable is stored as 492501, but its moves sum to 492500/,
  )
})

test('hours that another node is summing again are left to it', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 1_000)
  await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })
  await shop.advance(2 * HOUR_SECONDS)
  const { count } = await shop.db`select from hourly_outcome where is_open`
  assert.ok(count > 0)
  const summedUp = Promise.withResolvers<void>()
  const other = inTransaction(shop.db, async (tx) => {
    await tx`select from hours_summed where merchant_id = ${shop.merchantId} for no key update`
    await tx`create temporary table was on commit drop as select * from hourly_outcome`
    await tx`delete from hourly_outcome`
    await summedUp.promise
    await tx`insert into hourly_outcome select * from was`
  })
  await shop.advance(HOUR_SECONDS)
  summedUp.resolve()
  await other
})

test('an export is the whole list as the user sees it, and is audited; without permission there is none', async () => {
  const shop = await aShop()
  const [owner, finance, support] = [
    await aTeamMember(shop, 'owner'),
    await aTeamMember(shop, 'finance'),
    await aTeamMember(shop, 'support'),
  ]
  for (const paymentDescription of ['=2+3', 'Shoes, red', 'x;=4+5']) await openTransaction(shop, { paymentDescription })
  const { text, headers } = await finance.send(contract.exportList, {
    params: { list: 'transactions' },
    query: { status: 'PENDING' },
  })
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="transactions .*\.csv"$/)
  const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
  assert.ok(text.startsWith('\uFEFF'))
  const { items } = await finance.call(contract.browseTransactions, { query: {} })
  assert.equal(head.split(',').length, Object.keys(items[0] ?? {}).length - 1, 'every field but the internal ID')
  assert.match(head, /^"Created \(WAT\)","Transaction reference","Payment reference","Status"/)
  const lagos = new Date(Date.parse(items[0]?.createdOn ?? '') + 3_600_000).toISOString()
  assert.ok(lines[0]?.startsWith(`"${lagos.slice(0, 10)} ${lagos.slice(11, 19)}"`), 'times are Lagos time')
  assert.equal(lines.length, 3)
  for (const text of [`,"'=2+3",`, `,"x;'=4+5",`])
    assert.ok(
      lines.some((line) => line.includes(text)),
      'no cell is a formula',
    )
  assert.ok(lines.some((line) => line.includes('"Shoes, red"')))
  const [record] = (await owner.call(contract.browseAudit, { query: { act: 'export.make' } })).items
  assert.deepEqual([record?.reference, record?.name], ['transactions', finance.email])
  await finance.rejected(403, contract.exportList, { params: { list: 'events' }, query: {} })
  await support.rejected(403, contract.exportList, { params: { list: 'transactions' }, query: {} })
  await finance.rejected(400, contract.exportList, { params: { list: 'transfers' }, query: { status: 'PAID' } })
})
