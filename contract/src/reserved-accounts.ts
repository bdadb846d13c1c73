import Type from 'typebox'
import {
  AccountNumber,
  BankCode,
  Bvn,
  ContractCode,
  CurrencyCode,
  Email,
  Flag,
  IncomeSplitConfig,
  IncomeSplitItem,
  MetaData,
  Naira,
  Nin,
  nullable,
  optional,
  Reference,
  Text,
  words,
} from './fields.ts'
import { OTHER_NAMES } from './lenient.ts'
import { LimitProfileConfig } from './limit-profiles.ts'
import { PageQuery, page } from './page.ts'
import { personal } from './personal-data.ts'
import { withStatus } from './refusal.ts'
import {
  limitProfileRefusals,
  noAccount,
  reservedAccountRefusals,
  splitTerms,
  transactionRefusals,
} from './refusals/index.ts'
import { isFilled } from './roles.ts'
import { group, route } from './route.ts'
import { TransactionListRecord } from './transactions.ts'

export const RESERVED_ACCOUNT_TYPES = ['GENERAL', 'INVOICE'] as const
export type ReservedAccountType = (typeof RESERVED_ACCOUNT_TYPES)[number]

const SOURCES_MAX = 100
const BANKS_MAX = 20
const Name = Type.String({ minLength: 1, maxLength: 255 })
const BankAccount = Type.Object({ accountNumber: AccountNumber, bankCode: BankCode })

/** The sources that may pay into an account. A payment is accepted if it matches an entry of any list. */
export const AllowedPaymentSources = Type.Object({
  bvns: Type.Array(personal(Type.String({ examples: ['22212345678'] }))),
  bankAccounts: Type.Array(Type.Object({ accountNumber: personal(Type.String()), bankCode: Type.String() })),
  accountNames: Type.Array(personal(Type.String({ examples: ['Ada Obi'] }))),
})
const RequestedPaymentSources = Type.Object({
  bvns: optional(Type.Array(Bvn, { maxItems: SOURCES_MAX })),
  bankAccounts: optional(Type.Array(BankAccount, { maxItems: SOURCES_MAX })),
  accountNames: optional(Type.Array(Name, { maxItems: SOURCES_MAX })),
})
const paymentSources = {
  restrictPaymentSource: optional(Flag),
  allowedPaymentSources: optional(RequestedPaymentSources),
  allowedPaymentSource: optional(RequestedPaymentSources),
}

const requestedBanks = {
  getAllAvailableBanks: optional(Flag),
  preferredBanks: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 16 }), { maxItems: BANKS_MAX, examples: [['035']] }),
  ),
}

const RequestedType = Type.Unsafe<ReservedAccountType>({ ...words(RESERVED_ACCOUNT_TYPES), examples: ['INVOICE'] })
const AccountReference = Type.String({ ...Reference, examples: ['customer-1001'] })
const LimitProfileCode = Type.String({ ...Reference, examples: ['FSYVVWU8UPBD'] })

const requestedAccount = {
  accountReference: AccountReference,
  accountName: Type.String({ ...Name, examples: ['Ada Obi Stores'] }),
  currencyCode: CurrencyCode,
  contractCode: ContractCode,
  customerEmail: Email,
  customerName: optional(Text),
  bvn: optional(Bvn),
  nin: optional(Nin),
  ...requestedBanks,
  ...paymentSources,
  incomeSplitConfig: optional(IncomeSplitConfig),
  metaData: optional(MetaData),
  metadata: optional(MetaData),
}

/** A sub account's share of a reserved account's payments. */
export const ReservedAccountSplit = Type.Object({
  subAccountCode: Type.String({ examples: ['KBO_SUB_102030405060'] }),
  feePercentage: Type.Number({ examples: [10.5] }),
  feeBearer: Type.Boolean({ examples: [true] }),
  splitPercentage: Type.Number({ examples: [20] }),
  splitAmount: Type.Optional(Naira),
  reservedAccountConfigCode: Type.String({ examples: ['HRCNXDSAYX'] }),
})

const reservedAccount = {
  contractCode: Type.String({ examples: ['102030405060'] }),
  accountReference: Type.String({ examples: ['customer-1001'] }),
  accountName: personal(Type.String({ examples: ['Ada Obi Stores'] })),
  currencyCode: Type.String(),
  customerEmail: personal(Type.String()),
  customerName: nullable(personal(Type.String())),
  accounts: Type.Array(
    Type.Object({
      bankCode: Type.String(),
      bankName: Type.String(),
      accountNumber: personal(Type.String()),
      accountName: personal(Type.String({ examples: ['Ada Obi Stores'] })),
    }),
  ),
  collectionChannel: words(['RESERVED_ACCOUNT']),
  reservationReference: Type.String({ examples: ['96ZPXECUD84UQTB00931'] }),
  reservedAccountType: words(RESERVED_ACCOUNT_TYPES),
  status: words(['ACTIVE', 'INACTIVE'], 'INVOICE accounts are ACTIVE only while they have an open invoice'),
  createdOn: Type.String({ examples: ['2026-03-01 10:30:00.000'] }),
  incomeSplitConfig: Type.Array(ReservedAccountSplit, { examples: [[]] }),
  bvn: nullable(personal(Type.String({ examples: ['22212345678'] }))),
  nin: nullable(personal(Type.String({ examples: ['12345678901'] }))),
  restrictPaymentSource: Type.Boolean({ examples: [false] }),
  allowedPaymentSources: Type.Optional(AllowedPaymentSources),
}
const firstNumber = { accountNumber: personal(Type.String()), bankName: Type.String(), bankCode: Type.String() }

/** A reserved account: permanent account numbers of one customer. */
export const ReservedAccount = Type.Object(reservedAccount)
/** A reserved account with its first number at the top level. */
export const FlatReservedAccount = Type.Object({ ...reservedAccount, ...firstNumber })
export const LimitedReservedAccount = Type.Object({ ...reservedAccount, limitProfileConfig: LimitProfileConfig })
/** A reserved account in full. */
export const ReservedAccountDetail = Type.Object({
  ...reservedAccount,
  ...firstNumber,
  contract: Type.Object({
    name: Type.String({ examples: ['Demo Shop'] }),
    code: Type.String({ examples: ['102030405060'] }),
    description: Type.String({ examples: ['Collections'] }),
  }),
  transactionCount: Type.Integer(),
  limitProfileConfig: Type.Optional(LimitProfileConfig),
})

const params = Type.Object({ accountReference: AccountReference })
const CREATE_REFUSALS = [
  reservedAccountRefusals.referenceTaken,
  reservedAccountRefusals.identityRequired,
  reservedAccountRefusals.sourcesRequired,
  reservedAccountRefusals.unknownBank,
  transactionRefusals.unknownContract,
  transactionRefusals.unknownCurrency,
  ...splitTerms,
  ...noAccount,
] as const

export const reserveAccount = route({
  method: 'POST',
  path: '/api/v2/bank-transfer/reserved-accounts',
  summary: 'Reserve an account for a customer',
  description:
    'Every credit creates a PAID transaction. With `getAllAvailableBanks` the account has a number at each partner bank, otherwise at `preferredBanks`, otherwise at the default bank.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: Type.Object({ ...requestedAccount, getAllAvailableBanks: Flag }),
  otherNames: OTHER_NAMES.reserveAccount,
  reply: ReservedAccount,
  refusals: CREATE_REFUSALS,
})

export const reserveInvoiceAccount = route({
  method: 'POST',
  path: '/api/v1/bank-transfer/reserved-accounts',
  summary: 'Reserve an account for invoices',
  description:
    'The account accepts money only while it has an open invoice. Without `reservedAccountType` the account is GENERAL.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: Type.Object({ ...requestedAccount, reservedAccountType: optional(RequestedType) }),
  otherNames: OTHER_NAMES.reserveInvoiceAccount,
  reply: FlatReservedAccount,
  refusals: CREATE_REFUSALS,
})

export const reserveAccountWithLimit = route({
  method: 'POST',
  path: '/api/v1/bank-transfer/reserved-accounts/limit',
  summary: 'Reserve an account with a limit profile',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: Type.Object({ ...requestedAccount, limitProfileCode: LimitProfileCode }),
  otherNames: OTHER_NAMES.reserveAccountWithLimit,
  reply: LimitedReservedAccount,
  refusals: [...CREATE_REFUSALS, limitProfileRefusals.notFound],
  aliases: ['/api/v2/bank-transfer/reserved-accounts/limit'],
})

export const setLimitProfile = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/limit',
  summary: 'Set the limit profile of a reserved account',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: Type.Object({ accountReference: AccountReference, limitProfileCode: LimitProfileCode }),
  reply: LimitedReservedAccount,
  refusals: [reservedAccountRefusals.unknown, limitProfileRefusals.notFound],
  aliases: ['/api/v2/bank-transfer/reserved-accounts/limit'],
})

export const getReservedAccount = route({
  method: 'GET',
  path: '/api/v2/bank-transfer/reserved-accounts/:accountReference',
  summary: 'Get a reserved account',
  permission: 'reservedAccounts',
  person: 'payer.read',
  params,
  reply: ReservedAccountDetail,
  refusals: [reservedAccountRefusals.notFound],
  deprecatedPaths: ['/api/v1/bank-transfer/reserved-accounts/:accountReference'],
})

export const addLinkedAccounts = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/add-linked-accounts/:accountReference',
  summary: 'Add account numbers at more banks',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params,
  body: Type.Object(requestedBanks, { examples: [{ getAllAvailableBanks: false, preferredBanks: ['232'] }] }),
  reply: ReservedAccount,
  refusals: [reservedAccountRefusals.notFound, ...withStatus(400, [reservedAccountRefusals.unknownBank]), ...noAccount],
})

export const updateCustomerBvn = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/update-customer-bvn/:accountReference',
  summary: 'Update the customer’s BVN',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params,
  body: Type.Object({ bvn: Type.String({ maxLength: 64, description: '11 digits', examples: ['22212345678'] }) }),
  reply: FlatReservedAccount,
  refusals: [reservedAccountRefusals.unknown, reservedAccountRefusals.invalidBvn],
})

export const updatePaymentSourceFilter = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/update-payment-source-filter/:accountReference',
  summary: 'Set the allowed payment sources',
  description: 'A payment is accepted if it matches one of the lists. Fields that you leave out stay unchanged.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params,
  body: Type.Object(paymentSources, {
    examples: [{ restrictPaymentSource: true, allowedPaymentSources: { accountNames: ['Ada Obi'] } }],
  }),
  reply: Type.Object({ restrictPaymentSource: Type.Boolean(), allowedPaymentSources: AllowedPaymentSources }),
  refusals: [reservedAccountRefusals.unknown, reservedAccountRefusals.sourcesRequired],
})

export const updateIncomeSplitConfig = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/update-income-split-config/:accountReference',
  summary: 'Split an account’s payments among sub accounts',
  description: 'Takes effect with the next payment. An empty list removes the splits.',
  permission: 'reservedAccounts',
  person: 'terms.manage',
  fresh: true,
  twoPeople: { action: 'Split the payments of a reserved account', applies: isFilled },
  params,
  body: Type.Array(IncomeSplitItem, {
    maxItems: 100,
    examples: [[{ subAccountCode: 'KBO_SUB_102030405060', feePercentage: 10.5, splitPercentage: 20, feeBearer: true }]],
  }),
  reply: Type.Object({
    code: Type.String({ examples: ['HRCNXDSAYX'] }),
    reservedAccountCode: Type.String({ examples: ['96ZPXECUD84UQTB00931'] }),
    feeBearer: words(['MERCHANT_ONLY', 'SUB_ACCOUNT_ONLY', 'SHARED']),
    configDetails: Type.Array(ReservedAccountSplit),
  }),
  refusals: [reservedAccountRefusals.unknown, ...withStatus(400, splitTerms)],
})

export const deallocateReservedAccount = route({
  method: 'DELETE',
  path: '/api/v1/bank-transfer/reserved-accounts/reference/:accountReference',
  summary: 'Deallocate a reserved account',
  description:
    'The account is no longer found, and its numbers reject payments. The numbers are never assigned to anyone else. One of its account numbers works in place of the reference.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params,
  reply: FlatReservedAccount,
  refusals: [reservedAccountRefusals.unknown],
  deprecatedPaths: ['/api/v1/bank-transfer/reserved-accounts/:accountReference'],
})

export const ReservedAccountTransaction = Type.Object({
  ...TransactionListRecord.properties,
  providerAmount: Type.Number({ description: 'Naira; amount received at the bank', examples: [9000] }),
  providerCode: Type.String({ description: 'code of the bank that received the payment', examples: ['035'] }),
  settleInstantly: Type.Boolean({ examples: [false] }),
  collectionChannel: Type.String({ examples: ['RESERVED_ACCOUNT'] }),
})

export const listReservedAccountTransactions = route({
  method: 'GET',
  path: '/api/v1/bank-transfer/reserved-accounts/transactions',
  summary: 'List a reserved account’s transactions, newest first',
  permission: 'reservedAccounts',
  person: 'payer.read',
  query: Type.Object({ accountReference: AccountReference, ...PageQuery }),
  reply: page(ReservedAccountTransaction),
  refusals: [reservedAccountRefusals.unknown],
})

export const updateKycInfo = route({
  method: 'PUT',
  path: '/api/v1/bank-transfer/reserved-accounts/:accountReference/kyc-info',
  summary: 'Update the customer’s BVN or NIN',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params,
  body: Type.Object({ bvn: optional(Bvn), nin: optional(Nin) }, { examples: [{ bvn: '22212345678' }] }),
  reply: Type.Object({
    accountReference: reservedAccount.accountReference,
    accountName: reservedAccount.accountName,
    customerEmail: personal(Type.String()),
    customerName: nullable(personal(Type.String())),
    bvn: nullable(personal(Type.String({ examples: ['22212345678'] }))),
    nin: nullable(personal(Type.String({ examples: ['12345678901'] }))),
  }),
  refusals: [reservedAccountRefusals.unknown, reservedAccountRefusals.identityMissing],
})

export const reservedAccounts = group({
  title: 'Reserved accounts',
  text: 'Permanent account numbers for your customers. You are notified of every payment into them, and can split and limit payments.',
  routes: {
    reserveAccount,
    reserveInvoiceAccount,
    reserveAccountWithLimit,
    getReservedAccount,
    listReservedAccountTransactions,
    addLinkedAccounts,
    updateCustomerBvn,
    updateKycInfo,
    updatePaymentSourceFilter,
    updateIncomeSplitConfig,
    setLimitProfile,
    deallocateReservedAccount,
  },
  refusals: reservedAccountRefusals,
})
