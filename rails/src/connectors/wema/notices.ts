import { fromNaira, type Kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import type { Reply } from '../../connector.ts'
import {
  at,
  creditOf,
  type Institutions,
  isNamed,
  type Json,
  type PartnerLine,
  readJson,
  tellWaiting,
  textAt,
} from '../../kit/index.ts'
import type { Teller } from '../../teller.ts'

interface Deps {
  readonly teller: Teller
  readonly bankCode: string
  readonly banks: Institutions
  readonly ask: PartnerLine['ask']
  readonly queryPath: string
}

const reply = (status: string, status_desc: string, transactionreference = ''): Reply => ({
  status: 200,
  body: { ref: transactionreference, transactionreference, status, status_desc },
})

/** Money has arrived under our prefix. The key proves who calls, and not what is said: the bank is asked for the payment. */
export const hearNotice =
  ({ teller, bankCode, banks, ask, queryPath }: Deps) =>
  async (body: Buffer): Promise<Reply> => {
    const notice = readJson(body)
    const sessionId = textAt(notice, 'sessionid') ?? ''
    const accountNumber = textAt(notice, 'craccount') ?? ''
    const amount = fromNaira(textAt(notice, 'amount') ?? '')
    if (amount === undefined || !isNamed(sessionId, accountNumber)) return reply('30', 'format error')
    const txndate = (textAt(notice, 'created_at') ?? '').slice(0, 10)
    const paid = await paymentOf(ask, queryPath, { sessionid: sessionId, craccount: accountNumber, amount, txndate })
    if (paid === undefined) return reply('96', 'try again', sessionId)
    const told = await tellWaiting(
      teller,
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
      }),
    )
    return told === undefined ? reply('96', 'try again', sessionId) : reply('00', 'success', sessionId)
  }

/** The payment as the bank has it; undefined where it has none of just that session, account and amount. */
async function paymentOf(
  ask: PartnerLine['ask'],
  path: string,
  wanted: { readonly sessionid: string; readonly craccount: string; readonly amount: Kobo; readonly txndate: string },
): Promise<Json | undefined> {
  const { sessionid, craccount, amount } = wanted
  const said = await ask({ path, body: { ...wanted, amount: toNairaText(amount) } })
  if (said.kind !== 'answered' || textAt(said.body, 'status') !== '00') return undefined
  const payments = at(said.body, 'transactions')
  return (Array.isArray(payments) ? (payments as readonly Json[]) : []).find(
    (payment) =>
      textAt(payment, 'sessionid') === sessionid &&
      textAt(payment, 'craccount') === craccount &&
      fromNaira(textAt(payment, 'amount') ?? '') === amount,
  )
}

/** Something has become of a transfer. What, the gateway asks. */
export const hearOutcome =
  (teller: Teller) =>
  async (body: Buffer): Promise<Reply> => {
    const reference = textAt(readJson(body), 'transactionReference') ?? ''
    if (!/^[A-Za-z0-9]{1,64}$/.test(reference)) return reply('30', 'format error')
    const told = await tellWaiting(teller, 'outcomes', { reference })
    return told === undefined ? reply('96', 'try again', reference) : reply('00', 'success', reference)
  }
