import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentStatus, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { invoiceMachine } from '../../../src/features/invoices/machine.ts'
import { invoiceStatus } from '../../../src/features/invoices/status.ts'
import { transactionMachine } from '../../../src/features/transactions/machine.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { monthsAfter, spaced } from '../../../src/kernel/dates.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { textsIn } from '../../harness/pdf-text.ts'
import { aCard, anInvoice, aReservedAccount, aTransaction, checkoutReferenceOf, pay } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type Invoice = Reply<typeof contract.createInvoice>

const NOW = (shop: Shop): Date => shop.core.clock.now()
const create = (shop: Shop, changes: object = {}): Promise<Invoice> =>
  shop.call(contract.createInvoice, { body: anInvoice(shop, NOW(shop), changes) })
const statusOf = async (shop: Shop, { invoiceReference }: Invoice): Promise<string> =>
  (await shop.call(contract.getInvoice, { params: { invoiceReference } })).invoiceStatus
/** The account number for a transfer to an invoice. */
const numberOf = ({ bankCode = '', accountNumber = '' }: Invoice) => ({ bankCode, accountNumber })
const invoiceAccount = (shop: Shop) =>
  shop.call(contract.reserveInvoiceAccount, { body: { ...aReservedAccount(shop), reservedAccountType: 'INVOICE' } })

test('an invoice has its own account, and its response matches the API exactly', async () => {
  const shop = await aShop()
  const body = anInvoice(shop, NOW(shop), {
    amount: '999.50',
    description: 'Three months of maths lessons for two pupils, paid in advance',
    redirectUrl: 'https://school.example.com/thanks',
  })
  const invoice = await shop.call(contract.createInvoice, { body })
  assert.match(invoice.accountNumber ?? '', /^\d{10}$/)
  assert.match(invoice.createdOn, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  assert.ok(invoice.checkoutUrl.startsWith(`${shop.url}/checkout/${encodeURIComponent(invoice.transactionReference)}.`))
  assert.deepEqual(invoice, {
    amount: 999.5,
    invoiceReference: body.invoiceReference,
    invoiceStatus: 'PENDING',
    description: body.description,
    contractCode: shop.credentials.contractCode,
    customerEmail: 'ada@example.com',
    customerName: 'Ada Obi',
    expiryDate: body.expiryDate,
    createdBy: shop.credentials.apiKey,
    createdOn: invoice.createdOn,
    checkoutUrl: invoice.checkoutUrl,
    accountNumber: invoice.accountNumber,
    accountName: 'Three months of maths lessons for two pu',
    bankName: 'Wema bank',
    bankCode: '035',
    redirectUrl: 'https://school.example.com/thanks',
    transactionReference: invoice.transactionReference,
    incomeSplitConfig: [],
  })
  assert.deepEqual(await shop.call(contract.getInvoice, { params: invoice }), invoice)
  const record = await shop.call(contract.getTransaction, { params: invoice })
  assert.deepEqual(record.product, { type: 'INVOICE', reference: body.invoiceReference })
  assert.equal(record.paymentReference, body.invoiceReference)
  const { content } = await shop.call(contract.searchTransactions, { query: {} })
  assert.equal(content[0]?.collectionChannel, 'INVOICE')
})

test('items are listed by the API, on the page and its PDF and in the email; they must add up to the amount', async () => {
  const shop = await aShop()
  const items = [
    { description: 'Pair of shoes', quantity: 2, unitPrice: 2_000.25 },
    { description: 'Socks', quantity: 1, unitPrice: '999.50' },
  ]
  const shown = items.map((item) => ({ ...item, unitPrice: Number(item.unitPrice) }))
  const body = anInvoice(shop, NOW(shop), { amount: 5_000, items })
  const invoice = await shop.call(contract.createInvoice, { body })
  assert.deepEqual(invoice.items, shown)
  const { checkoutUrl, invoiceReference } = invoice
  const checkoutReference = checkoutReferenceOf(checkoutUrl)
  const page = await shop.call(contract.getCheckout, { params: { checkoutReference } })
  assert.deepEqual(page.invoice?.items, shown)
  const pdf = await fetch(`${checkoutUrl}/invoice.pdf`)
  const texts = textsIn(Buffer.from(await pdf.arrayBuffer())).join(' ')
  for (const text of ['2 × ₦2,000.25', 'Pair of shoes: ₦4,000.50', 'Socks: ₦999.50'])
    assert.ok(texts.includes(text), `${text} in ${texts}`)
  await shop.call(contract.mailInvoice, { params: { invoiceReference }, body: {} })
  const mails = () => shop.call(contract.readInbox, { query: { to: 'ada@example.com' } })
  await until('it is mailed', async () => (await mails()).length > 0)
  assert.match((await mails())[0]?.text ?? '', /2 × Pair of shoes, ₦2,000\.25: ₦4,000\.50/)

  const { message } = await shop.rejected(400, contract.createInvoice, {
    body: anInvoice(shop, NOW(shop), { amount: 4_999, items }),
  })
  assert.equal(message, 'amount must be 5000.00, the sum of quantity × unitPrice of the items')
  const many = Array.from({ length: 50 }, (_, n) => ({ description: `Book ${n}`, quantity: 1, unitPrice: 10 }))
  const long = await create(shop, { amount: 500, items: many })
  const longTexts = textsIn(Buffer.from(await (await fetch(`${long.checkoutUrl}/invoice.pdf`)).arrayBuffer())).join(' ')
  assert.ok(longTexts.includes('Book 49'), 'all items are on the paper')
  await shop.rejected(400, contract.createInvoice, {
    body: anInvoice(shop, NOW(shop), {
      amount: 510,
      items: [...many, { description: 'x', quantity: 1, unitPrice: 10 }],
    }),
  })
})

test('paying an invoice by transfer makes it PAID and sends an event with its reference; no more money is accepted', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrl: events.url } })
  const invoice = await create(shop)
  assert.equal((await pay(shop, numberOf(invoice), 5_000)).status, 'ACCEPTED')
  assert.equal(await statusOf(shop, invoice), 'PAID')
  assert.equal((await pay(shop, numberOf(invoice), 5_000)).reason, 'ALREADY_PAID')
  const [reported] = await events.count(2)
  const { invoiceReference, product, paymentStatus } = reported?.event.eventData ?? {}
  assert.deepEqual(
    { invoiceReference, product, paymentStatus },
    {
      invoiceReference: invoice.invoiceReference,
      product: { reference: invoice.invoiceReference, type: 'INVOICE' },
      paymentStatus: 'PAID',
    },
  )
  const found = await shop.call(contract.listEvents, { query: { reference: invoice.invoiceReference } })
  assert.equal(found.totalElements, 2)
})

test('paying by card makes it PAID too, and a declined card leaves it PENDING; an attached account follows', async () => {
  const shop = await aShop()
  const account = await invoiceAccount(shop)
  const { accountReference } = account
  const invoice = await create(shop, { accountReference })
  const { transactionReference } = invoice
  const declined = { transactionReference, card: aCard('5399838383838381') }
  await shop.rejected(400, contract.chargeCard, { body: declined })
  assert.equal(await statusOf(shop, invoice), 'PENDING')
  await shop.call(contract.chargeCard, {
    body: { transactionReference, card: aCard('4111111111111111') },
  })
  assert.equal(await statusOf(shop, invoice), 'PAID')
  assert.equal((await pay(shop, account, 5_000)).reason, 'ACCOUNT_INACTIVE')
  const record = await shop.call(contract.getTransaction, { params: invoice })
  assert.deepEqual([record.paymentMethod, record.product.type], ['CARD', 'INVOICE'])
  const received = await shop.call(contract.listEvents, { query: { reference: invoice.invoiceReference } })
  assert.match(received.content[0]?.body ?? '', new RegExp(`"invoiceReference":"${invoice.invoiceReference}"`))
})

test('the checkout shows the account of the invoice', async () => {
  const shop = await aShop()
  const invoice = await create(shop)
  const { transactionReference } = invoice
  const account = await shop.call(contract.initBankTransfer, { body: { transactionReference } })
  assert.deepEqual(
    [account.accountNumber, account.accountName, account.collectionChannel],
    [invoice.accountNumber, 'Two pairs of shoes', 'INVOICE'],
  )
})

test('a partly paid invoice stays PENDING and cannot be cancelled; the rest makes it PAID; an overpaid one is PAID too', async () => {
  const shop = await aShop()
  const invoice = await create(shop)
  await pay(shop, numberOf(invoice), 4_999)
  assert.equal(await statusOf(shop, invoice), 'PENDING')
  assert.match((await shop.rejected(422, contract.cancelInvoice, { params: invoice })).message, /partly paid/)
  await pay(shop, numberOf(invoice), 1)
  assert.equal(await statusOf(shop, invoice), 'PAID')
  const other = await create(shop)
  await pay(shop, numberOf(other), 6_000)
  assert.equal(await statusOf(shop, other), 'PAID')
})

test('at its expiry an invoice is EXPIRED and accepts nothing; a partial payment is kept', async () => {
  const shop = await aShop()
  const expiryDate = spaced(secondsAfter(NOW(shop), 3_600))
  const [unpaid, partly, paid] = await Promise.all([1, 2, 3].map(() => create(shop, { expiryDate })))
  assert.ok(unpaid && partly && paid)
  await pay(shop, numberOf(partly), 100)
  await pay(shop, numberOf(paid), 5_000)
  await shop.advance(3_000)
  assert.equal(await statusOf(shop, unpaid), 'PENDING')
  await shop.advance(600)
  assert.deepEqual(
    [await statusOf(shop, unpaid), await statusOf(shop, partly), await statusOf(shop, paid)],
    ['EXPIRED', 'EXPIRED', 'PAID'],
  )
  assert.equal((await pay(shop, numberOf(unpaid), 5_000)).reason, 'ACCOUNT_EXPIRED')
  assert.equal((await pay(shop, numberOf(partly), 4_900)).reason, 'ACCOUNT_EXPIRED')
  const record = await shop.call(contract.getTransaction, { params: partly })
  assert.deepEqual([record.paymentStatus, record.amountPaid], ['PARTIALLY_PAID', '100.00'])
  for (const params of [unpaid, partly, paid]) await shop.rejected(422, contract.cancelInvoice, { params })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a cancelled invoice accepts nothing, its transaction is CANCELLED, and it is not cancelled twice', async () => {
  const shop = await aShop()
  const invoice = await create(shop)
  const cancelled = await shop.call(contract.cancelInvoice, { params: invoice })
  assert.deepEqual(cancelled, { ...invoice, invoiceStatus: 'CANCELLED' })
  assert.equal((await shop.call(contract.getTransaction, { params: invoice })).paymentStatus, 'CANCELLED')
  assert.equal((await pay(shop, numberOf(invoice), 5_000)).reason, 'ACCOUNT_EXPIRED')
  assert.match((await shop.rejected(422, contract.cancelInvoice, { params: invoice })).message, /CANCELLED/)
  const other = await create(shop)
  await shop.call(contract.cancelTransaction, { params: other })
  assert.equal(await statusOf(shop, other), 'CANCELLED')
})

test('20 parallel payments and 20 cancellations: it is paid or cancelled, never both', async () => {
  const shop = await aShop()
  const invoice = await create(shop)
  const tries = await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      i % 2 === 0
        ? (await pay(shop, numberOf(invoice), 5_000)).status === 'ACCEPTED' && 'PAID'
        : (await shop.send('DELETE', `/api/v1/invoice/${invoice.invoiceReference}/cancel`)).status === 200 &&
          'CANCELLED',
    ),
  )
  const won = tries.filter((one) => one !== false)
  assert.equal(won.length, 1)
  assert.equal(await statusOf(shop, invoice), won[0])
})

test('malformed requests are 400 and name the field; duplicates and unknown contracts are 422', async () => {
  const shop = await aShop()
  const now = NOW(shop)
  const sound = anInvoice(shop, now)
  for (const field of [
    'amount',
    'currencyCode',
    'invoiceReference',
    'customerName',
    'customerEmail',
    'contractCode',
    'description',
    'expiryDate',
  ]) {
    const { message } = await shop.rejected(400, contract.createInvoice, { body: { ...sound, [field]: undefined } })
    assert.equal(message, `${field} is required`)
  }
  const latest = monthsAfter(now, 6)
  for (const [changes, field] of [
    [{ amount: 19.99 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ invoiceReference: '' }, 'invoiceReference'],
    [{ customerName: '' }, 'customerName'],
    [{ description: '' }, 'description'],
    [{ customerEmail: 'nobody' }, 'customerEmail'],
    [{ redirectUrl: 'ftp://x' }, 'redirectUrl'],
    [{ paymentMethods: ['CASH'] }, 'paymentMethods[0]'],
    [{ expiryDate: 'tomorrow' }, 'expiryDate'],
    [{ expiryDate: '31/12/2030 10:00:00' }, 'expiryDate'],
    [{ expiryDate: '2030-02-30 10:00:00' }, 'expiryDate'],
    [{ expiryDate: spaced(now) }, 'expiryDate'],
    [{ expiryDate: spaced(secondsAfter(now, -60)) }, 'expiryDate'],
    [{ expiryDate: spaced(secondsAfter(latest, 60)) }, 'expiryDate'],
  ] as const) {
    const { message } = await shop.rejected(400, contract.createInvoice, { body: { ...sound, ...changes } })
    assert.ok(message.startsWith(`${field} `), message)
  }
  for (const [changes, expected] of [
    [{ contractCode: '000000000000' }, 'Could not find specified contract'],
    [{ currencyCode: 'USD' }, 'Unknown currency code supplied'],
    [{ accountReference: 'nobody' }, 'Cannot find reserved account'],
    [
      { incomeSplitConfig: [{ subAccountCode: 'KBO_SUB_000000000000' }] },
      'Could not find sub account KBO_SUB_000000000000',
    ],
  ] as const) {
    const { message } = await shop.rejected(422, contract.createInvoice, { body: { ...sound, ...changes } })
    assert.equal(message, expected)
  }
  assert.equal((await shop.db`select from invoice where merchant_id = ${shop.merchantId}`).count, 0)

  await shop.call(contract.createInvoice, { body: { ...sound, expiryDate: spaced(latest) } })
  const duplicate = {
    message: 'Duplicate invoice reference',
    responseCode: '99',
    code: 'DUPLICATE_INVOICE_REFERENCE',
  }
  assert.deepEqual(await shop.rejected(422, contract.createInvoice, { body: sound }), duplicate)
  // An invoice's reference is also its payment reference, so an invoice and a payment cannot have the same one.
  const { paymentReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  assert.deepEqual(
    await shop.rejected(422, contract.createInvoice, { body: { ...sound, invoiceReference: paymentReference } }),
    duplicate,
  )
  const taken = aTransaction(shop, { paymentReference: sound.invoiceReference })
  await shop.rejected(422, contract.initTransaction, { body: taken })
  await shop.rejected(404, contract.getInvoice, { params: { invoiceReference: paymentReference } })
})

test('30 parallel requests with one reference create one invoice', async () => {
  const shop = await aShop()
  const body = anInvoice(shop, NOW(shop))
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => shop.send('POST', contract.createInvoice.path, { body })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 29 }, () => 422)])
  assert.equal((await shop.call(contract.listInvoices, { query: {} })).totalElements, 1)
  assert.equal(
    (await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'transaction'`)
      .count,
    1,
  )
})

test('invoices are listed newest first, in pages; unknown ones are 404; another merchant sees none', async () => {
  const shop = await aShop()
  const references: string[] = []
  for (let i = 0; i < 12; i++) references.unshift((await create(shop, { amount: 100 + i })).invoiceReference)
  await shop.call(contract.initTransaction, { body: aTransaction(shop) })
  const page = await shop.call(contract.listInvoices, { query: {} })
  assert.deepEqual(
    [page.content.map(({ invoiceReference }) => invoiceReference), page.totalElements, page.totalPages, page.last],
    [references.slice(0, 10), 12, 2, false],
  )
  const rest = await shop.call(contract.listInvoices, { query: { page: 2, size: 5 } })
  assert.deepEqual(
    rest.content.map(({ invoiceReference }) => invoiceReference),
    references.slice(10),
  )
  await shop.rejected(400, contract.listInvoices, { query: { size: 0 } })
  for (const route of [contract.getInvoice, contract.cancelInvoice])
    await shop.rejected(404, route, { params: { invoiceReference: 'nothing' } })
  const other = await shop.anotherMerchant()
  assert.equal((await other.call(contract.listInvoices, { query: {} })).totalElements, 0)
  for (const route of [contract.getInvoice, contract.cancelInvoice])
    await other.rejected(404, route, { params: { invoiceReference: references[0] } })
})

test('an attached invoice is paid into the reserved account, which is active while it is open', async () => {
  const shop = await aShop()
  const account = await invoiceAccount(shop)
  const { accountReference } = account
  const status = async (): Promise<string> => (await shop.call(contract.getReservedAccount, { params: account })).status
  const invoice = await create(shop, { accountReference })
  assert.deepEqual(
    [invoice.accountNumber, invoice.accountName, invoice.bankCode],
    [account.accountNumber, account.accountName, account.bankCode],
  )
  assert.equal(await status(), 'ACTIVE')
  assert.match(
    (await shop.rejected(422, contract.createInvoice, { body: anInvoice(shop, NOW(shop), { accountReference }) }))
      .message,
    /open invoice/,
  )
  const { transactionReference } = invoice
  const toPay = await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode: '232' } })
  assert.deepEqual(
    [toPay.accountNumber, toPay.accountName, toPay.bankCode],
    [account.accountNumber, account.accountName, account.bankCode],
  )
  await pay(shop, account, 2_000)
  assert.deepEqual([await status(), await statusOf(shop, invoice)], ['ACTIVE', 'PENDING'])
  await pay(shop, account, 3_000)
  assert.deepEqual([await status(), await statusOf(shop, invoice)], ['INACTIVE', 'PAID'])
  assert.equal((await pay(shop, account, 100)).reason, 'ACCOUNT_INACTIVE')
  const record = await shop.call(contract.getTransaction, { params: invoice })
  assert.deepEqual(
    [record.product.type, record.accountPayments.map(({ amountPaid }) => amountPaid)],
    ['INVOICE', ['2000.00', '3000.00']],
  )

  // The second invoice of the account is cancelled, and the third expires.
  const second = await create(shop, { accountReference })
  await shop.call(contract.cancelInvoice, { params: second })
  assert.equal(await status(), 'INACTIVE')
  const third = await create(shop, { accountReference, expiryDate: spaced(secondsAfter(NOW(shop), 60)) })
  assert.equal(await status(), 'ACTIVE')
  await shop.advance(60)
  assert.deepEqual([await status(), await statusOf(shop, third)], ['INACTIVE', 'EXPIRED'])
  assert.equal((await pay(shop, account, 5_000)).reason, 'ACCOUNT_INACTIVE')
  const listed = await shop.call(contract.listReservedAccountTransactions, { query: { accountReference } })
  assert.deepEqual(
    listed.content.map(({ paymentStatus, providerCode }) => [paymentStatus, providerCode]),
    [
      ['EXPIRED', ''],
      ['CANCELLED', ''],
      ['PAID', '035'],
    ],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('of 20 parallel invoices for one account one is attached', async () => {
  const shop = await aShop()
  const { accountReference } = await invoiceAccount(shop)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      shop.send('POST', contract.createInvoice.path, { body: anInvoice(shop, NOW(shop), { accountReference }) }),
    ),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array.from({ length: 19 }, () => 422)])
  assert.equal((await shop.call(contract.listInvoices, { query: {} })).totalElements, 1)
})

test('invoices attach only to the merchant’s own accounts for invoices, if they take transfers', async () => {
  const shop = await aShop()
  const general = await shop.call(contract.reserveAccount, { body: aReservedAccount(shop) })
  const rejected = async (changes: object): Promise<string> =>
    (await shop.rejected(422, contract.createInvoice, { body: anInvoice(shop, NOW(shop), changes) })).message
  assert.match(await rejected({ accountReference: general.accountReference }), /INVOICE/)
  const { accountReference } = await invoiceAccount(shop)
  assert.match(await rejected({ accountReference, paymentMethods: ['CARD'] }), /ACCOUNT_TRANSFER/)
  const other = await shop.anotherMerchant()
  await other.rejected(422, contract.createInvoice, { body: anInvoice(other, NOW(shop), { accountReference }) })
  await shop.call(contract.deallocateReservedAccount, { params: { accountReference } })
  assert.match(await rejected({ accountReference }), /Cannot find/)
  // An empty reference counts as none, and without transfers there is no account.
  const dynamic = await create(shop, { accountReference: '', paymentMethods: ['CARD'] })
  assert.ok(!('accountNumber' in dynamic) && !('bankCode' in dynamic))
})

test('limits and allowed payers of an account apply to its invoices too', async (t) => {
  const shop = await gateway(t)
  const account = await invoiceAccount(shop)
  const { accountReference } = account
  const limits = { singleTransactionValue: 3_000, dailyTransactionValue: 4_000, dailyTransactionVolume: 10 }
  const profile = await shop.call(contract.createLimitProfile, { body: { limitProfileName: 'Parts', ...limits } })
  const { limitProfileCode } = profile
  await shop.call(contract.setLimitProfile, { body: { accountReference, limitProfileCode } })
  const invoice = await create(shop, { accountReference })
  assert.equal((await pay(shop, account, 3_001)).reason, 'LIMIT_EXCEEDED')
  assert.equal((await pay(shop, account, 3_000)).reason, null)
  assert.equal((await pay(shop, account, 2_000)).reason, 'LIMIT_EXCEEDED')
  await shop.call(contract.updatePaymentSourceFilter, {
    params: { accountReference },
    body: { restrictPaymentSource: true, allowedPaymentSources: { accountNames: ['NGOZI EZE'] } },
  })
  await shop.advance(86_400)
  assert.equal((await pay(shop, account, 2_000)).reason, 'PAYMENT_SOURCE_NOT_ALLOWED')
  assert.equal((await pay(shop, account, 2_000, { senderName: 'Ngozi Eze' })).reason, null)
  assert.equal(await statusOf(shop, invoice), 'PAID')
})

test('money that an invoice rejects does not count against the limits of its account', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { underpayment: 'REJECT' } })
  const account = await invoiceAccount(shop)
  const { accountReference } = account
  const limits = { singleTransactionValue: 5_000, dailyTransactionValue: 5_000, dailyTransactionVolume: 1 }
  const profile = await shop.call(contract.createLimitProfile, { body: { limitProfileName: 'Once', ...limits } })
  const { limitProfileCode } = profile
  await shop.call(contract.setLimitProfile, { body: { accountReference, limitProfileCode } })
  await create(shop, { accountReference })
  assert.equal((await pay(shop, account, 4_999)).reason, 'UNDER_PAYMENT')
  assert.equal((await pay(shop, account, 5_000)).reason, null)
})

test('every change of its transaction is a move of the invoice, or leaves it unchanged', () => {
  const at = new Date('2026-03-01T09:30:00Z')
  const ENDS = new Set<PaymentStatus>(['PAID', 'OVERPAID', 'EXPIRED', 'CANCELLED'])
  const seen = (status: PaymentStatus, completed: boolean) =>
    invoiceStatus({ status, completedAt: completed ? at : null, expiresAt: secondsAfter(at, 60) }, at)
  const moves = Object.entries(invoiceMachine).flatMap(([from, triggers]) =>
    Object.values(triggers).map((to) => `${from} ${to}`),
  )
  for (const [from, triggers] of Object.entries(transactionMachine) as [
    PaymentStatus,
    Record<string, PaymentStatus>,
  ][]) {
    const before = seen(from, ENDS.has(from))
    for (const [trigger, to] of Object.entries(triggers)) {
      const after = seen(to, ENDS.has(to) || trigger === 'expire')
      assert.ok(before === after || moves.includes(`${before} ${after}`), `${from} ${trigger}: ${before} ${after}`)
    }
  }
})

test('an invoice is a page, a PDF and a mail, each with the merchant and the account; a closed one is not mailed', async () => {
  const shop = await aShop()
  const invoice = await create(shop, { customerName: 'Chidi Eze', customerEmail: 'chidi@example.com' })
  const params = { invoiceReference: invoice.invoiceReference }
  const { pathname } = new URL(invoice.checkoutUrl)
  const page = await shop.send('GET', pathname)
  for (const text of [
    `Invoice ${invoice.invoiceReference}`,
    'To: Chidi Eze',
    'Pay by',
    'Save the invoice as PDF',
    'Two pairs of shoes (for Demo Shop)',
  ])
    assert.ok(page.text.includes(text), text)
  const inIgbo = await shop.send('GET', `${pathname}?lang=ig`)
  assert.ok(inIgbo.text.includes('Two pairs of shoes (maka Demo Shop)'))
  const pdf = textsIn(Buffer.from(await (await fetch(`${shop.url}${pathname}/invoice.pdf`)).arrayBuffer())).join('\n')
  for (const text of ['Demo Shop', 'Chidi Eze', invoice.accountNumber ?? '', '(for Demo Shop)'])
    assert.ok(pdf.includes(text), `${text} of ${pdf}`)

  await shop.call(contract.mailInvoice, { params, body: {} })
  const inbox = () => shop.call(contract.readInbox, { query: { to: 'chidi@example.com' } })
  await until('the mail is there', async () => (await inbox()).length > 0)
  const [mail] = await inbox()
  for (const text of [invoice.accountNumber ?? '', '(for Demo Shop)', invoice.checkoutUrl, 'Dear Chidi Eze', 'WAT'])
    assert.ok(mail?.text.includes(text), text)

  const phishing = await create(shop, { description: 'Verify now at https://evil.example/login' })
  const rejected = await shop.rejected(422, contract.mailInvoice, {
    params: { invoiceReference: phishing.invoiceReference },
    body: {},
  })
  assert.equal(rejected.code, 'MAIL_WITH_WEB_ADDRESS')

  await shop.rejected(404, contract.mailInvoice, { params: { invoiceReference: 'none' }, body: {} })
  await shop.call(contract.cancelInvoice, { params })
  const rejection = await shop.rejected(422, contract.mailInvoice, { params, body: {} })
  assert.equal(rejection.code, 'INVOICE_NOT_MAILABLE')
})
