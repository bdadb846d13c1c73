import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import fc from 'fast-check'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES } from '../../../src/core/money/ledger/index.ts'
import { allocate, PAYMENTS_MAX, refundablePayments } from '../../../src/features/refunds/allocation.ts'
import { kobo, sum } from '../../../src/kernel/money.ts'
import { inTransaction } from '../../../src/platform/postgres/db.ts'
import { aShop, type Client, gateway, type Shop } from '../../harness/gateway.ts'
import {
  aRefund,
  balances,
  checkLedger,
  ELSEWHERE,
  OPENING_BALANCE,
  refund,
  refundWithStatus,
} from '../../harness/refund-samples.ts'
import { anAccount, CARDS, charge, openTransaction, pay } from '../../harness/samples.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

/** A payment by transfers from several accounts, in naira. */
async function paidFrom(client: Client, senders: Readonly<Record<string, number>>): Promise<string> {
  const account = await anAccount(client, { amount: 1_000_000 })
  for (const [senderAccountNumber, amount] of Object.entries(senders))
    await pay(client, account, amount, { senderName: 'BOLA ADE', senderAccountNumber, senderBankCode: '058' })
  return account.transactionReference
}

/** 2,000 naira by transfer while the card's issuer is silent, then 5,000 by the card. */
async function paidByBoth(client: Shop): Promise<string> {
  const transactionReference = await openTransaction(client, { amount: 5_000 })
  await charge(client, transactionReference, CARDS.silent)
  const account = await client.call(contract.initBankTransfer, { body: { transactionReference } })
  const sender = { senderName: 'BOLA ADE', senderAccountNumber: '0123452190', senderBankCode: '058' }
  assert.equal((await pay(client, account, 2_000, sender)).status, 'ACCEPTED')
  await client.advance(120)
  const { amountPaid } = await client.call(contract.getTransaction, { params: { transactionReference } })
  assert.equal(amountPaid, '7000.00')
  return transactionReference
}

/** The transfers sent for a refund, by account, in naira. */
async function sentTo({ db }: Shop, { reference }: { readonly reference: string }): Promise<Record<string, number>> {
  const rows = await db<{ facts: { accountNumber: string; amount: string } }[]>`
    select facts from simulated_entry where rail = 'transfer' and starts_with(reference, ${reference})`
  return Object.fromEntries(rows.map(({ facts }) => [facts.accountNumber, Number(facts.amount) / 100]))
}

/** The card refunds requested for a refund. */
async function givenBackToCards({ db }: Shop, { reference }: { readonly reference: string }): Promise<string[]> {
  const rows = await db<{ facts: { amount: string } }[]>`
    select facts from simulated_entry where rail = 'card refund' and starts_with(reference, ${reference})`
  return rows.map(({ facts }) => facts.amount)
}

test('a payment by transfer and card is refunded to both, each up to its own amount', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const transactionReference = await paidByBoth(shop)
  const begun = await refund(shop, transactionReference, { refundAmount: 7_000 })
  assert.deepEqual([begun.refundType, begun.destinationAccountNumber], ['FULL_REFUND', '0123452190'])
  await shop.advance(120) // the issuer is silent again
  const completed = await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual([completed.refundAmount, completed.comment], [7_000, 'Refund completed'])
  assert.deepEqual(await sentTo(shop, begun), { '0123452190': 2_000 })
  assert.deepEqual(await givenBackToCards(shop, begun), ['5000.00'])
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 7_010, OPENING_BALANCE - 7_010])
  const clearing = await shop.db<{ code: string; balance: bigint }[]>`
    select code, balance from ${BALANCES} account
     where merchant_id = ${shop.merchantId} and code in ('clearing/card/simulated', 'clearing/bank-transfer/simulated') order by code`
  assert.deepEqual(
    clearing.map(({ balance }) => balance),
    [0n, 0n],
  )
  const received = await events.count(1)
  assert.deepEqual(
    received.map(({ event }) => [event.eventType, event.eventData['refundAmount']]),
    [['SUCCESSFUL_REFUND', 7_000]],
    'one refund, one event',
  )
  await checkLedger(shop)
})

test('several payers each get back what they paid, the last payment first', async () => {
  const shop = await aShop()
  const transactionReference = await paidFrom(shop, { '0123452190': 1_000, '0223452190': 2_000, '0323452190': 3_000 })
  const first = await refund(shop, transactionReference, { refundAmount: 3_500 })
  await refundWithStatus(shop, first, 'COMPLETED')
  assert.deepEqual(await sentTo(shop, first), { '0323452190': 3_000, '0223452190': 500 })
  const second = await refund(shop, transactionReference, { refundAmount: 2_500 })
  await refundWithStatus(shop, second, 'COMPLETED')
  assert.deepEqual(await sentTo(shop, second), { '0223452190': 1_500, '0123452190': 1_000 })
  const { responseCode } = await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  assert.equal(responseCode, 'R12')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 6_020, OPENING_BALANCE - 6_020])
  await checkLedger(shop)
})

test('a named account receives the part paid by transfer; the part paid by card goes back to the card', async () => {
  const shop = await aShop()
  const begun = await refund(shop, await paidByBoth(shop), { ...ELSEWHERE, refundAmount: 7_000 })
  await shop.advance(120)
  await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual(await sentTo(shop, begun), { '2087654321': 2_000 })
  assert.deepEqual(await givenBackToCards(shop, begun), ['5000.00'])
})

test('a refund with a failed part is COMPLETED over the rest; the failed amount is in the wallet and can be refunded again', async (t) => {
  const shop = await aShop()
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const transactionReference = await paidFrom(shop, { '0123452190': 1_000, '0123456001': 3_000 })
  const begun = await refund(shop, transactionReference, { refundAmount: 4_000 })
  assert.equal(begun.refundType, 'FULL_REFUND')
  const completed = await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual([completed.refundAmount, completed.refundType], [1_000, 'PARTIAL_REFUND'])
  assert.equal(
    completed.comment,
    'Refund completed in part: 3000.00 could not be refunded and is back in the wallet: Invalid account',
  )
  assert.deepEqual(
    await balances(shop),
    [OPENING_BALANCE - 1_002.5, OPENING_BALANCE - 1_002.5],
    'a part that failed gives its share of the fee back',
  )
  const [reported] = await events.count(1)
  assert.deepEqual([reported?.event.eventType, reported?.event.eventData['refundAmount']], ['SUCCESSFUL_REFUND', 1_000])

  const above = await shop.rejected(400, contract.initiateRefund, {
    body: aRefund(transactionReference, { refundAmount: 3_000.01 }),
  })
  assert.equal(above.responseCode, 'R3')
  const again = await refund(shop, transactionReference, { ...ELSEWHERE, refundAmount: 3_000 })
  await refundWithStatus(shop, again, 'COMPLETED')
  assert.deepEqual(await sentTo(shop, again), { '2087654321': 3_000 })
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 4_012.5, OPENING_BALANCE - 4_012.5])
  await checkLedger(shop)
})

test('a refund whose parts all fail is FAILED, and amount and fee are released', async () => {
  const shop = await aShop()
  const begun = await refund(shop, await paidFrom(shop, { '0123456001': 1_000, '0123456004': 3_000 }), {
    refundAmount: 4_000,
  })
  const failed = await refundWithStatus(shop, begun, 'FAILED')
  assert.deepEqual([failed.refundAmount, failed.refundType], [4_000, 'FULL_REFUND'])
  assert.match(
    failed.comment,
    /^Refund failed: (Invalid account; Account is dormant|Account is dormant; Invalid account)$/,
  )
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  await checkLedger(shop)
})

test('a refund stays PENDING while a part is unknown or not final; the other parts are not resent', async (t) => {
  const shop = await gateway(t)
  const transactionReference = await paidFrom(shop, { '0123456003': 1_000, '0123456002': 2_000, '0123452190': 3_000 })
  const begun = await refund(shop, transactionReference, { refundAmount: 6_000 })
  await shop.advance(20)
  await refundWithStatus(shop, begun, 'PENDING')
  await shop.advance(120)
  await refundWithStatus(shop, begun, 'PENDING')
  await shop.advance(300)
  const completed = await refundWithStatus(shop, begun, 'COMPLETED')
  assert.equal(completed.refundAmount, 5_000, 'the bank of one sent its part back')
  assert.match(completed.comment, /1000\.00 could not be refunded .*returned the money$/)
  assert.equal((await shop.db`select from simulated_entry where rail = 'transfer'`).count, 3)
  await checkLedger(shop)
})

test('one payer with an unusable account rejects the whole refund with R6, and nothing is sent', async () => {
  const shop = await aShop()
  const transactionReference = await paidFrom(shop, { '0123452190': 1_000, '0000000000': 3_000 })
  const body = aRefund(transactionReference, { refundAmount: 4_000 })
  assert.equal((await shop.rejected(400, contract.initiateRefund, { body })).responseCode, 'R6')
  assert.equal((await shop.call(contract.listRefunds, { query: {} })).totalElements, 0)
})

test(`one refund returns up to ${PAYMENTS_MAX} payments; the error for more states the possible amount`, async () => {
  const shop = await aShop()
  const senders = Array.from({ length: PAYMENTS_MAX + 1 }, (_, n) => [`01234500${String(n).padStart(2, '0')}`, 100])
  const transactionReference = await paidFrom(shop, Object.fromEntries(senders))
  const { responseCode, message } = await shop.rejected(400, contract.initiateRefund, {
    body: aRefund(transactionReference, { refundAmount: 2_100 }),
  })
  assert.equal(responseCode, 'R3')
  assert.match(message, /2000\.00/)
})

test('old refunds without a payment count against the newest payment of their method', async () => {
  const shop = await aShop()
  const transactionReference = await paidFrom(shop, { '0123452190': 1_000, '0223452190': 2_000 })
  await refundWithStatus(shop, await refund(shop, transactionReference, { refundAmount: 1_500 }), 'COMPLETED')
  await shop.db`update refund set payment_id = null where merchant_id = ${shop.merchantId}`
  const begun = await refund(shop, transactionReference, { refundAmount: 1_500 })
  await refundWithStatus(shop, begun, 'COMPLETED')
  assert.deepEqual(await sentTo(shop, begun), { '0223452190': 500, '0123452190': 1_000 })
  const { responseCode } = await shop.rejected(400, contract.initiateRefund, { body: aRefund(transactionReference) })
  assert.equal(responseCode, 'R12')
})

test('concurrent refunds of several payments return to each payer exactly what it paid', async () => {
  const shop = await aShop()
  const senders = { '0123452190': 1_000, '0223452190': 700, '0323452190': 300 }
  const transactionReference = await paidFrom(shop, senders)
  const responses = await Promise.all(
    Array.from({ length: 12 }, () =>
      shop.send('POST', contract.initiateRefund.path, {
        body: aRefund(transactionReference, { refundAmount: 250 }),
      }),
    ),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 8)
  const { content } = await shop.call(contract.listRefunds, { query: { size: 100 } })
  const got: Record<string, number> = {}
  for (const begun of content) {
    await refundWithStatus(shop, begun, 'COMPLETED')
    for (const [account, amount] of Object.entries(await sentTo(shop, begun)))
      got[account] = (got[account] ?? 0) + amount
  }
  assert.deepEqual(got, senders)
  await checkLedger(shop)
})

test('the ledger checks find a part that differs from its journals, and a refund that differs from its parts', async (t) => {
  const shop = await gateway(t)
  const transactionReference = await paidFrom(shop, { '0123452190': 1_000, '0123456001': 3_000 })
  const begun = await refund(shop, transactionReference, { refundAmount: 4_000 })
  await refundWithStatus(shop, begun, 'COMPLETED')
  await checkLedger(shop)
  for (const [damage, mend] of [
    [
      "update refund_part set status = 'COMPLETED', failure = null where status = 'FAILED'",
      "update refund_part set status = 'FAILED', failure = 'no' where amount = 300000",
    ],
    ['update refund set amount = amount + 1', 'update refund set amount = amount - 1'],
  ] as const) {
    await inTransaction(shop.db, (tx) => tx.script(damage))
    const { wrong } = await verifyLedger(shop.db)
    assert.ok(
      wrong.some(({ reference }) => reference === begun.refundReference),
      damage,
    )
    await inTransaction(shop.db, (tx) => tx.script(mend))
    await checkLedger(shop)
  }
})

const PAYMENT = { method: 'ACCOUNT_TRANSFER' } as never as Parameters<typeof refundablePayments>[0][number]

test('an allocation distributes the whole amount, never exceeds a payment, and splits the fee to the kobo', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: PAYMENTS_MAX })
  fc.assert(
    fc.property(
      amounts,
      fc.bigInt({ min: 0n, max: 100_000n }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (paid, fee, part) => {
        const payments = paid.map((amount, index) => ({ ...PAYMENT, id: BigInt(index), amount: kobo(amount) }))
        const total = sum(payments.map(({ amount }) => amount))
        const requested = kobo(BigInt(Math.max(1, Math.floor(Number(total) * part))))
        const allocated = allocate(refundablePayments(payments, []), requested, kobo(fee))
        assert.equal(sum(allocated.map(({ amount }) => amount)), requested)
        assert.equal(sum(allocated.map((one) => one.fee)), fee)
        assert.ok(
          allocated.every(({ payment, amount, fee: share }) => amount > 0n && amount <= payment.amount && share >= 0n),
        )
        const returned = allocated.map(({ payment, amount }) => ({
          paymentId: payment.id,
          amount,
          method: 'ACCOUNT_TRANSFER' as const,
        }))
        assert.equal(sum(refundablePayments(payments, returned).map(({ remaining }) => remaining)), total - requested)
      },
    ),
  )
})
