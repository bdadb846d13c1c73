import Type from 'typebox'
import { nullable, Reference, words } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { NO_PERMISSION } from './permissions.ts'
import { settlementRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'
import { TransactionStatusRecord } from './transactions.ts'

export const SETTLEMENT_STATUSES = ['PENDING', 'COMPLETED'] as const
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number]
export const BENEFICIARY_TYPES = ['MERCHANT', 'SUB_ACCOUNT'] as const
export type BeneficiaryType = (typeof BENEFICIARY_TYPES)[number]

const SettlementReference = Type.String({ examples: ['7YH2K9QWERTZ0123ABCD'] })
const SETTLEMENT_REFERENCE_DOCS = { description: 'The settlement’s reference', examples: ['7YH2K9QWERTZ0123ABCD'] }
const SettlementDate = Type.String({ examples: ['01/03/2026 10:00:00 PM'] })
const SettledNaira = Type.Number({ description: 'Naira', examples: [8865] })

/** The amounts withheld before the money was paid out. */
const withheld = {
  debtRepaid: Type.Number({ description: 'Naira; used to repay the merchant’s debts', examples: [0] }),
  reserved: Type.Number({ description: 'Naira; kept in the merchant’s reserve', examples: [0] }),
}

const destination = {
  destinationAccountNumber: Type.String(),
  destinationAccountName: Type.String({ examples: ['Demo Shop'] }),
  destinationBankName: Type.String({ examples: ['Moniepoint Microfinance Bank'] }),
  destinationBankCode: Type.String({ examples: ['50515'] }),
}

export const SettlementRecord = Type.Object({
  settlementReference: SettlementReference,
  settlementDate: SettlementDate,
  settlementAmount: SettledNaira,
  ...withheld,
  transactionsCount: Type.Integer(),
  currency: Type.String(),
  settlementStatus: words(SETTLEMENT_STATUSES, 'COMPLETED when the money is in the wallet or bank account'),
  ...destination,
})

/** One beneficiary's share of a transaction. Incomes and fees add up to the amount paid. */
export const Beneficiary = Type.Object({
  beneficiaryType: words(BENEFICIARY_TYPES),
  beneficiaryCode: Type.String({
    description: 'merchant code or sub account code',
    examples: ['AB12CD34EF56'],
  }),
  beneficiaryIncome: SettledNaira,
  incurredFee: Type.Number({ description: 'Naira', examples: [135] }),
  settlementStatus: words(SETTLEMENT_STATUSES),
  settlementInformation: Type.Object({
    settledDate: nullable(SettlementDate),
    settlementReference: SettlementReference,
    settlementAmount: SettledNaira,
    settlementFee: Type.Number({ description: 'Naira; always 0', examples: [0] }),
    ...withheld,
    ...destination,
  }),
})

export const SettlementDetail = Type.Object({
  transactionReference: Type.String(),
  settlementReference: SettlementReference,
  settlementDate: SettlementDate,
  settlementAmount: SettledNaira,
  ...withheld,
  currency: Type.String(),
  transaction: TransactionStatusRecord,
  beneficiaries: Type.Array(Beneficiary),
})

export const listSettlements = route({
  method: 'GET',
  path: '/api/v1/settlements',
  summary: 'List settlements, newest first',
  description:
    'By default, transfers are settled at 22:00 Lagos time and cards on the next working day. `settlementAmount` is the amount that the merchant received. `debtRepaid` and `reserved` are already deducted from it. They are taken from the merchant’s share, and what that cannot cover from the sub accounts’ shares.',
  permission: NO_PERMISSION.ownData,
  person: 'balances.read',
  query: Type.Object(PageQuery),
  reply: page(SettlementRecord),
})

export const findSettledTransactions = route({
  method: 'GET',
  path: '/api/v1/transactions/find-by-settlement-reference',
  summary: 'List the transactions of a settlement, newest first',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object({ reference: Type.String({ ...Reference, ...SETTLEMENT_REFERENCE_DOCS }), ...PageQuery }),
  reply: page(TransactionStatusRecord),
  refusals: [settlementRefusals.notFound],
})

export const getSettlementDetail = route({
  method: 'GET',
  path: '/api/v1/settlement-detail',
  summary: 'Get the settlement of a transaction',
  permission: NO_PERMISSION.ownData,
  person: 'money.read',
  query: Type.Object({ transactionReference: Reference }),
  reply: SettlementDetail,
  refusals: [settlementRefusals.unknownTransaction, settlementRefusals.notSettled],
})

export const settlements = group({
  title: 'Settlements',
  text: 'Shows when collected money reached your wallet or bank account, and each beneficiary’s share.',
  routes: { listSettlements, findSettledTransactions, getSettlementDetail },
  refusals: settlementRefusals,
})
