import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { lagosCompact } from '@kobo/gateway/kernel/dates.ts'
import { randomDigits } from '@kobo/gateway/kernel/ids.ts'
import { type Kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import type { RequestOf } from '@kobo/gateway/rails/protocol/index.ts'
import type { PartnerSettings } from '../../connector.ts'
import {
  amountOf,
  type Codes,
  type Institutions,
  type Json,
  meaningOf,
  NO_SEQUENCE,
  narrationOf,
  nipId,
  notSent,
  type Operations,
  type Order,
  outcomeOf,
  textAt,
  UNKNOWN,
} from '../../kit/index.ts'
import type { EasyPayApi } from './api.ts'

/** Codes for an id that EasyPay already knows. Then we query its outcome. */
const DUPLICATES = new Set(['26', '94'])
const NO_SUCH_ACCOUNT = '07'
const KYC_LEVEL = '1'

interface Deps {
  readonly api: EasyPayApi
  readonly settings: PartnerSettings
  readonly banks: Institutions
  readonly codes: Codes
  readonly limits: { readonly min: Kobo; readonly max: Kobo }
  readonly wall: Clock
}

/** A transfer request for EasyPay, with the enquiry's result. */
const transferOf = (
  settings: PartnerSettings,
  order: RequestOf<'transfer/send'>,
  transactionId: string,
  destinationInstitutionCode: string,
  named: Json,
) => ({
  sourceInstitutionCode: settings.text('SOURCE_INSTITUTION'),
  amount: toNairaText(amountOf(order)),
  beneficiaryAccountName: textAt(named, 'accountName') ?? order.destination.accountName,
  beneficiaryAccountNumber: order.destination.accountNumber,
  beneficiaryBankVerificationNumber: textAt(named, 'bankVerificationNumber') ?? '',
  beneficiaryKYCLevel: textAt(named, 'kycLevel') ?? KYC_LEVEL,
  channelCode: settings.text('CHANNEL'),
  originatorAccountName: settings.text('ORIGINATOR_NAME'),
  originatorAccountNumber: settings.text('ORIGINATOR_ACCOUNT'),
  originatorBankVerificationNumber: settings.secret('ORIGINATOR_BVN').reveal(),
  originatorKYCLevel: KYC_LEVEL,
  destinationInstitutionCode,
  mandateReferenceNumber: settings.secret('MANDATE').reveal(),
  nameEnquiryRef: textAt(named, 'sessionID') ?? textAt(named, 'transactionId') ?? '',
  originatorNarration: narrationOf(order.narration),
  beneficiaryNarration: narrationOf(order.narration),
  paymentReference: transactionId,
  transactionId,
  transactionLocation: settings.text('LOCATION'),
  billerId: settings.text('BILLER_ID'),
})

/** Sends NIP transfers. Their ids are derived from the order, so that any process can query them. */
export function transferOperations({ api, settings, banks, codes, limits, wall }: Deps): Operations {
  const text = settings.text
  const idOf = (order: Order): string | undefined => nipId(text('INSTITUTION'), order)

  /** Looks up an account's holder. An enquiry changes nothing, so a repeated one may have another id. */
  async function enquire(destinationInstitutionCode: string, accountNumber: string): Promise<Json | undefined> {
    const transactionId = `${text('INSTITUTION')}${lagosCompact(wall.now()).slice(2)}${randomDigits(12)}`
    const body = { accountNumber, channelCode: text('CHANNEL'), destinationInstitutionCode, transactionId }
    const response = await api('nameenquiry', body)
    return response.kind === 'responded' ? response.body : undefined
  }

  const outcome = (body: Json, sessionId: string) =>
    outcomeOf(codes, {
      code: textAt(body, 'responseCode'),
      sessionId,
      message: textAt(body, 'responseMessage') ?? textAt(body, 'message'),
    })

  async function find(order: Order) {
    const transactionId = idOf(order)
    if (transactionId === undefined) return UNKNOWN
    const response = await api('tsq', { transactionId })
    return response.kind === 'responded' ? outcome(response.body, transactionId) : UNKNOWN
  }

  return {
    'transfer/name-enquiry': async ({ bankCode, accountNumber }) => {
      const bank = banks.numberOf(bankCode)
      const named = bank === undefined ? undefined : await enquire(bank, accountNumber)
      const accountName = textAt(named, 'accountName')
      if (textAt(named, 'responseCode') === '00' && accountName) return { kind: 'found', accountName }
      return textAt(named, 'responseCode') === NO_SUCH_ACCOUNT ? { kind: 'not found' } : { kind: 'unavailable' }
    },
    'transfer/send': async (order) => {
      const transactionId = idOf(order)
      if (transactionId === undefined) return notSent(NO_SEQUENCE)
      const amount = amountOf(order)
      if (amount < limits.min || amount > limits.max) return notSent('EasyPay sends 1 to 10,000,000 naira at a time')
      const bank = banks.numberOf(order.destination.bankCode)
      if (bank === undefined) return notSent(`There is no institution number for bank ${order.destination.bankCode}`)
      const named = await enquire(bank, order.destination.accountNumber)
      const code = textAt(named, 'responseCode')
      // No money was sent yet, so a failure is final.
      if (named === undefined || meaningOf(codes, code) === 'unknown')
        return notSent('The account’s name could not be looked up')
      if (code !== '00')
        return { kind: 'failed', reason: textAt(named, 'responseMessage') ?? `The bank returned code ${code}` }
      const response = await api('fundstransfer', transferOf(settings, order, transactionId, bank, named))
      if (response.kind === 'not reached') return notSent('EasyPay cannot be reached')
      if (response.kind === 'no response') return UNKNOWN
      return DUPLICATES.has(textAt(response.body, 'responseCode') ?? '')
        ? find(order)
        : outcome(response.body, transactionId)
    },
    'transfer/find': find,
  }
}
