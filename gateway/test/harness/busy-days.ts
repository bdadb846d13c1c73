import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as contract from '@kobo/contract'
import type { TestGateway } from './gateway.ts'
import { aMandate, anActiveMandate, daysAfter } from './mandate-samples.ts'
import { paid, refund, refundWithStatus } from './refund-samples.ts'
import {
  aBatch,
  aCard,
  advanceToHour,
  anAccount,
  anInvoice,
  anItem,
  CARDS,
  charge,
  openTransaction,
  pay,
  reserveAccount,
  transferTo,
} from './samples.ts'
import { until } from './until.ts'

const EVENING = 23

/** Plays two days with payments and payouts of every kind and outcome, some still open; `then` runs before the end. */
export async function twoBusyDays(
  shop: TestGateway,
  then: (shop: TestGateway) => Promise<void> = async () => undefined,
): Promise<void> {
  await shop.call(contract.changeSettings, {
    body: { otpEnabled: false, permissions: { bills: true }, underpayment: 'ACCEPT' },
  })
  await advanceToHour(shop, 9)
  await collect(shop)
  await spend(shop)
  await advanceToHour(shop, EVENING, 0)
  await shop.call(contract.changeSettings, { body: { settlementDestination: 'BANK' } })
  await advanceToHour(shop, 9)
  await collect(shop)
  await spend(shop)
  await advanceToHour(shop, EVENING, 0)
  await until('all work that can complete is completed', async () => {
    await shop.advance(400)
    const [open] = await shop.db<{ count: bigint }[]>`
      select (select count(*) from rail_order where state in ('WAITING', 'SENT'))
           + (select count(*) from transfer_batch where status <> 'COMPLETED') as count`
    return open?.count === 0n
  })
  await then(shop)
  await collect(shop)
  await leaveOpen(shop)
}

/** Collects money by every payment method. */
async function collect(shop: TestGateway): Promise<void> {
  const [first, second] = await shop.call(contract.createSubAccounts, {
    body: ['0123456789', '0123456003'].map((accountNumber) => ({
      currencyCode: 'NGN',
      accountNumber,
      bankCode: '058',
      email: 'bisola@example.com',
      defaultSplitPercentage: 20,
    })),
  })
  assert.ok(first !== undefined && second !== undefined)
  const incomeSplitConfig = [first, second].map(({ subAccountCode }) => ({
    subAccountCode,
    feeBearer: true,
    feePercentage: 20,
  }))
  const inParts = await anAccount(shop, { incomeSplitConfig })
  await pay(shop, inParts, 1_000)
  await pay(shop, inParts, 4_000)
  assert.equal((await pay(shop, inParts, 1)).status, 'REJECTED')
  await pay(shop, await anAccount(shop), 7_000)
  await pay(shop, await anAccount(shop), 10)
  await charge(shop, await openTransaction(shop), CARDS.success)
  await tryCard(shop, CARDS.insufficientFunds)
  await pay(shop, await reserveAccount(shop), 2_500)
  const invoice = await shop.call(contract.createInvoice, { body: anInvoice(shop, shop.core.clock.now()) })
  await pay(shop, { bankCode: invoice.bankCode ?? '', accountNumber: invoice.accountNumber ?? '' }, 5_000)
  await pay(shop, { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }, 300)
  await debit(shop, (await anActiveMandate(shop)).mandateCode)
  await payToken(shop)
}

/** Charges a card, whatever the outcome. */
async function tryCard(shop: TestGateway, number: string): Promise<void> {
  const body = { transactionReference: await openTransaction(shop), card: aCard(number) }
  await shop.send('POST', contract.chargeCard.path, { body })
}

const debit = (shop: TestGateway, mandateCode: string) =>
  shop.call(contract.debitMandate, {
    body: {
      paymentReference: `debit-${randomUUID()}`,
      mandateCode,
      debitAmount: '5000',
      narration: 'Rent',
      customerEmail: 'ada@example.com',
    },
  })

/** A customer authorizes a mandate by paying its token. */
async function payToken(shop: TestGateway): Promise<void> {
  const body = aMandate(shop)
  await shop.call(contract.createMandate, { body })
  const [account] = await shop.db<{ bankCode: string; accountNumber: string }[]>`
    select token_bank_code as bank_code, token_account_number as account_number
      from mandate where mandate_reference = ${body.mandateReference}`
  assert.ok(account !== undefined)
  const sender = { senderAccountNumber: body.customerAccountNumber, senderBankCode: body.customerAccountBankCode }
  assert.equal((await pay(shop, account, 49, sender)).status, 'REJECTED')
  assert.equal((await pay(shop, account, 50, sender)).status, 'ACCEPTED')
}

const vend = (shop: TestGateway, ending: string) =>
  shop.call(contract.vendBill, {
    body: {
      productCode: 'MTN-AIRTIME',
      customerId: `08142223${ending}`,
      amount: 1_000,
      reference: `bill-${randomUUID()}`,
    },
  })

const makePaycode = (shop: TestGateway) =>
  shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: 'Bola Ige',
      amount: 5_000,
      paycodeReference: `cash-${randomUUID()}`,
      expiryDate: daysAfter(shop.core.clock.now(), 20),
      clientId: shop.credentials.apiKey,
    },
  })

/** Sends money by every kind of payout; some of it is reversed. */
async function spend(shop: TestGateway): Promise<void> {
  // Arrives, fails, arrives later, is reversed.
  for (const ending of ['789', '001', '002', '003']) await transferTo(shop, ending)
  const items = ['789', '001', '003'].map((ending) => anItem({ destinationAccountNumber: `0123456${ending}` }))
  const twice = items[0] ?? anItem()
  await shop.call(contract.initiateBatch, {
    body: aBatch(shop, [...items, twice, anItem({ destinationBankCode: '000' })]),
  })
  for (const ending of ['149', '001', '002', '003']) await vend(shop, ending)
  await refundWithStatus(shop, await refund(shop, await paid(shop, 5_000)), 'COMPLETED')
  await refundWithStatus(shop, await refund(shop, await paid(shop, 5_000, 5_000, '0123452001')), 'FAILED')
  const [, cancelled, redeemed] = [await makePaycode(shop), await makePaycode(shop), await makePaycode(shop)]
  await shop.call(contract.cancelPaycode, { params: { paycodeReference: cancelled.paycodeReference } })
  await shop.call(contract.redeemPaycode, { params: { paycodeReference: redeemed.paycodeReference } })
}

/** Leaves work open that holds money or waits for a response. */
async function leaveOpen(shop: TestGateway): Promise<void> {
  await transferTo(shop, '002', { amount: 321 })
  await vend(shop, '002')
  await refund(shop, await paid(shop, 5_000, 5_000, '0123452002'))
  await makePaycode(shop)
  await shop.call(contract.changeSettings, { body: { otpEnabled: true } })
  await transferTo(shop, '789', { amount: 654 })
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await tryCard(shop, CARDS.silent)
  await tryCard(shop, CARDS.otp)
}
