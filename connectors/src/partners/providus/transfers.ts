import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'
import { toNairaText } from '@kobo/gateway/kernel/money.ts'
import {
  amountOf,
  type Codes,
  type Institutions,
  type Json,
  narrationOf,
  notSent,
  type Operations,
  outcomeOf,
  type PartnerLine,
  textAt,
  UNKNOWN,
  wireText,
} from '../../kit/index.ts'

const REFERENCE_LENGTH_MAX = 40
/** Codes for a reference that the bank already knows. Then we query its outcome. */
const DUPLICATES = new Set(['26', '94'])
const NO_SUCH_ACCOUNT = '07'

interface Deps {
  readonly callPartner: PartnerLine['callPartner']
  readonly banks: Institutions
  readonly ours: string
  readonly codes: Codes
  readonly userName: string
  readonly password: Hidden<string>
  readonly sourceName: string
}

/**
 * Sends NIP transfers. The bank's query does not return a session id, so our reference is used as the session id.
 */
export function transferOperations({ callPartner, banks, ours, codes, ...deps }: Deps): Operations {
  const request = (service: string, body: object) =>
    callPartner({ path: `/${service}`, body: { ...body, userName: deps.userName, password: deps.password.reveal() } })

  const outcome = (body: Json, reference: string) =>
    outcomeOf(codes, {
      code: textAt(body, 'responseCode'),
      sessionId: wireText(reference, REFERENCE_LENGTH_MAX),
      message: textAt(body, 'responseMessage'),
    })

  async function find(reference: string) {
    const transactionReference = wireText(reference, REFERENCE_LENGTH_MAX)
    const response = await request('GetNIPTransactionStatus', { transactionReference })
    if (response.kind !== 'responded' || textAt(response.body, 'transactionReference') !== transactionReference)
      return UNKNOWN
    return outcome(response.body, reference)
  }

  return {
    'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
      const beneficiaryBank = banks.numberOf(bankCode)
      if (beneficiaryBank === undefined) return { kind: 'not found' }
      const response = await request('GetNIPAccount', { accountNumber, beneficiaryBank })
      if (response.kind !== 'responded') return { kind: 'unavailable' }
      const code = textAt(response.body, 'responseCode')
      const accountName = textAt(response.body, 'accountName')
      if (code === '00' && accountName) return { kind: 'found', accountName }
      return code === NO_SUCH_ACCOUNT ? { kind: 'not found' } : { kind: 'unavailable' }
    },
    'transfer/send': async (order) => {
      const { bankCode, accountNumber, accountName } = order.destination
      const beneficiaryBank = banks.numberOf(bankCode)
      if (beneficiaryBank === undefined) return notSent(`There is no institution number for bank ${bankCode}`)
      if (bankCode === ours) return notSent('The bank does not send to itself over NIP')
      const transactionAmount = toNairaText(amountOf(order))
      const response = await request('NIPFundTransfer', {
        beneficiaryAccountName: accountName,
        transactionAmount,
        currencyCode: 'NGN',
        narration: narrationOf(order.narration),
        sourceAccountName: deps.sourceName,
        beneficiaryAccountNumber: accountNumber,
        beneficiaryBank,
        transactionReference: wireText(order.reference, REFERENCE_LENGTH_MAX),
      })
      if (response.kind === 'not reached') return notSent('The bank cannot be reached')
      if (response.kind === 'no response') return UNKNOWN
      return DUPLICATES.has(textAt(response.body, 'responseCode') ?? '')
        ? find(order.reference)
        : outcome(response.body, order.reference)
    },
    'transfer/find': ({ reference }) => find(reference),
  }
}
