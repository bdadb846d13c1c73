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
/** A wrong one is unknown, not malformed. */
const BankCode = Type.String({ minLength: 1, maxLength: 16, examples: ['058'] })
const ReportEmails = Type.Array(Email, { maxItems: REPORT_EMAILS_MAX })

/** A bank account that may get a part of what the merchant collects. */
export const SubAccount = Type.Object({
  subAccountCode: SubAccountCode,
  accountNumber: Type.String({ examples: ['0123456789'] }),
  accountName: Type.String({ description: 'as the bank has it', examples: ['BISOLA NGOZI EZE'] }),
  currencyCode: Type.String({ examples: ['NGN'] }),
  email: Type.String({ examples: ['bisola@example.com'] }),
  bankCode: Type.String({ examples: ['058'] }),
  bankName: Type.String({ examples: ['GTBank'] }),
  defaultSplitPercentage: Type.Number({ description: 'its share where a split names none', examples: [20.5] }),
  settlementProfileCode: Type.String({ examples: ['102030405060'] }),
  settlementReportEmails: Type.Array(Type.String(), {
    description: 'who is mailed what was settled to it',
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
  description: 'Takes one or an array of them, and creates all or none. The account name is what the bank answers.',
  permission: 'subAccounts',
  person: 'terms.manage',
  fresh: true,
  body: oneOrMany(NewSubAccount, SUB_ACCOUNTS_A_REQUEST_MAX),
  reply: Type.Array(SubAccount),
  refusals: [
    subAccountRefusals.unknownCurrency,
    subAccountRefusals.unknownBank,
    subAccountRefusals.unknownAccount,
    subAccountRefusals.bankSilent,
    subAccountRefusals.tooMany,
  ],
})

export const listSubAccounts = route({
  method: 'GET',
  path: '/api/v1/sub-accounts',
  summary: 'All sub accounts, oldest first',
  permission: 'subAccounts',
  person: 'money.read',
  reply: Type.Array(SubAccount),
})

export const changeSubAccount = route({
  method: 'PUT',
  path: '/api/v1/sub-accounts',
  summary: 'Change a sub account',
  description:
    'What is missing stays. Splits that were agreed on before keep their shares; the money goes to the new account.',
  permission: 'subAccounts',
  person: 'terms.manage',
  fresh: true,
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
    subAccountRefusals.bankSilent,
    subAccountRefusals.notFound,
  ],
})

const deletion = {
  method: 'DELETE',
  permission: 'subAccounts',
  description: 'It takes part in no new split. What it has a part in already is still paid to it.',
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
  summary: 'Delete a sub account named in the query',
  query: Type.Object({ subAccountCode: SubAccountCode }),
})

export const subAccounts = group({
  title: 'Sub accounts',
  text: 'Bank accounts that get a part of what you collect: name them in `incomeSplitConfig`.',
  routes: { createSubAccounts, listSubAccounts, changeSubAccount, deleteSubAccount, deleteSubAccountByQuery },
  refusals: subAccountRefusals,
})
