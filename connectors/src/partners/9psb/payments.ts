import { hash } from 'node:crypto'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { fromNaira, type Kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { amountOf, at, type Json, notSent, type Operations, textAt, UNKNOWN } from '../../kit/index.ts'
import type { MerchantApi } from './api.ts'

/** Returns the bank's record of a payment; undefined if its session, account and amount do not all match. */
export async function confirmPayment(
  api: MerchantApi,
  sessionId: string,
  accountNumber: string,
  amount: Kobo,
): Promise<Json | undefined> {
  const response = await api('confirmpayment', {
    sessionid: sessionId,
    accountnumber: accountNumber,
    amount: Number(toNairaText(amount)),
  })
  if (response.kind !== 'responded' || textAt(response.body, 'code') !== '00') return undefined
  const payments = at(response.body, 'transactions')
  return (Array.isArray(payments) ? (payments as readonly Json[]) : []).find(
    (payment) =>
      textAt(payment, 'code') === '00' &&
      textAt(payment, 'transaction.sessionid') === sessionId &&
      textAt(payment, 'customer.account.number') === accountNumber &&
      fromNaira(textAt(payment, 'order.amount') ?? '') === amount,
  )
}

/** The hash of a refund request, which covers the day. */
export const refundHash = (
  privateKey: Hidden<string>,
  sessionId: string,
  accountNumber: string,
  amount: string,
  day: string,
): string => hash('sha512', privateKey.reveal() + sessionId + accountNumber + amount + day, 'hex').toUpperCase()

/** Codes of requests that the bank rejected before processing. */
const NOT_PROCESSED = new Set(['74', 'S1'])

/**
 * Refunds each payment once. A refund cannot be queried, and a rejection may mean that the payment was already
 * refunded. So every outcome except a success or a clear "not sent" is unknown and needs a manual decision.
 */
export const refundOperations = (api: MerchantApi, privateKey: Hidden<string>, wall: Clock): Operations => ({
  'account/send-back': async (order) => {
    const { railReference, accountNumber } = order.credit
    const amount = toNairaText(amountOf(order))
    const day = lagosCompact(wall.now()).slice(0, 8)
    const response = await api('paymentrefund', {
      sessionid: railReference,
      amount,
      accountnumber: accountNumber,
      hash: refundHash(privateKey, railReference, accountNumber, amount, day),
    })
    if (response.kind === 'not reached') return notSent('The bank cannot be reached')
    if (response.kind === 'no response') return UNKNOWN
    const code = textAt(response.body, 'code') ?? ''
    if (NOT_PROCESSED.has(code)) return notSent(textAt(response.body, 'message') ?? 'The bank rejected our credentials')
    const sessionId =
      textAt(response.body, 'transaction.externalreference') ?? textAt(response.body, 'transaction.reference')
    return code === '00' && sessionId ? { kind: 'succeeded', sessionId } : UNKNOWN
  },
  'account/find-send-back': async () => UNKNOWN,
})
