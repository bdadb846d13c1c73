import Type from 'typebox'
import { Amount, Email, optional, Reference, Text } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { cashCollectionRefusals, transactionRefusals } from './refusals/index.ts'
import { route } from './route.ts'
import { TransactionStatusRecord } from './transactions.ts'

export const collectCash = route({
  method: 'POST',
  path: '/sandbox/cash-collections',
  summary: 'Complete a cash payment at an agent',
  description:
    'Creates a completed offline payment: the transaction is PAID at once, with a SUCCESSFUL_TRANSACTION event.',
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
