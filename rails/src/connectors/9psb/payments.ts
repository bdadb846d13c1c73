import { hash } from 'node:crypto'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'
import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { fromNaira, type Kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { amountOf, at, type Json, notSent, type Operations, textAt, UNKNOWN } from '../../kit/index.ts'
import type { MerchantApi } from './api.ts'

/** The payment of a session as the bank has it; undefined where it has none of just that account and amount. */
export async function confirmPayment(
  api: MerchantApi,
  sessionId: string,
  accountNumber: string,
  amount: Kobo,
): Promise<Json | undefined> {
  const said = await api('confirmpayment', {
    sessionid: sessionId,
    accountnumber: accountNumber,
    amount: Number(toNairaText(amount)),
  })
  if (said.kind !== 'answered' || textAt(said.body, 'code') !== '00') return undefined
  const payments = at(said.body, 'transactions')
  return (Array.isArray(payments) ? (payments as readonly Json[]) : []).find(
    (payment) =>
      textAt(payment, 'code') === '00' &&
      textAt(payment, 'transaction.sessionid') === sessionId &&
      textAt(payment, 'customer.account.number') === accountNumber &&
      fromNaira(textAt(payment, 'order.amount') ?? '') === amount,
  )
}

/** What a refund must be hashed to, on the day on which it is asked for. */
export const refundHash = (
  privateKey: Hidden<string>,
  sessionId: string,
  accountNumber: string,
  amount: string,
  day: string,
): string => hash('sha512', privateKey.reveal() + sessionId + accountNumber + amount + day, 'hex').toUpperCase()

/** Refused before anything was looked at. */
const NOT_LOOKED_AT = new Set(['74', 'S1'])

/**
 * Sends payments back, once each, as the bank does it. It cannot be asked about a refund, and a no may be because it was
 * done before: so whatever is not a yes is unknown, and a person looks.
 */
export const refundOperations = (api: MerchantApi, privateKey: Hidden<string>, wall: Clock): Operations => ({
  'account/send-back': async (order) => {
    const { railReference, accountNumber } = order.credit
    const amount = toNairaText(amountOf(order))
    const day = lagosCompact(wall.now()).slice(0, 8)
    const said = await api('paymentrefund', {
      sessionid: railReference,
      amount,
      accountnumber: accountNumber,
      hash: refundHash(privateKey, railReference, accountNumber, amount, day),
    })
    if (said.kind === 'not reached') return notSent('The bank cannot be reached')
    if (said.kind === 'no answer') return UNKNOWN
    const code = textAt(said.body, 'code') ?? ''
    if (NOT_LOOKED_AT.has(code)) return notSent(textAt(said.body, 'message') ?? 'The bank refuses us')
    const sessionId = textAt(said.body, 'transaction.externalreference') ?? textAt(said.body, 'transaction.reference')
    return code === '00' && sessionId ? { kind: 'succeeded', sessionId } : UNKNOWN
  },
  'account/find-send-back': async () => UNKNOWN,
})
