import Type from 'typebox'
import { Amount, Email, optional, Reference, Text } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { cashCollectionRefusals, transactionRefusals } from './refusals/index.ts'
import { route } from './route.ts'
import { TransactionStatusRecord } from './transactions.ts'

export const collectCash = route({
  method: 'POST',
  path: '/sandbox/cash-collections',
  summary: 'A customer pays cash at an agent',
  description:
    'A completed offline payment: the transaction is PAID from the first moment, and told as SUCCESSFUL_TRANSACTION.',
  environment: 'sandbox',
  permission: NO_PERMISSION.sandbox,
  person: 'sandbox.use',
  body: Type.Object({
    amount: Amount,
    paymentReference: optional(Reference),
    customerName: optional(Text),
    customerEmail: optional(Email),
    paymentDescription: optional(Text),
  }),
  reply: TransactionStatusRecord,
  refusals: [transactionRefusals.amountTooSmall, cashCollectionRefusals.duplicateReference],
})
