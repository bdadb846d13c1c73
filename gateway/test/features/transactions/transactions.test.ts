import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { dayText, lagosDay } from '../../../src/kernel/dates.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'

type Query = Input<typeof contract.searchTransactions>['query']
type Listed = Reply<typeof contract.searchTransactions>['content'][number]

const search = (client: Client, query: Query): Promise<Reply<typeof contract.searchTransactions>> =>
  client.call(contract.searchTransactions, { query })
const references = async (client: Client, query: Query): Promise<readonly string[]> =>
  (await search(client, query)).content.map(({ paymentReference }) => paymentReference)
const listed = async (client: Client, transactionReference: string): Promise<Listed> =>
  (await search(client, { transactionReference })).content[0] ?? assert.fail(transactionReference)

/** Values that each field of init-transaction rejects. `undefined` is a missing field. */
const MALFORMED: Readonly<Record<string, readonly unknown[]>> = {
  amount: [
    undefined,
    null,
    0,
    -20,
    19.99,
    '19.99',
    20.001,
    '20.001',
    1e13,
    '10000000000000',
    '1e3',
    'x',
    '',
    ' 20',
    '+20',
    '20.',
    '.5',
    '٢٠',
    true,
    [20],
    {},
  ],
  customerName: ['x'.repeat(256), 5, {}],
  customerEmail: [
    undefined,
    null,
    '',
    'ada',
    '@example.com',
    'ada@',
    'a@b@c',
    'a b@example.com',
    `${'x'.repeat(250)}@x.com`,
    5,
  ],
  paymentReference: [undefined, null, '', 'x'.repeat(129), 'a\nb', 'a\u200bb', 5],
  paymentDescription: ['x'.repeat(256), 5],
  currencyCode: [undefined, null, '', 566],
  contractCode: [undefined, null, '', 102030405060],
  redirectUrl: [
    '/paid',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    'https://[',
    "https://a;script-src'self'/",
    `https://example.com/${'x'.repeat(2029)}`,
    5,
  ],
  paymentMethods: ['CARD', ['CASH'], ['card'], [null], {}],
  incomeSplitConfig: [
    'x',
    {},
    [5],
    [{}],
    [{ subAccountCode: '' }],
    [{ subAccountCode: 'x', splitPercentage: 101 }],
    [{ subAccountCode: 'x', feeBearer: 'yes' }],
  ],
  metaData: ['x', 5, ['x']],
}

test('init-transaction rejects each malformed field by name, and writes nothing', async () => {
  const shop = await aShop()
  for (const [field, values] of Object.entries(MALFORMED))
    for (const value of values) {
      const { message } = await shop.rejected(400, contract.initTransaction, {
        body: { ...aTransaction(shop), [field]: value },
      })
      assert.match(message, new RegExp(`^${field}\\b`), `${field}: ${JSON.stringify(value)}`)
    }
  const split = { ...aTransaction(shop), incomeSplitConfig: [{ subAccountCode: 'x' }, { splitAmount: '1' }] }
  assert.match(
    (await shop.rejected(400, contract.initTransaction, { body: split })).message,
    /^incomeSplitConfig\[1\]\.subAccountCode is required/,
  )
  assert.match(
    (await shop.rejected(400, contract.initTransaction, { body: aTransaction(shop, { amount: 19 }) })).message,
    /20/,
  )
  assert.equal((await search(shop, {})).totalElements, 0)
})

test('init-transaction accepts each field up to its limit', async () => {
  const shop = await aShop()
  const reference = `${'ß'.repeat(127)}🛒`
  const limits = {
    amount: '9999999999999.99',
    customerName: '🛍'.repeat(255),
    customerEmail: `${'x'.repeat(249)}@x.com`,
    paymentReference: reference,
    paymentDescription: '<b>"&\n\t'.padEnd(255, 'é'),
    redirectUrl: `https://example.com/${'x'.repeat(2028)}`,
    paymentMethods: ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'DIRECT_DEBIT'] as const,
    metaData: { '': [null, true, 1.5, { deep: '\u0001' }] },
  }
  const { transactionReference } = await shop.call(contract.initTransaction, {
    body: { ...aTransaction(shop), ...limits, paymentMethods: [...limits.paymentMethods] },
  })
  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(
    [
      record.totalPayable,
      record.customer.name,
      record.customer.email,
      record.paymentReference,
      record.paymentDescription,
      record.metaData,
    ],
    [limits.amount, limits.customerName, limits.customerEmail, reference, limits.paymentDescription, limits.metaData],
  )
  await shop.call(contract.initTransaction, {
    body: aTransaction(shop, { amount: 20, customerName: null, paymentDescription: null }),
  })
})

test('init-transaction rejects with 422 what is well-formed but not allowed, with the documented messages', async () => {
  const shop = await aShop()
  const body = aTransaction(shop)
  await shop.call(contract.initTransaction, { body })
  const rejected = async (changes: object): Promise<string> =>
    (await shop.rejected(422, contract.initTransaction, { body: { ...aTransaction(shop), ...changes } })).message
  assert.equal(await rejected({ paymentReference: body.paymentReference, amount: 777 }), 'Duplicate payment reference')
  for (const contractCode of ['000000000000', '0000000000', 'unknown'])
    assert.equal(await rejected({ contractCode }), 'Could not find specified contract')
  for (const currencyCode of ['USD', 'ngn', '566'])
    assert.equal(await rejected({ currencyCode }), 'Unknown currency code supplied')
  assert.match(
    await rejected({ incomeSplitConfig: [{ subAccountCode: 'KBO_SUB_000000000000', splitPercentage: 20 }] }),
    /sub account/,
  )
  const other = await shop.anotherMerchant()
  assert.equal(await rejected({ contractCode: other.credentials.contractCode }), 'Could not find specified contract')
  assert.equal((await search(shop, {})).totalElements, 1)
})

test('a method that the contract does not enable is 422, and is not among the defaults', async () => {
  const shop = await aShop()
  await shop.core.directory.change(shop.merchantId, async ({ tx }) => {
    await tx`update contract set payment_methods = ${['CARD', 'USSD']} where merchant_id = ${shop.merchantId}`
  })
  const { enabledPaymentMethod } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  assert.deepEqual(enabledPaymentMethod, ['CARD', 'USSD'])
  await shop.rejected(422, contract.initTransaction, {
    body: aTransaction(shop, { paymentMethods: ['CARD', 'ACCOUNT_TRANSFER'] }),
  })
})

test('init-transaction returns every documented field, and redirectUrl if it was sent', async () => {
  const shop = await aShop()
  const redirectUrl = 'https://shop.example.com/thanks?a=1'
  const body = aTransaction(shop, { paymentMethods: ['ACCOUNT_TRANSFER', 'CARD'], redirectUrl })
  const { transactionReference, checkoutUrl, ...response } = await shop.call(contract.initTransaction, { body })
  assert.match(transactionReference, /^KOBO\|\d\d\|\d{14}\|\d{6}$/)
  const address = `${shop.url}/checkout/${transactionReference.replaceAll('|', '%7C')}`
  assert.ok(checkoutUrl.startsWith(`${address}.`), checkoutUrl)
  assert.deepEqual(response, {
    paymentReference: body.paymentReference,
    merchantName: 'Demo Shop',
    apiKey: shop.credentials.apiKey,
    enabledPaymentMethod: ['ACCOUNT_TRANSFER', 'CARD'],
    redirectUrl,
  })
})

test('references are unique, ascending and start with the deployment’s prefix', async (t) => {
  const shop = await gateway(t, { env: { KOBO_REFERENCE_PREFIX: 'ACME' } })
  const made: string[] = []
  for (let n = 0; n < 20; n++)
    made.push((await shop.call(contract.initTransaction, { body: aTransaction(shop) })).transactionReference)
  assert.equal(new Set(made).size, 20)
  assert.deepEqual([...made].sort(), made)
  assert.ok(made.every((reference) => /^ACME\|\d\d\|\d{14}\|\d{6}$/.test(reference)))
})

test('the status record of an unpaid transaction is complete, and the same from every status path', async () => {
  const shop = await aShop()
  const body = aTransaction(shop, { amount: 1_500, customerName: null, paymentDescription: null })
  const { transactionReference } = await shop.call(contract.initTransaction, { body })
  const { paymentReference } = body
  const record = await shop.call(contract.getTransaction, { params: { transactionReference } })
  assert.deepEqual(record, {
    transactionReference,
    paymentReference,
    amountPaid: '0.00',
    totalPayable: '1500.00',
    settlementAmount: null,
    paidOn: null,
    paymentStatus: 'PENDING',
    paymentDescription: null,
    currency: 'NGN',
    paymentMethod: null,
    product: { type: 'WEB_SDK', reference: paymentReference },
    cardDetails: null,
    accountDetails: null,
    accountPayments: [],
    customer: { email: 'ada@example.com', name: null },
    metaData: {},
  })
  for (const query of [{ transactionReference }, { paymentReference }])
    assert.deepEqual(await shop.call(contract.queryTransaction, { query }), record)
})

test('the status record of a payment by transfer shows each credit with the payer masked', async () => {
  const shop = await aShop()
  const account = await anAccount(shop, { amount: 9_000 })
  await pay(shop, account, 4_000, { senderName: 'ADA OBI', senderAccountNumber: '0123452190', senderBankCode: '058' })
  await pay(shop, account, '5000.00', {
    senderName: 'EZE OBI',
    senderAccountNumber: '0123459999',
    senderBankCode: '044',
  })
  const record = await shop.call(contract.getTransaction, { params: account })
  const credits = [
    { accountName: 'ADA OBI', accountNumber: '******2190', bankCode: '058', amountPaid: '4000.00' },
    { accountName: 'EZE OBI', accountNumber: '******9999', bankCode: '044', amountPaid: '5000.00' },
  ]
  assert.deepEqual([record.accountPayments, record.accountDetails], [credits, credits[1]])
  assert.deepEqual(
    [record.paymentStatus, record.amountPaid, record.paymentMethod],
    ['PAID', '9000.00', 'ACCOUNT_TRANSFER'],
  )
})

test('a status query needs a reference (400) that exists (404)', async () => {
  const shop = await aShop()
  await shop.rejected(400, contract.queryTransaction, { query: {} })
  await shop.rejected(400, contract.queryTransaction, { query: { transactionReference: '' } })
  await shop.rejected(404, contract.queryTransaction, { query: { transactionReference: 'none' } })
  await shop.rejected(404, contract.queryTransaction, { query: { paymentReference: 'none' } })
  await shop.rejected(404, contract.getTransaction, {
    params: { transactionReference: 'KOBO|00|20260101000000|000000' },
  })
})

test('parallel status queries each get their own response, by either reference and only for their own merchant', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const mine = await Promise.all(Array.from({ length: 6 }, () => anAccount(shop)))
  const [theirs, namesake] = [aTransaction(other), aTransaction(other)]
  // A payment reference may be that of another merchant's transaction, or even a transaction reference of the same
  // merchant.
  theirs.paymentReference = mine[0]?.paymentReference ?? ''
  const opened = await other.call(contract.initTransaction, { body: theirs })
  namesake.paymentReference = opened.transactionReference
  await other.call(contract.initTransaction, { body: namesake })
  await Promise.all(mine.slice(0, 3).map((account, n) => pay(shop, account, 100 * (n + 1))))
  await pay(shop, mine[2] ?? assert.fail(), 50)

  const byEither = async (client: Client, query: Input<typeof contract.queryTransaction>['query']) =>
    (await client.call(contract.queryTransaction, { query })).transactionReference
  const [statuses, byPayment, ofOther, ofNamesake] = await Promise.all([
    Promise.all(
      mine.map(({ transactionReference }) => shop.call(contract.getTransaction, { params: { transactionReference } })),
    ),
    Promise.all(mine.map(({ paymentReference }) => byEither(shop, { paymentReference }))),
    byEither(other, { paymentReference: theirs.paymentReference }),
    byEither(other, { transactionReference: opened.transactionReference }),
    ...mine.map((params) => other.rejected(404, contract.getTransaction, { params })),
  ])
  assert.deepEqual(
    statuses.map(({ transactionReference, amountPaid, accountPayments }) => [
      transactionReference,
      amountPaid,
      accountPayments.map((payment) => payment.amountPaid),
    ]),
    mine.map(({ transactionReference }, n) => [
      transactionReference,
      ['100.00', '200.00', '350.00'][n] ?? '0.00',
      [['100.00'], ['200.00'], ['300.00', '50.00']][n] ?? [],
    ]),
  )
  assert.deepEqual(
    byPayment,
    mine.map(({ transactionReference }) => transactionReference),
  )
  assert.equal(ofOther, opened.transactionReference)
  assert.equal(ofNamesake, opened.transactionReference, 'a transaction reference counts before a payment reference')
})

test('a server call turns WEB_SDK into API_NOTIFICATION, in record and list', async () => {
  const shop = await aShop()
  const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const channels = async (): Promise<readonly string[]> => {
    const { product } = await shop.call(contract.getTransaction, { params: { transactionReference } })
    return [product.type, (await listed(shop, transactionReference)).collectionChannel]
  }
  assert.deepEqual(await channels(), ['WEB_SDK', 'WEB_SDK'])
  await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  assert.deepEqual(await channels(), ['API_NOTIFICATION', 'API_NOTIFICATION'])
})

test('a listed transaction has the documented fields, before and after payment', async () => {
  const shop = await aShop()
  const before = shop.core.clock.now()
  const account = await anAccount(shop, { amount: 1_000, metaData: { order: 7 } })
  const { createdOn, merchantCode, ...pending } = await listed(shop, account.transactionReference)
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  assert.ok(new Date(createdOn) >= before && new Date(createdOn) <= shop.core.clock.now(), createdOn)
  assert.match(merchantCode, /^[A-Z0-9]{12}$/)
  assert.deepEqual(pending, {
    customerDTO: { email: 'ada@example.com', name: 'Ada Obi', merchantCode },
    amount: 1000,
    flagged: false,
    currencyCode: 'NGN',
    paymentDescription: 'Two pairs of shoes',
    paymentStatus: 'PENDING',
    transactionReference: account.transactionReference,
    paymentReference: account.paymentReference,
    merchantName: 'Demo Shop',
    metaData: { order: 7 },
    payableAmount: 1000,
    completed: false,
    paymentMethodList: [...contract.PAYMENT_METHODS],
    collectionChannel: 'API_NOTIFICATION',
  })
  await pay(shop, account, 1_000)
  const { completedOn, ...paid } = await listed(shop, account.transactionReference)
  assert.match(completedOn ?? '', /\+0000$/)
  const changed = {
    paymentStatus: 'PAID',
    completed: true,
    paymentMethod: 'ACCOUNT_TRANSFER',
    fee: 15,
    amountPaid: 1000,
  }
  assert.deepEqual(paid, { ...pending, createdOn, merchantCode, ...changed })
})

test('search filters by every field, bounds included, and combines filters', async () => {
  const shop = await aShop()
  const rows: (readonly [string, number, string | null, string])[] = [
    ['a', 100, 'Ada Obi', 'ada@example.com'],
    ['b', 200, 'ADAEZE 100% Okafor', 'Ada@Example.com'],
    ['c', 300.5, 'Chidi_Eze', 'chidi@example.com'],
    ['d', 400, null, 'nobody@example.com'],
  ]
  for (const [paymentReference, amount, customerName, customerEmail] of rows) {
    await shop.call(contract.initTransaction, {
      body: aTransaction(shop, { paymentReference, amount, customerName, customerEmail }),
    })
    await shop.advance(60)
  }
  const { transactionReference } = await shop.call(contract.queryTransaction, { query: { paymentReference: 'c' } })
  await shop.call(contract.cancelTransaction, { params: { transactionReference } })
  const second = String(Date.parse((await search(shop, { paymentReference: 'b' })).content[0]?.createdOn ?? ''))
  const third = String(Date.parse((await search(shop, { paymentReference: 'c' })).content[0]?.createdOn ?? ''))
  const cases: readonly (readonly [Query, readonly string[]])[] = [
    [{}, ['d', 'c', 'b', 'a']],
    [{ paymentReference: 'b' }, ['b']],
    [{ transactionReference }, ['c']],
    [{ amount: '300.50' }, ['c']],
    [{ fromAmount: 200, toAmount: '300.5' }, ['c', 'b']],
    [{ fromAmount: 200.01 }, ['d', 'c']],
    [{ toAmount: 199.99 }, ['a']],
    [{ customerName: 'ada' }, ['b', 'a']],
    [{ customerName: 'OBI' }, ['a']],
    [{ customerName: '100%' }, ['b']],
    [{ customerName: '%' }, ['b']],
    [{ customerName: 'i_E' }, ['c']],
    [{ customerName: '\\' }, []],
    [{ customerEmail: 'ada@example.com' }, ['b', 'a']],
    [{ paymentStatus: 'CANCELLED' }, ['c']],
    [{ paymentStatus: 'PENDING' }, ['d', 'b', 'a']],
    [{ paymentStatus: 'PAID' }, []],
    [{ from: second }, ['d', 'c', 'b']],
    [{ from: String(Number(second) + 1) }, ['d', 'c']],
    [{ to: second }, ['b', 'a']],
    [{ to: String(Number(second) - 1) }, ['a']],
    [{ from: second, to: third }, ['c', 'b']],
    [{ from: third, to: second }, []],
    [{ to: dayText(lagosDay(shop.core.clock.now())) }, ['d', 'c', 'b', 'a']],
    [{ from: second, customerName: 'ada', paymentStatus: 'PENDING' }, ['b']],
  ]
  for (const [query, expected] of cases)
    assert.deepEqual(await references(shop, query), expected, JSON.stringify(query))
})

test('search returns documented pages: first, last, beyond, and empty', async () => {
  const shop = await aShop()
  const { content: none, ...nothing } = await search(shop, {})
  const sort = { sorted: true, unsorted: false, empty: false }
  const pageable = (pageNumber: number, pageSize: number) => ({
    sort,
    pageSize,
    pageNumber,
    offset: pageNumber * pageSize,
    paged: true,
    unpaged: false,
  })
  assert.deepEqual(none, [])
  assert.deepEqual(nothing, {
    pageable: pageable(0, 10),
    last: true,
    first: true,
    totalElements: 0,
    totalPages: 0,
    sort,
    numberOfElements: 0,
    size: 10,
    number: 0,
    empty: true,
  })

  const made: string[] = []
  for (let n = 0; n < 25; n++)
    made.unshift((await shop.call(contract.initTransaction, { body: aTransaction(shop) })).paymentReference)
  for (const [page, numberOfElements] of [
    [0, 10],
    [1, 10],
    [2, 5],
    [3, 0],
  ] as const) {
    const { content, ...wrapper } = await search(shop, { page })
    assert.deepEqual(
      content.map(({ paymentReference }) => paymentReference),
      made.slice(page * 10, page * 10 + 10),
    )
    assert.deepEqual(wrapper, {
      pageable: pageable(page, 10),
      last: page >= 2,
      first: page === 0,
      totalElements: 25,
      totalPages: 3,
      sort,
      numberOfElements,
      size: 10,
      number: page,
      empty: numberOfElements === 0,
    })
  }
  const exact = await search(shop, { page: 4, size: 5 })
  assert.deepEqual([exact.last, exact.totalPages, exact.numberOfElements], [true, 5, 5])
  for (const size of [100, 101, 5_000])
    assert.deepEqual(
      [(await search(shop, { size })).size, (await search(shop, { size })).pageable.pageSize],
      [100, 100],
    )
})

test('search rejects a malformed filter by name', async () => {
  const shop = await aShop()
  for (const [name, values] of Object.entries({
    page: ['-1', 'x', '1.5', ''],
    size: ['0', '-1', 'x', '2.5'],
    paymentStatus: ['LOST', 'paid', ''],
    amount: ['x', '-5', '1.234', '1e3'],
    fromAmount: ['x'],
    toAmount: ['x'],
    from: ['x'],
    to: ['x'],
  }))
    for (const value of values)
      assert.match(
        (await shop.rejected(400, contract.searchTransactions, { query: { [name]: value } })).message,
        new RegExp(`^${name} `),
        `${name}=${value}`,
      )
})

test('only a PENDING or FAILED transaction can be cancelled, and only once', async (t) => {
  const shop = await gateway(t)
  const [pending, failed, paid, overpaid, partly, late] = await Promise.all(
    Array.from({ length: 6 }, () => anAccount(shop, { amount: 1_000 })),
  )
  assert.ok(pending && failed && paid && overpaid && partly && late)
  await pay(shop, paid, 1_000)
  await pay(shop, overpaid, 2_000)
  await pay(shop, partly, 500)
  await shop.db`update transaction set status = 'FAILED' where transaction_reference = ${failed.transactionReference}` // set by hand, since no card is declined here
  for (const open of [pending, failed]) {
    const record = await shop.call(contract.cancelTransaction, { params: open })
    assert.equal(record.paymentStatus, 'CANCELLED')
    assert.deepEqual(await shop.call(contract.getTransaction, { params: open }), record)
    assert.equal((await listed(shop, open.transactionReference)).completed, true)
    assert.equal((await pay(shop, open, 1_000)).status, 'REJECTED')
  }
  for (const closed of [pending, paid, overpaid, partly])
    await shop.rejected(422, contract.cancelTransaction, { params: closed })
  await shop.advance(2_400)
  await shop.rejected(422, contract.cancelTransaction, { params: late })
  await shop.rejected(404, contract.cancelTransaction, { params: { transactionReference: 'none' } })
})

test('an unpaid transaction expires after 40 minutes and is completed; a partly paid one is completed and keeps its money', async () => {
  const shop = await aShop()
  const [unpaid, partly] = await Promise.all([anAccount(shop, { amount: 1_000 }), anAccount(shop, { amount: 1_000 })])
  await pay(shop, partly, 500)
  const states = async (): Promise<readonly unknown[]> => {
    const rows = await Promise.all(
      [unpaid, partly].map(({ transactionReference }) => listed(shop, transactionReference)),
    )
    return rows.map(({ paymentStatus, completed }) => [paymentStatus, completed])
  }
  await shop.advance(2_380)
  assert.deepEqual(await states(), [
    ['PENDING', false],
    ['PARTIALLY_PAID', false],
  ])
  await shop.advance(20)
  assert.deepEqual(await states(), [
    ['EXPIRED', true],
    ['PARTIALLY_PAID', true],
  ])
  const { createdOn, completedOn } = await listed(shop, unpaid.transactionReference)
  assert.equal(Date.parse(completedOn ?? '') - Date.parse(createdOn), 2_400_000)
})
