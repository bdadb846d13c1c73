import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CUSTOMER_DATA } from '../../src/app/features.ts'
import { customerOf, eraseCustomer, StillOpen } from '../../src/core/erasure/index.ts'
import { gateway } from '../harness/gateway.ts'
import { refund, refundWithStatus } from '../harness/refund-samples.ts'
import { anAccount, pay } from '../harness/samples.ts'

test('a refund made while its customer is erased keeps its destination, and the next run erases it', async (t) => {
  const shop = await gateway(t)
  const email = 'ada.erased@example.com'
  const account = await anAccount(shop, { amount: 5_000, customerEmail: email })
  const { transactionReference } = account
  await pay(shop, account, 5_000, { senderAccountNumber: '0123456002' })
  const customer = customerOf(shop.core.keyring, shop.merchantId, { email })
  let made: Awaited<ReturnType<typeof refund>> | undefined
  const interrupted = CUSTOMER_DATA.map((data) =>
    'find' in data && data.table === 'transaction'
      ? {
          ...data,
          erase: async (...args: Parameters<typeof data.erase>) => {
            // After the check that nothing is open. The bank does not know yet what became of it.
            made = await refund(shop, transactionReference)
            return data.erase(...args)
          },
        }
      : data,
  )
  await assert.rejects(
    eraseCustomer(shop.core, interrupted, customer, () => {}),
    (error) =>
      error instanceof StillOpen &&
      /Start over later: .*open records \(1\).*\n {2}refunds: refund-/.test(error.message),
  )
  assert.ok(made !== undefined)
  const [row] = await shop.db<{ destinationAccountNumber: string }[]>`
    select destination_account_number from refund
     where merchant_id = ${shop.merchantId} and refund_reference = ${made.refundReference}`
  assert.equal(row?.destinationAccountNumber, '0123456002')

  await shop.advance(120)
  await refundWithStatus(shop, made, 'COMPLETED')
  await eraseCustomer(shop.core, CUSTOMER_DATA, customer, () => {})
  const [erased] = await shop.db<{ destinationAccountNumber: string }[]>`
    select destination_account_number from refund
     where merchant_id = ${shop.merchantId} and refund_reference = ${made.refundReference}`
  assert.equal(erased?.destinationAccountNumber, '0000000000')
})
