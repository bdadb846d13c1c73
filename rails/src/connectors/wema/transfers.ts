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

/** What the bank calls the end of a transfer. While it is pending, or called anything else, nobody knows. */
export const WEMA_WORDS: Codes = { SUCCESSFUL: 'succeeded', SUCCESS: 'succeeded', FAILED: 'failed' }

interface Deps {
  readonly ask: PartnerLine['ask']
  readonly banks: Institutions
  readonly codes: Codes
  readonly settings: PartnerSettings
}

/** Transfers: taken on by the bank, and ended later. So a send is unknown, and the bank is asked when it calls, or by and by. */
export const transferOperations = ({ ask, banks, codes, settings }: Deps): Operations => ({
  'transfer/send': async (order) => {
    const { bankCode, accountNumber, accountName } = order.destination
    const destinationBankCode = banks.numberOf(bankCode)
    if (destinationBankCode === undefined) return notSent(`Nothing is known of bank ${bankCode}`)
    const transactionReference = wireText(order.reference, REFERENCE_LENGTH_MAX)
    const sourceAccountNumber = settings.text('SOURCE_ACCOUNT')
    const amount = toNairaText(amountOf(order))
    const signed = transactionReference + destinationBankCode + accountNumber + sourceAccountNumber + amount
    const said = await ask({
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
    if (said.kind === 'not reached') return notSent('The bank cannot be reached')
    if (said.kind === 'no answer') return UNKNOWN
    // What it takes on may still fail; only a plain no is final here.
    const word = textAt(said.body, 'status')?.toUpperCase()
    if (meaningOf(codes, word) !== 'failed') return UNKNOWN
    return { kind: 'failed', reason: textAt(said.body, 'message') || 'The bank refused it' }
  },
  'transfer/find': async ({ reference }) => {
    const transactionReference = wireText(reference, REFERENCE_LENGTH_MAX)
    const said = await ask({ path: `${settings.text('STATUS_PATH')}${transactionReference}`, method: 'GET' })
    if (said.kind !== 'answered' || textAt(said.body, 'transactionReference') !== transactionReference) return UNKNOWN
    const word = textAt(said.body, 'status')?.toUpperCase()
    const sessionId = textAt(said.body, 'sessionId') ?? transactionReference
    if (word === 'REVERSED') return { kind: 'reversed', sessionId }
    return outcomeOf(codes, { code: word, sessionId, message: textAt(said.body, 'message') })
  },
})
