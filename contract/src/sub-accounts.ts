import Type from 'typebox'
import { NoBody } from './envelope.ts'
import { AccountNumber, CurrencyCode, Email, oneOrMany, optional, Percentage, Reference } from './fields.ts'
import { subAccountRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

const SUB_ACCOUNTS_A_REQUEST_MAX = 100
const REPORT_EMAILS_MAX = 20

const SubAccountCode = Type.String({
  minLength: 1,
  maxLength: 128,
  description: '`KBO_SUB_` and 12 digits',
  examples: ['KBO_SUB_123456789012'],
})
/** Accepts any text, because an unknown code is not a malformed field. */
const BankCode = Type.String({ minLength: 1, maxLength: 16, examples: ['058'] })
const ReportEmails = Type.Array(Email, { maxItems: REPORT_EMAILS_MAX })

/** A bank account that receives a share of the merchant's collections. */
export const SubAccount = Type.Object({
  subAccountCode: SubAccountCode,
  accountNumber: Type.String({ examples: ['0123456789'] }),
  accountName: Type.String({ description: 'account name at the bank', examples: ['BISOLA NGOZI EZE'] }),
  currencyCode: Type.String({ examples: ['NGN'] }),
  email: Type.String({ examples: ['bisola@example.com'] }),
  bankCode: Type.String({ examples: ['058'] }),
  bankName: Type.String({ examples: ['GTBank'] }),
  defaultSplitPercentage: Type.Number({ description: 'percentage for splits that set no share', examples: [20.5] }),
  settlementProfileCode: Type.String({ examples: ['102030405060'] }),
  settlementReportEmails: Type.Array(Type.String(), {
    description: 'recipients of settlement reports',
    examples: [['bisola@example.com']],
  }),
})

export const NewSubAccount = Type.Object({
  currencyCode: CurrencyCode,
  accountNumber: AccountNumber,
  bankCode: BankCode,
  email: Email,
  defaultSplitPercentage: Percentage,
  settlementProfileCode: optional(Reference),
  settlementReportEmails: optional(ReportEmails),
})

export const createSubAccounts = route({
  method: 'POST',
  path: '/api/v1/sub-accounts',
  summary: 'Create sub accounts',
  description: 'Takes one sub account or an array, and creates all or none. The account name comes from the bank.',
  permission: 'subAccounts',
  person: 'terms.manage',
  fresh: true,
  twoPeople: { action: 'Create sub accounts' },
  body: oneOrMany(NewSubAccount, SUB_ACCOUNTS_A_REQUEST_MAX),
  reply: Type.Array(SubAccount),
  refusals: [
    subAccountRefusals.unknownCurrency,
    subAccountRefusals.unknownBank,
    subAccountRefusals.unknownAccount,
    subAccountRefusals.bankUnavailable,
    subAccountRefusals.tooMany,
  ],
})

export const listSubAccounts = route({
  method: 'GET',
  path: '/api/v1/sub-accounts',
  summary: 'List all sub accounts, oldest first',
  permission: 'subAccounts',
  person: 'money.read',
  reply: Type.Array(SubAccount),
})

export const changeSubAccount = route({
  method: 'PUT',
  path: '/api/v1/sub-accounts',
  summary: 'Update a sub account',
  description:
    'Fields that you leave out stay unchanged. Existing splits keep their shares, but pay to the new account.',
  permission: 'subAccounts',
  person: 'terms.manage',
  fresh: true,
  twoPeople: { action: 'Change a sub account' },
  body: Type.Object({
    subAccountCode: SubAccountCode,
    currencyCode: optional(CurrencyCode),
    accountNumber: optional(AccountNumber),
    bankCode: optional(BankCode),
    email: optional(Email),
    defaultSplitPercentage: optional(Percentage),
    settlementProfileCode: optional(Reference),
    settlementReportEmails: optional(ReportEmails),
  }),
  reply: SubAccount,
  refusals: [
    subAccountRefusals.unknownCurrency,
    subAccountRefusals.unknownBank,
    subAccountRefusals.unknownAccount,
    subAccountRefusals.bankUnavailable,
    subAccountRefusals.notFound,
  ],
})

const deletion = {
  method: 'DELETE',
  permission: 'subAccounts',
  description: 'The sub account cannot be used in new splits. Its existing shares are still paid out.',
  reply: NoBody,
  refusals: [subAccountRefusals.notFound],
} as const

export const deleteSubAccount = route({
  ...deletion,
  path: '/api/v1/sub-accounts/:subAccountCode',
  person: 'terms.manage',
  fresh: true,
  summary: 'Delete a sub account',
  params: Type.Object({ subAccountCode: SubAccountCode }),
})

export const deleteSubAccountByQuery = route({
  ...deletion,
  path: '/api/v1/sub-accounts',
  person: 'terms.manage',
  fresh: true,
  summary: 'Delete a sub account by query parameter',
  query: Type.Object({ subAccountCode: SubAccountCode }),
})

export const subAccounts = group({
  title: 'Sub accounts',
  text: 'Bank accounts that receive a share of your collections through `incomeSplitConfig`.',
  routes: { createSubAccounts, listSubAccounts, changeSubAccount, deleteSubAccount, deleteSubAccountByQuery },
  refusals: subAccountRefusals,
})
