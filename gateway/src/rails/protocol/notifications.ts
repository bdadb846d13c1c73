import Type, { type TSchema } from 'typebox'
import {
  AccountNumber,
  BankCode,
  ElevenDigits,
  KoboNumber,
  Moment,
  NOT_FOUND,
  orNull,
  Reference,
  response,
  Text,
} from './fields.ts'

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema))
const Name = Type.String({ maxLength: 255 })
const KoboOrNone = Type.Integer({ ...KoboNumber, minimum: 0 })

/** Money that arrived on one of our account numbers. */
export const CreditNotification = Type.Object({
  railReference: Reference,
  bankCode: BankCode,
  accountNumber: AccountNumber,
  amount: KoboNumber,
  payer: Type.Optional(
    Type.Object({
      name: optional(Name),
      accountNumber: optional(AccountNumber),
      bankCode: optional(BankCode),
      bvn: optional(ElevenDigits),
    }),
  ),
  narration: optional(Name),
  fee: Type.Optional(KoboOrNone),
  vat: Type.Optional(KoboOrNone),
  arrivedAt: optional(Moment),
})

/** Reports that an order's outcome may have changed. The gateway queries the order and uses only the reference. */
export const OutcomeNotification = Type.Object({ reference: Reference })

/** The current state of a dispute at the partner. It is sent at each change, and may be sent again at any time. */
export const DisputeNotification = Type.Object({
  reference: Reference,
  kind: Type.Union([Type.Literal('CHARGEBACK'), Type.Literal('RECALL'), Type.Literal('REVERSAL')]),
  status: Type.Union([Type.Literal('OPEN'), Type.Literal('WON'), Type.Literal('LOST')]),
  paymentReference: Reference,
  bankCode: optional(BankCode),
  accountNumber: optional(AccountNumber),
  amount: KoboNumber,
  reason: optional(Name),
  respondBy: optional(Moment),
})

/** Asks for the name on one of our account numbers, because a payer is about to pay into it. */
export const NameEnquiryRequest = Type.Object({ bankCode: BankCode, accountNumber: AccountNumber })

/** Notifications and enquiries to the gateway, by the last part of the path: POST /rails/credits. */
export const NOTIFICATIONS = {
  credits: {
    capability: 'credits',
    summary: 'Notifies of a credit to one of our account numbers',
    request: CreditNotification,
    response: Type.Union([
      response('accepted', {}),
      response('held', { reason: Text }),
      response('rejected', { reason: Text }),
      response('conflict', {}),
    ]),
  },
  outcomes: {
    capability: 'outcomes',
    summary: 'Notifies that an order has an outcome: Kobo queries it at once',
    request: OutcomeNotification,
    response: Type.Union([response('asking', {}), response('not open', {})]),
  },
  disputes: {
    capability: 'disputes',
    summary: 'Notifies that a dispute was opened or closed',
    request: DisputeNotification,
    response: Type.Union([response('accepted', {}), response('rejected', { reason: Text }), response('conflict', {})]),
  },
  'name-enquiry': {
    capability: 'prefix-accounts',
    summary: 'Looks up the name on one of our account numbers, for a bank that has assigned us a prefix',
    request: NameEnquiryRequest,
    response: Type.Union([response('found', { accountName: Text }), NOT_FOUND]),
  },
} as const
