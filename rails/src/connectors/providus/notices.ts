import { fromNaira, fromNairaOrZero } from '@kobo/gateway/kernel/money.ts'
import { equalSecrets } from '@kobo/gateway/platform/crypto.ts'
import type { Connector } from '../../connector.ts'
import { creditOf, isNamed, type Json, type PartnerLine, readJson, tellWaiting, textAt } from '../../kit/index.ts'
import type { Teller } from '../../teller.ts'

interface Deps {
  readonly ask: PartnerLine['ask']
  readonly bankCode: string
  readonly bankOf: (number: string) => string
  /** Where the bank is asked by a session: its documents name two. */
  readonly verifyPath: string
  readonly signature: string
  readonly teller: Teller
}

const reply = (status: number, responseCode: string, sessionId: string, responseMessage: string) => ({
  status,
  body: { requestSuccessful: true, sessionId, responseMessage, responseCode },
})

/** What a notice says that the bank must say as well. */
const SAME = ['sessionId', 'settlementId', 'accountNumber'] as const

/** Notices of money that arrived. Their signature is the same for all, so each is asked about before it is believed. */
export const hearNotices =
  ({ ask, bankCode, bankOf, verifyPath, signature, teller }: Deps): NonNullable<Connector['hear']> =>
  async ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== 'notice') return { status: 404, body: {} }
    const notice = readJson(body) ?? {}
    const sessionId = textAt(notice, 'sessionId') ?? ''
    if (!equalSecrets(String(headers['x-auth-signature'] ?? '').toUpperCase(), signature))
      return reply(401, '02', sessionId, 'rejected transaction')
    const told = fromNaira(textAt(notice, 'transactionAmount') ?? '')
    if (told === undefined || !isNamed(sessionId, textAt(notice, 'accountNumber')))
      return reply(200, '02', sessionId, 'rejected transaction')
    const paid = await settled(ask, `${verifyPath}?session_id=${encodeURIComponent(sessionId)}`)
    const amount = fromNaira(textAt(paid, 'transactionAmount') ?? '')
    if (paid === undefined || amount !== told || SAME.some((name) => textAt(paid, name) !== textAt(notice, name)))
      return reply(200, '03', sessionId, 'system failure, retry')
    const heard = await tellWaiting(
      teller,
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
      }),
    )
    return heard === undefined
      ? reply(200, '03', sessionId, 'system failure, retry')
      : reply(200, '00', sessionId, 'success')
  }

async function settled(ask: PartnerLine['ask'], path: string): Promise<Json | undefined> {
  const said = await ask({ path, method: 'GET' })
  return said.kind === 'answered' && said.status === 200 ? said.body : undefined
}
