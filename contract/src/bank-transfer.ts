import Type from 'typebox'
import { AnyMap, Naira, nullable, optional, Reference } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { accountRefusals, bankTransferRefusals, noAccount, notOpen, transactionRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

/** The one-time virtual account of a transaction. */
export const BankTransferAccount = Type.Object({
  accountNumber: Type.String(),
  accountName: Type.String(),
  bankName: Type.String(),
  bankCode: Type.String(),
  accountDurationSeconds: Type.Integer(),
  ussdPayment: nullable(Type.String({ examples: ['*737*2*9000*3000000003#'] })),
  requestTime: Type.String({ examples: ['2026-03-01T10:30:00'] }),
  expiresOn: Type.String({ examples: ['2026-03-01T11:10:00'] }),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  amount: Naira,
  fee: Naira,
  totalPayable: Naira,
  collectionChannel: Type.String(),
  productInformation: nullable(AnyMap),
})

const REFUSALS = [
  transactionRefusals.unknown,
  ...notOpen,
  bankTransferRefusals.methodNotEnabled,
  bankTransferRefusals.unknownBank,
  ...noAccount,
] as const

export const initBankTransfer = route({
  method: 'POST',
  path: '/api/v1/merchant/bank-transfer/init-payment',
  summary: 'Get the virtual account to pay a transaction into',
  description:
    'Returns the same account until it expires. `bankCode` selects the partner bank of the account; the code of any other known bank only sets `ussdPayment`.',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  body: Type.Object({
    transactionReference: Reference,
    bankCode: optional(Type.String({ maxLength: 16, examples: ['058'] })), // an unknown code gets 422, not 400
  }),
  reply: BankTransferAccount,
  refusals: REFUSALS,
})

export const initUssd = route({
  method: 'POST',
  path: '/api/v1/merchant/ussd/initialize',
  summary: 'Get the USSD code that pays a transaction',
  permission: NO_PERMISSION.collecting,
  person: 'collect.make',
  body: Type.Object({
    transactionReference: Reference,
    bankUssdCode: Type.String({
      minLength: 1,
      maxLength: 16,
      description: 'USSD code (`*737#` or `737`) or bank code',
    }),
  }),
  reply: BankTransferAccount,
  refusals: REFUSALS,
})

export const bankTransfer = group({
  title: 'Bank transfer',
  text: 'The customer pays by bank transfer into a one-time account, or dials a USSD code.',
  routes: { initBankTransfer, initUssd },
  refusals: { ...bankTransferRefusals, ...accountRefusals },
})
