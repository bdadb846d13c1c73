import { fromNaira, fromNairaOrZero } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { Connector } from '../../connector.ts'
import { creditOf, isNamed, type Json, notifyAndWait, type PartnerLine, readJson, textAt } from '../../kit/index.ts'
import type { Notifier } from '../../notifier.ts'

interface Deps {
  readonly callPartner: PartnerLine['callPartner']
  readonly bankCode: string
  readonly bankOf: (number: string) => string
  /** The path of the query by session id. It is a setting, because the bank's documents name two paths. */
  readonly verifyPath: string
  readonly signature: string
  readonly notifier: Notifier
}

const reply = (status: number, responseCode: string, sessionId: string, responseMessage: string) => ({
  status,
  body: { requestSuccessful: true, sessionId, responseMessage, responseCode },
})

/** The fields that must be the same in the notification and in the bank's record. */
const COMPARED_FIELDS = ['sessionId', 'settlementId', 'accountNumber'] as const

/** Handles credit notifications. Their signature is always the same, so each one is confirmed with the bank. */
export const handleNotices =
  ({
    callPartner,
    bankCode,
    bankOf,
    verifyPath,
    signature,
    notifier,
  }: Deps): NonNullable<Connector['handleCallback']> =>
  async ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== 'notice') return { status: 404, body: {} }
    const notice = readJson(body) ?? {}
    const sessionId = textAt(notice, 'sessionId') ?? ''
    if (!equalSecrets(String(headers['x-auth-signature'] ?? '').toUpperCase(), signature))
      return reply(401, '02', sessionId, 'rejected transaction')
    const reported = fromNaira(textAt(notice, 'transactionAmount') ?? '')
    if (reported === undefined || !isNamed(sessionId, textAt(notice, 'accountNumber')))
      return reply(200, '02', sessionId, 'rejected transaction')
    const paid = await bankRecord(callPartner, `${verifyPath}?session_id=${encodeURIComponent(sessionId)}`)
    const amount = fromNaira(textAt(paid, 'transactionAmount') ?? '')
    if (
      paid === undefined ||
      amount !== reported ||
      COMPARED_FIELDS.some((name) => textAt(paid, name) !== textAt(notice, name))
    )
      return reply(200, '03', sessionId, 'system failure, retry')
    const outcome = await notifyAndWait(
      notifier,
      'credits',
      creditOf({
        railReference: sessionId,
        bankCode,
        accountNumber: textAt(paid, 'accountNumber') ?? '',
        amount,
        payerName: textAt(paid, 'sourceAccountName'),
        payerAccountNumber: textAt(paid, 'sourceAccountNumber'),
        payerBankCode: bankOf(textAt(paid, 'sourceBankCode') ?? ''),
        narration: textAt(paid, 'tranRemarks'),
        fee: fromNairaOrZero(textAt(paid, 'feeAmount') ?? ''),
        vat: fromNairaOrZero(textAt(paid, 'vatAmount') ?? ''),
        arrivedAt: textAt(paid, 'tranDateTime') ?? textAt(notice, 'tranDateTime'),
      }),
    )
    return outcome === undefined
      ? reply(200, '03', sessionId, 'system failure, retry')
      : reply(200, '00', sessionId, 'success')
  }

async function bankRecord(callPartner: PartnerLine['callPartner'], path: string): Promise<Json | undefined> {
  const response = await callPartner({ path, method: 'GET' })
  return response.kind === 'responded' && response.status === 200 ? response.body : undefined
}
