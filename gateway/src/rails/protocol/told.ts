import Type, { type TSchema } from 'typebox'
import {
  AccountNumber,
  answer,
  BankCode,
  ElevenDigits,
  KoboNumber,
  Moment,
  NOT_FOUND,
  orNull,
  Reference,
  Text,
} from './fields.ts'

const perhaps = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema))
const Name = Type.String({ maxLength: 255 })
const KoboOrNone = Type.Integer({ ...KoboNumber, minimum: 0 })

/** Money that arrived on one of our account numbers. */
export const CreditTold = Type.Object({
  railReference: Reference,
  bankCode: BankCode,
  accountNumber: AccountNumber,
  amount: KoboNumber,
  payer: Type.Optional(
    Type.Object({
      name: perhaps(Name),
      accountNumber: perhaps(AccountNumber),
      bankCode: perhaps(BankCode),
      bvn: perhaps(ElevenDigits),
    }),
  ),
  narration: perhaps(Name),
  fee: Type.Optional(KoboOrNone),
  vat: Type.Optional(KoboOrNone),
  arrivedAt: perhaps(Moment),
})

/** Something has become of what was sent. What that is, is asked for: nothing else of such a notice is believed. */
export const OutcomeTold = Type.Object({ reference: Reference })

/** A payment that is wanted back, as it stands at the partner: told again with each change, or as often as one likes. */
export const DisputeTold = Type.Object({
  reference: Reference,
  kind: Type.Union([Type.Literal('CHARGEBACK'), Type.Literal('RECALL'), Type.Literal('REVERSAL')]),
  status: Type.Union([Type.Literal('OPEN'), Type.Literal('WON'), Type.Literal('LOST')]),
  paymentReference: Reference,
  bankCode: perhaps(BankCode),
  accountNumber: perhaps(AccountNumber),
  amount: KoboNumber,
  reason: perhaps(Name),
  respondBy: perhaps(Moment),
})

/** Somebody is about to pay into one of our account numbers. */
export const EnquiryTold = Type.Object({ bankCode: BankCode, accountNumber: AccountNumber })

/** What an adapter tells or asks the gateway, by the last word of the path: POST /rails/credits. */
export const TOLD = {
  credits: {
    capability: 'credits',
    summary: 'Money has arrived on one of our account numbers',
    asks: CreditTold,
    answers: Type.Union([
      answer('accepted', {}),
      answer('held', { reason: Text }),
      answer('rejected', { reason: Text }),
      answer('conflict', {}),
    ]),
  },
  outcomes: {
    capability: 'outcomes',
    summary: 'Something has become of what was sent: it is asked about at once',
    asks: OutcomeTold,
    answers: Type.Union([answer('asking', {}), answer('not open', {})]),
  },
  disputes: {
    capability: 'disputes',
    summary: 'A payment is wanted back, or that has ended',
    asks: DisputeTold,
    answers: Type.Union([answer('accepted', {}), answer('rejected', { reason: Text }), answer('conflict', {})]),
  },
  'name-enquiry': {
    capability: 'prefix-accounts',
    summary: 'Whose one of our account numbers is, for a bank that has assigned us a prefix',
    asks: EnquiryTold,
    answers: Type.Union([answer('found', { accountName: Text }), NOT_FOUND]),
  },
} as const
