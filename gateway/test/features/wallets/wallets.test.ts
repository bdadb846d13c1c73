import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { receiveTopUps } from '../../../src/features/wallets/top-up.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { isNuban } from '../../../src/kernel/nuban.ts'
import { testWall } from '../../harness/clock.ts'
import { aShop, type Client, gateway } from '../../harness/gateway.ts'
import { ownDatabase } from '../../harness/postgres.ts'
import { anAccount, pay } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

type NewWallet = Input<typeof contract.createWallet>['body']

const aWallet = (changes: Partial<NewWallet> = {}): NewWallet => ({
  walletReference: `wallet-${randomUUID()}`,
  walletName: 'Savings of Ada',
  customerName: 'Ada Obi',
  customerEmail: 'ada@example.com',
  bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
  ...changes,
})

const open = (client: Client, changes: Partial<NewWallet> = {}): Promise<Reply<typeof contract.createWallet>> =>
  client.call(contract.createWallet, { body: aWallet(changes) })

const balance = async (client: Client, accountNumber: string): Promise<number> =>
  (await client.call(contract.getCustomerWalletBalance, { query: { accountNumber } })).availableBalance

const OPENING_BALANCE = 10_000_000

test('a customer’s wallet has its own number and an account at a partner bank to pay into', async () => {
  const shop = await aShop()
  const body = aWallet()
  const wallet = await shop.call(contract.createWallet, { body })
  const { accountNumber, accountName, topUpAccountDetails, ...echoed } = wallet
  assert.deepEqual(echoed, { ...body, feeBearer: 'SELF' })
  assert.ok(isNuban('50515', accountNumber))
  assert.equal(accountName, 'Ada Obi')
  const { accountNumber: topUpNumber, createdOn, ...bank } = topUpAccountDetails
  assert.deepEqual(bank, { accountName: 'Ada Obi', bankCode: '035', bankName: 'Wema bank' })
  assert.ok(isNuban('035', topUpNumber))
  assert.match(createdOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)
  assert.deepEqual(await shop.call(contract.getCustomerWalletBalance, { query: { accountNumber } }), {
    availableBalance: 0,
    ledgerBalance: 0,
  })
  const listed = await shop.call(contract.listWallets, { query: {} })
  assert.deepEqual(listed.content, [wallet])
})

test('a BVN is not readable in the database', async () => {
  const shop = await aShop()
  const body = aWallet({ bvnDetails: { bvn: '12345678901', bvnDateOfBirth: '1994-09-07' } })
  const headers = { 'idempotency-key': randomUUID() } // so that the response is stored too
  const [first, again] = [
    await shop.send('POST', contract.createWallet.path, { body, headers }),
    await shop.send('POST', contract.createWallet.path, { body, headers }),
  ]
  assert.deepEqual([first.status, again.text], [200, first.text])
  const [row] = await shop.db<{ text: string }[]>`
    select w::text || i::text as text from wallet w join idempotency_key i using (merchant_id)
     where merchant_id = ${shop.merchantId} and type = 'CUSTOMER'`
  assert.match(row?.text ?? '', /Ada Obi/)
  assert.doesNotMatch(row?.text ?? '', /12345678901|1994-09-07/)
  assert.ok(!row?.text.includes(Buffer.from('12345678901').toString('hex')))
})

test('a missing or malformed field is rejected by name, and no wallet is created', async () => {
  const shop = await aShop()
  const bvnDetails = aWallet().bvnDetails
  for (const [field, changes] of [
    ['walletReference', { walletReference: undefined }],
    ['walletReference', { walletReference: '' }],
    ['walletName', { walletName: undefined }],
    ['customerName', { customerName: 7 }],
    ['customerEmail', { customerEmail: 'nobody' }],
    ['bvnDetails', { bvnDetails: undefined }],
    ['bvnDetails.bvn', { bvnDetails: { ...bvnDetails, bvn: '2222222222' } }],
    ['bvnDetails.bvn', { bvnDetails: { ...bvnDetails, bvn: 22222222226 } }],
    ['bvnDetails.bvnDateOfBirth', { bvnDetails: { ...bvnDetails, bvnDateOfBirth: '07-09-1994' } }],
    ['bvnDetails.bvnDateOfBirth', { bvnDetails: { ...bvnDetails, bvnDateOfBirth: '1994-02-30' } }],
    ['bvnDetails.bvnDateOfBirth', { bvnDetails: { bvn: '22222222226' } }],
  ] as const) {
    const { message } = await shop.rejected(400, contract.createWallet, { body: { ...aWallet(), ...changes } })
    assert.ok(message.startsWith(`${field} `), `${field}: ${message}`)
  }
  assert.equal((await shop.call(contract.listWallets, { query: {} })).totalElements, 0)
})

test('50 concurrent requests with one wallet reference open one wallet; the others return 422', async () => {
  const shop = await aShop()
  const body = aWallet()
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => shop.send('POST', contract.createWallet.path, { body })),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(responses.every(({ status }) => status === 200 || status === 422))
  assert.equal((await shop.rejected(422, contract.createWallet, { body })).message, 'Duplicate wallet reference')
  const accounts =
    await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'wallet'`
  assert.equal(accounts.count, 3, 'the merchant’s own, the customer’s, and the top-up account')
})

test('wallets are listed newest first, by page, by reference and by email address', async () => {
  const shop = await aShop()
  const wallets = []
  for (let i = 0; i < 22; i++) wallets.push(await open(shop, { customerEmail: `c${i % 2}@example.com` }))
  const references = wallets.map(({ walletReference }) => walletReference).reverse()

  const first = await shop.call(contract.listWallets, { query: {} })
  assert.deepEqual([first.size, first.totalElements, first.totalPages, first.last], [20, 22, 2, false])
  const second = await shop.call(contract.listWallets, { query: { pageNo: 1, pageSize: 20 } })
  assert.deepEqual(
    [...first.content, ...second.content].map(({ walletReference }) => walletReference),
    references,
  )
  const [reference = ''] = references
  const byReference = await shop.call(contract.listWallets, { query: { walletReference: reference } })
  assert.deepEqual(
    byReference.content.map(({ walletReference }) => walletReference),
    [reference],
  )
  assert.equal(
    (await shop.call(contract.listWallets, { query: { customerEmail: 'C1@EXAMPLE.com' } })).totalElements,
    11,
  )
  assert.equal((await shop.call(contract.listWallets, { query: { pageSize: 500 } })).size, 100)
  for (const query of [{ pageNo: -1 }, { pageNo: 'two' }, { pageSize: 0 }])
    await shop.rejected(400, contract.listWallets, { query })
})

test('a payment to the top-up account or to the wallet’s own number is in the wallet at once, without a fee', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { wallet: events.url } } })
  const { topUpAccountDetails, accountNumber, walletReference } = await open(shop)
  const sender = { senderName: 'BOLA ADE', senderAccountNumber: '0123452190', senderBankCode: '058' }

  const { sessionId } = await pay(shop, topUpAccountDetails, '1500.50', { ...sender, narration: 'For school' })
  await pay(shop, { bankCode: '50515', accountNumber }, 500, sender)
  assert.deepEqual(await shop.call(contract.getCustomerWalletBalance, { query: { walletReference } }), {
    availableBalance: 2_000.5,
    ledgerBalance: 2_000.5,
  })

  const statement = await shop.call(contract.listWalletTransactions, { query: { accountNumber } })
  assert.deepEqual([statement.totalElements, statement.size], [2, 20])
  const [latest, earliest] = statement.content
  assert.deepEqual([latest?.availableBalanceBefore, latest?.availableBalanceAfter], [1_500.5, 2_000.5])
  assert.ok(earliest !== undefined)
  const { walletTransactionReference, transactionDate, ...line } = earliest
  assert.deepEqual(line, {
    transactionReference: sessionId,
    availableBalanceBefore: 0,
    availableBalanceAfter: 1_500.5,
    amount: 1_500.5,
    transactionType: 'CREDIT',
    message: 'Top-up from BOLA ADE',
    narration: 'For school',
    status: 'SUCCESS',
  })
  assert.notEqual(walletTransactionReference, latest?.walletTransactionReference)
  assert.match(transactionDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/)

  const [reported] = await events.count(2)
  const { activityTime, ...activity } = reported?.event.eventData ?? {}
  assert.equal(reported?.event.eventType, 'ACCOUNT_ACTIVITY')
  assert.deepEqual(activity, {
    accountType: 'MAIN',
    accountName: 'Ada Obi',
    accountNumber,
    accountNuban: null,
    activityType: 'TRANSACTION',
    amount: 1_500.5,
    currency: '566',
    balanceBefore: 0,
    balanceAfter: 1_500.5,
    reference: sessionId,
    narration: 'For school',
  })
  assert.match(String(activityTime), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (AM|PM)$/)
  assert.deepEqual(JSON.parse(reported?.body ?? '').metaData, {
    senderAccount: '0123452190',
    sourceAccountName: 'BOLA ADE',
    sourceAccountNumber: '0123452190',
    sourceBankCode: '058',
    sourceBankName: 'GTBank',
  })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('the merchant’s own wallet can be paid into by its number, and has a statement too', async () => {
  const shop = await aShop()
  const { walletAccountNumber } = shop.credentials
  assert.equal((await pay(shop, { bankCode: '50515', accountNumber: walletAccountNumber }, 250)).status, 'ACCEPTED')
  assert.equal(await balance(shop, walletAccountNumber), OPENING_BALANCE + 250)
  const { content } = await shop.call(contract.listWalletTransactions, {
    query: { accountNumber: walletAccountNumber },
  })
  assert.deepEqual(
    content.map(({ amount, transactionType }) => [amount, transactionType]),
    [[250, 'CREDIT']],
  )
  const another = await shop.anotherMerchant()
  await pay(another, { bankCode: '50515', accountNumber: another.credentials.walletAccountNumber }, 70)
  assert.equal(await balance(another, another.credentials.walletAccountNumber), 70)
  assert.equal(await balance(shop, walletAccountNumber), OPENING_BALANCE + 250)
})

test('a top-up reported twice is posted once, in one batch or in two, and sends one event', async () => {
  const shop = await aShop()
  const { topUpAccountDetails, accountNumber } = await open(shop)
  const { sessionId } = await pay(shop, topUpAccountDetails, 300)
  const [row] = await shop.db<{ merchantId: bigint; id: bigint }[]>`
    select merchant_id, id from wallet where account_number = ${accountNumber}`
  assert.ok(row !== undefined)
  const creditOf = (railReference: string) => ({
    merchantId: row.merchantId,
    walletId: row.id,
    credit: {
      partner: 'simulated',
      railReference,
      bankCode: topUpAccountDetails.bankCode,
      accountNumber: topUpAccountDetails.accountNumber,
      amount: 30_000n as never,
      payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
    },
  })
  const again = creditOf(sessionId)
  const further = creditOf('another')
  const notify = () => unitOfWork(shop.core, (unit) => receiveTopUps(unit, [again, further, again, further]))
  const outcomes = await Promise.all([notify(), notify(), notify()])
  assert.ok(outcomes.flat().every(({ kind }) => kind === 'accepted'))
  assert.equal(await balance(shop, accountNumber), 600)
  assert.equal((await shop.call(contract.listWalletTransactions, { query: { accountNumber } })).totalElements, 2)
  assert.equal((await shop.call(contract.listEvents, { query: { eventType: 'ACCOUNT_ACTIVITY' } })).totalElements, 2)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('100 concurrent top-ups next to other payments are exact to the kobo, and the statement has no gap', async () => {
  const shop = await aShop()
  const { topUpAccountDetails, accountNumber } = await open(shop)
  const payment = await anAccount(shop, { amount: 1_000_000 })
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, i) => [
      pay(shop, i % 2 === 0 ? topUpAccountDetails : { bankCode: '50515', accountNumber }, `${100 + i}.07`),
      ...(i % 4 === 0 ? [pay(shop, payment, 10)] : []),
    ]).flat(),
  )
  assert.ok(responses.every(({ status }) => status === 'ACCEPTED'))
  assert.equal(await balance(shop, accountNumber), 14_957)
  assert.equal((await shop.call(contract.getTransaction, { params: payment })).amountPaid, '250.00')
  const { content } = await shop.call(contract.listWalletTransactions, { query: { accountNumber, pageSize: 100 } })
  assert.equal(content.length, 100)
  for (const [index, line] of content.entries())
    assert.equal(line.availableBalanceBefore, content[index + 1]?.availableBalanceAfter ?? 0)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a statement is in order across nodes with different clocks: each line continues the one before', async (t) => {
  const { url: databaseUrl, drop } = await ownDatabase()
  const here = await gateway(t, { databaseUrl })
  const behind = { now: () => secondsAfter(testWall.now(), -1) }
  const there = await gateway(t, { databaseUrl, wall: behind })
  t.after(drop)
  const { topUpAccountDetails, accountNumber } = await open(here)
  for (let round = 0; round < 10; round++)
    for (const node of [here, there]) await pay(node, topUpAccountDetails, 100 + round)
  const { content } = await there.call(contract.listWalletTransactions, { query: { accountNumber, pageSize: 100 } })
  assert.equal(content.length, 20)
  for (const [index, line] of content.entries())
    assert.equal(line.availableBalanceBefore, content[index + 1]?.availableBalanceAfter ?? 0, `line ${index}`)
})

test('the sandbox adds test money to the merchant’s own wallet or to a customer’s', async () => {
  const shop = await aShop()
  const { walletAccountNumber } = shop.credentials
  assert.deepEqual(await shop.call(contract.fundWallet, { body: { amount: '99.95' } }), {
    accountNumber: walletAccountNumber,
    availableBalance: 10_000_099.95,
    ledgerBalance: 10_000_099.95,
  })
  const { accountNumber } = await open(shop)
  assert.deepEqual(await shop.call(contract.fundWallet, { body: { accountNumber, amount: 40 } }), {
    accountNumber,
    availableBalance: 40,
    ledgerBalance: 40,
  })
  await Promise.all(
    Array.from({ length: 50 }, () => shop.call(contract.fundWallet, { body: { accountNumber, amount: 1.01 } })),
  )
  assert.equal(await balance(shop, accountNumber), 90.5)
  const stranger = (await shop.anotherMerchant()).credentials.walletAccountNumber
  await shop.rejected(404, contract.fundWallet, { body: { accountNumber: stranger, amount: 40 } })
  for (const body of [{}, { amount: 0 }, { amount: -5 }, { amount: 1, accountNumber: '12' }])
    await shop.rejected(400, contract.fundWallet, { body })
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an unknown wallet, or another merchant’s, is 404; a missing or malformed one is 400', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const { accountNumber, walletReference } = await open(shop)
  for (const route of [contract.getCustomerWalletBalance, contract.listWalletTransactions]) {
    await shop.call(route, { query: { accountNumber } })
    for (const query of [{ accountNumber }, { walletReference }])
      assert.equal((await other.rejected(404, route, { query })).message, 'Could not find specified wallet')
    await other.rejected(404, route, { query: { accountNumber: shop.credentials.walletAccountNumber } })
    await shop.rejected(404, route, { query: { accountNumber: '0000000000' } })
    for (const query of [{}, { accountNumber: '123' }, { accountNumber: 'abcdefghij' }])
      await shop.rejected(400, route, { query })
  }
  assert.equal((await other.call(contract.listWallets, { query: { walletReference } })).totalElements, 0)
  await open(other, { walletReference }) // another merchant may use the same reference
})

test('without the permission every wallet endpoint returns 403', async () => {
  const shop = await aShop()
  const accountNumber = shop.credentials.walletAccountNumber
  await shop.call(contract.changeSettings, { body: { permissions: { wallets: false } } })
  await shop.rejected(403, contract.createWallet, { body: aWallet() })
  await shop.rejected(403, contract.listWallets, {})
  await shop.rejected(403, contract.getCustomerWalletBalance, { query: { accountNumber } })
  const { message, responseCode } = await shop.rejected(403, contract.listWalletTransactions, {
    query: { accountNumber },
  })
  assert.deepEqual([message, responseCode], ['Merchant is not permitted to perform this operation', '99'])
})
