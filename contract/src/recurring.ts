import Type from 'typebox'
import {
  Amount,
  ContractCode,
  CurrencyCode,
  Email,
  IncomeSplitConfig,
  MetaData,
  optional,
  Reference,
  Text,
} from './fields.ts'
import { cardRefusals, paymentTerms, recurringRefusals, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import { TransactionStatusRecord } from './transactions.ts'

export const chargeCardToken = route({
  method: 'POST',
  path: '/api/v1/merchant/cards/charge-card-token',
  summary: 'Charge a saved card',
  description:
    'Take the token from `cardDetails.cardToken` in the status record of an earlier card payment. Returns the status record of the new payment: PAID, or PENDING if the issuer has not responded; Kobo then queries it every 30 seconds.',
  permission: 'recurring',
  scope: 'collect.make',
  body: Type.Object({
    cardToken: Type.String({ minLength: 1, maxLength: 128, examples: ['KBO_0A1B2C3D4E5F60718293A4B5C6D7E8F9'] }),
    amount: Amount,
    customerName: Text,
    customerEmail: Email,
    paymentReference: Reference,
    paymentDescription: Text,
    currencyCode: CurrencyCode,
    contractCode: ContractCode,
    apiKey: Type.String({ minLength: 1, maxLength: 64 }),
    metaData: optional(MetaData),
    metadata: optional(MetaData),
    incomeSplitConfig: optional(IncomeSplitConfig),
  }),
  reply: TransactionStatusRecord,
  refusals: [
    cardRefusals.anotherApiKey,
    recurringRefusals.invalidToken,
    recurringRefusals.expiredToken,
    recurringRefusals.anotherEmail,
    ...paymentTerms,
    transactionRefusals.duplicateReference,
    cardRefusals.tooManyDeclines,
    cardRefusals.declined,
  ],
})

export const recurringPayment = group({
  title: 'Recurring payment',
  text: 'Charge a saved card without the cardholder present.',
  routes: { chargeCardToken },
  refusals: recurringRefusals,
})
