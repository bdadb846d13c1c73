import { toNairaText } from '@kobo/gateway/kernel/money.ts'
import { hmacSha512Hex } from '@kobo/gateway/platform/crypto.ts'
import type { PartnerSettings } from '../../connector.ts'
import {
  amountOf,
  type Codes,
  type Institutions,
  meaningOf,
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

/** The meaning of the bank's words for final states. All other words, such as pending, are unknown. */
export const WEMA_WORDS: Codes = { SUCCESSFUL: 'succeeded', SUCCESS: 'succeeded', FAILED: 'failed' }

interface Deps {
  readonly callPartner: PartnerLine['callPartner']
  readonly banks: Institutions
  readonly codes: Codes
  readonly settings: PartnerSettings
}

/**
 * Sends transfers. The bank accepts them first and completes them later, so the outcome of a send is unknown. The
 * gateway queries the bank after a notification, or on schedule.
 */
export const transferOperations = ({ callPartner, banks, codes, settings }: Deps): Operations => ({
  'transfer/send': async (order) => {
    const { bankCode, accountNumber, accountName } = order.destination
    const destinationBankCode = banks.numberOf(bankCode)
    if (destinationBankCode === undefined) return notSent(`There is no institution number for bank ${bankCode}`)
    const transactionReference = wireText(order.reference, REFERENCE_LENGTH_MAX)
    const sourceAccountNumber = settings.text('SOURCE_ACCOUNT')
    const amount = toNairaText(amountOf(order))
    const signed = transactionReference + destinationBankCode + accountNumber + sourceAccountNumber + amount
    const response = await callPartner({
      path: settings.text('TRANSFER_PATH'),
      headers: { hash: hmacSha512Hex(settings.secret('TRANSFER_KEY').reveal(), signed) },
      body: {
        transactionReference,
        destinationBankCode,
        destinationAccountNumber: accountNumber,
        destinationAccountName: accountName,
        sourceAccountNumber,
        amount,
        narration: narrationOf(order.narration),
      },
    })
    if (response.kind === 'not reached') return notSent('The bank cannot be reached')
    if (response.kind === 'no response') return UNKNOWN
    // An accepted transfer may still fail; only a clear rejection is final.
    const word = textAt(response.body, 'status')?.toUpperCase()
    if (meaningOf(codes, word) !== 'failed') return UNKNOWN
    return { kind: 'failed', reason: textAt(response.body, 'message') || 'The bank rejected the transfer' }
  },
  'transfer/find': async ({ reference }) => {
    const transactionReference = wireText(reference, REFERENCE_LENGTH_MAX)
    const response = await callPartner({
      path: `${settings.text('STATUS_PATH')}${transactionReference}`,
      method: 'GET',
    })
    if (response.kind !== 'responded' || textAt(response.body, 'transactionReference') !== transactionReference)
      return UNKNOWN
    const word = textAt(response.body, 'status')?.toUpperCase()
    const sessionId = textAt(response.body, 'sessionId') ?? transactionReference
    if (word === 'REVERSED') return { kind: 'reversed', sessionId }
    return outcomeOf(codes, { code: word, sessionId, message: textAt(response.body, 'message') })
  },
})
