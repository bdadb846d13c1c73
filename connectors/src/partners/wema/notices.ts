import { fromNaira, type Kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import type { Reply } from '../../connector.ts'
import {
  at,
  creditOf,
  type Institutions,
  isNamed,
  type Json,
  notifyAndWait,
  type PartnerLine,
  readJson,
  textAt,
} from '../../kit/index.ts'
import type { Notifier } from '../../notifier.ts'

interface Deps {
  readonly notifier: Notifier
  readonly bankCode: string
  readonly banks: Institutions
  readonly callPartner: PartnerLine['callPartner']
  readonly queryPath: string
}

const reply = (status: string, status_desc: string, transactionreference = ''): Reply => ({
  status: 200,
  body: { ref: transactionreference, transactionreference, status, status_desc },
})

/**
 * Handles a credit to an account number under our prefix. The key identifies the caller and does not cover the content,
 * so the payment is confirmed with the bank.
 */
export const handleNotice =
  ({ notifier, bankCode, banks, callPartner, queryPath }: Deps) =>
  async (body: Buffer): Promise<Reply> => {
    const notice = readJson(body)
    const sessionId = textAt(notice, 'sessionid') ?? ''
    const accountNumber = textAt(notice, 'craccount') ?? ''
    const amount = fromNaira(textAt(notice, 'amount') ?? '')
    if (amount === undefined || !isNamed(sessionId, accountNumber)) return reply('30', 'format error')
    const createdAt = textAt(notice, 'created_at') ?? ''
    const txndate = createdAt.slice(0, 10)
    const paid = await paymentOf(callPartner, queryPath, {
      sessionid: sessionId,
      craccount: accountNumber,
      amount,
      txndate,
    })
    if (paid === undefined) return reply('96', 'try again', sessionId)
    const outcome = await notifyAndWait(
      notifier,
      'credits',
      creditOf({
        railReference: sessionId,
        bankCode,
        accountNumber,
        amount,
        payerName: textAt(paid, 'originatorname'),
        payerAccountNumber: textAt(paid, 'originatoraccountnumber'),
        payerBankCode: banks.bankOf(textAt(paid, 'bankcode') ?? ''),
        narration: textAt(paid, 'narration'),
        arrivedAt: textAt(paid, 'created_at') ?? createdAt,
      }),
    )
    return outcome === undefined ? reply('96', 'try again', sessionId) : reply('00', 'success', sessionId)
  }

/** Returns the bank's record of a payment; undefined if its session, account and amount do not all match. */
async function paymentOf(
  callPartner: PartnerLine['callPartner'],
  path: string,
  requested: {
    readonly sessionid: string
    readonly craccount: string
    readonly amount: Kobo
    readonly txndate: string
  },
): Promise<Json | undefined> {
  const { sessionid, craccount, amount } = requested
  const response = await callPartner({ path, body: { ...requested, amount: toNairaText(amount) } })
  if (response.kind !== 'responded' || textAt(response.body, 'status') !== '00') return undefined
  const payments = at(response.body, 'transactions')
  return (Array.isArray(payments) ? (payments as readonly Json[]) : []).find(
    (payment) =>
      textAt(payment, 'sessionid') === sessionid &&
      textAt(payment, 'craccount') === craccount &&
      fromNaira(textAt(payment, 'amount') ?? '') === amount,
  )
}

/** Handles the notification that a transfer's outcome has changed. The gateway then queries the transfer. */
export const handleOutcome =
  (notifier: Notifier) =>
  async (body: Buffer): Promise<Reply> => {
    const reference = textAt(readJson(body), 'transactionReference') ?? ''
    if (!/^[A-Za-z0-9]{1,64}$/.test(reference)) return reply('30', 'format error')
    const outcome = await notifyAndWait(notifier, 'outcomes', { reference })
    return outcome === undefined ? reply('96', 'try again', reference) : reply('00', 'success', reference)
  }
