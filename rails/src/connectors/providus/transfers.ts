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
/** It has the reference already: what became of that, it must be asked. */
const DUPLICATES = new Set(['26', '94'])
const NO_SUCH_ACCOUNT = '07'

interface Deps {
  readonly ask: PartnerLine['ask']
  readonly banks: Institutions
  readonly ours: string
  readonly codes: Codes
  readonly userName: string
  readonly password: Hidden<string>
  readonly sourceName: string
}

/** Transfers over NIP. The bank's query does not tell the session, so that a transfer is known by our reference throughout. */
export function transferOperations({ ask, banks, ours, codes, ...deps }: Deps): Operations {
  const asked = (service: string, body: object) =>
    ask({ path: `/${service}`, body: { ...body, userName: deps.userName, password: deps.password.reveal() } })

  const outcome = (body: Json, reference: string) =>
    outcomeOf(codes, {
      code: textAt(body, 'responseCode'),
      sessionId: wireText(reference, REFERENCE_LENGTH_MAX),
      message: textAt(body, 'responseMessage'),
    })

  async function find(reference: string) {
    const transactionReference = wireText(reference, REFERENCE_LENGTH_MAX)
    const said = await asked('GetNIPTransactionStatus', { transactionReference })
    if (said.kind !== 'answered' || textAt(said.body, 'transactionReference') !== transactionReference) return UNKNOWN
    return outcome(said.body, reference)
  }

  return {
    'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
      const beneficiaryBank = banks.numberOf(bankCode)
      if (beneficiaryBank === undefined) return { kind: 'not found' }
      const said = await asked('GetNIPAccount', { accountNumber, beneficiaryBank })
      if (said.kind !== 'answered') return { kind: 'unavailable' }
      const code = textAt(said.body, 'responseCode')
      const accountName = textAt(said.body, 'accountName')
      if (code === '00' && accountName) return { kind: 'found', accountName }
      return code === NO_SUCH_ACCOUNT ? { kind: 'not found' } : { kind: 'unavailable' }
    },
    'transfer/send': async (order) => {
      const { bankCode, accountNumber, accountName } = order.destination
      const beneficiaryBank = banks.numberOf(bankCode)
      if (beneficiaryBank === undefined) return notSent(`Nothing is known of bank ${bankCode}`)
      if (bankCode === ours) return notSent('The bank does not send to itself over NIP')
      const transactionAmount = toNairaText(amountOf(order))
      const said = await asked('NIPFundTransfer', {
        beneficiaryAccountName: accountName,
        transactionAmount,
        currencyCode: 'NGN',
        narration: narrationOf(order.narration),
        sourceAccountName: deps.sourceName,
        beneficiaryAccountNumber: accountNumber,
        beneficiaryBank,
        transactionReference: wireText(order.reference, REFERENCE_LENGTH_MAX),
      })
      if (said.kind === 'not reached') return notSent('The bank cannot be reached')
      if (said.kind === 'no answer') return UNKNOWN
      return DUPLICATES.has(textAt(said.body, 'responseCode') ?? '')
        ? find(order.reference)
        : outcome(said.body, order.reference)
    },
    'transfer/find': ({ reference }) => find(reference),
  }
}
