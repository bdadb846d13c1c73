import Type from 'typebox'
import {
  AccountNumber,
  Amount,
  AmountOrZero,
  AnyMap,
  BankCode,
  ContractCode,
  Moment,
  nullable,
  optional,
  Text,
  words,
} from '../fields.ts'
import { personal } from '../personal-data.ts'
import { changeRefusals, disputeRefusals, operatorRefusals, settingRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, settingsTaken } from '../settings.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OfMerchant, OfOneMerchant, OPERATOR_ACTS, OPERATOR_READS, Reason } from './operator.ts'

/** The changes that one operator requests and another approves. */
export const CHANGE_KINDS = [
  'SETTINGS',
  'PRICE',
  'RETURN',
  'CONFLICT',
  'DISPUTE',
  'DISPUTE_END',
  'TEAM',
  'OWNER',
  'PAYOUT',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]
export const CHANGE_STATUSES = ['WAITING', 'APPLIED', 'REJECTED', 'EXPIRED'] as const

/** After this many days, a change that no one approved expires. */
export const CHANGE_DAYS_MAX = 7

/** Settings that only operators can change, always two of them together. */
type OperatorsSetting = {
  [N in SettingName]: (typeof SETTINGS)[N]['changedBy'] extends 'operator' ? N : never
}[SettingName]
const OPERATORS_SETTINGS = SETTING_NAMES.filter((name) => SETTINGS[name].changedBy === 'operator') as Exclude<
  OperatorsSetting,
  'mail'
>[]

const OneId = Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'a numeric ID' }) })

const Change = Type.Object({
  id: Type.String(),
  createdOn: Instant,
  kind: words(CHANGE_KINDS),
  merchantCode: nullable(Type.String({ description: 'null if the money belongs to no merchant' })),
  merchantName: nullable(Type.String()),
  about: personal(Type.String({ description: 'description of the change' })),
  wanted: personal(AnyMap),
  reason: Type.String(),
  status: words(CHANGE_STATUSES),
  askedBy: Type.String(),
  decidedBy: nullable(Type.String()),
  decidedOn: nullable(Instant),
  decidedBecause: nullable(Type.String()),
  expiresOn: Instant,
  isOwn: Type.Boolean({ description: 'whether the caller requested it, so that someone else must approve it' }),
})

export const browseChanges = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/changes',
  summary: 'List changes that need a second operator, newest first',
  query: Type.Object({ ...ListQuery, ...OfOneMerchant, status: Type.Optional(words(CHANGE_STATUSES)) }),
  reply: listOf(Change),
})

const Requested = Type.Object({ id: Type.String() })

export const requestSettings = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/changes',
  summary: 'Request a change of a merchant’s permissions, settlement account or terms',
  params: OfMerchant,
  body: Type.Object({
    change: settingsTaken(OPERATORS_SETTINGS.filter((name) => (name as string) !== 'mail')),
    contractCode: optional(ContractCode),
    reason: Reason,
    consentBasis: optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'merchant’s statement about its customers’ consent; required in live mode for permissions that need consent',
      }),
    ),
  }),
  reply: Requested,
  refusals: [
    changeRefusals.nothingToChange,
    changeRefusals.unknownContract,
    changeRefusals.consentMissing,
    settingRefusals.notAllowed,
    settingRefusals.unknownBank,
    operatorRefusals.unknownMerchant,
  ],
})

const STEPS_MAX = 20
const Step = Type.Object({
  upTo: optional(Amount),
  percent: optional(
    Type.String({
      pattern: '^(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)$',
      'x-rule': 'a percentage like 1.4, with at most two decimals',
    }),
  ),
  flat: optional(AmountOrZero),
  cap: optional(AmountOrZero),
})

export const PRICED_SERVICES = [
  'collection',
  'cash-collection',
  'transfer',
  'refund',
  'paycode',
  'verification/bvn-details',
  'verification/bvn-account',
  'verification/nin-details',
  'mandate-token',
] as const
export type PricedService = (typeof PRICED_SERVICES)[number]

export const requestPrice = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/prices',
  summary: 'Request a merchant-specific price, or a return to the standard price',
  params: OfMerchant,
  body: Type.Object({
    service: words(PRICED_SERVICES),
    contractCode: optional(ContractCode),
    steps: nullable(
      Type.Array(Step, {
        minItems: 1,
        maxItems: STEPS_MAX,
        description: 'null: return to the standard price',
      }),
    ),
    from: optional(Moment),
    reason: Reason,
  }),
  reply: Requested,
  refusals: [changeRefusals.unknownContract, changeRefusals.badPrice, operatorRefusals.unknownMerchant],
})

export const requestReturn = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/returns/:id/changes',
  summary: 'Request the return of a rejected credit: to an account, through its partner, or as already returned',
  params: OneId,
  body: Type.Object({
    way: words(['ACCOUNT', 'PARTNER', 'IS_BACK']),
    bankCode: optional(BankCode),
    accountNumber: optional(AccountNumber),
    accountName: optional(Text),
    reason: Reason,
  }),
  reply: Requested,
  refusals: [changeRefusals.notWaiting, changeRefusals.accountMissing],
})

export const requestPayout = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/payouts',
  summary: 'Request that everything in a closed merchant’s wallet is paid out to a bank account, without a fee',
  params: OfMerchant,
  body: Type.Object({
    walletAccountNumber: optional(AccountNumber),
    bankCode: BankCode,
    accountNumber: AccountNumber,
    accountName: Text,
    reason: Reason,
  }),
  reply: Requested,
  refusals: [operatorRefusals.unknownMerchant, operatorRefusals.notClosed, operatorRefusals.nothingLeft],
})

export const requestConflict = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/conflicts/:id/changes',
  summary: 'Request that a conflicting credit is accepted as separate money, or dismissed',
  params: OneId,
  body: Type.Object({ verdict: words(['TAKE', 'DISMISS']), reason: Reason }),
  reply: Requested,
  refusals: [changeRefusals.notWaiting],
})

export const approveChange = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/changes/:id/approve',
  summary: 'Approve a change that another operator requested; it takes effect at once',
  params: OneId,
  reply: Change,
  refusals: [
    changeRefusals.unknownChange,
    changeRefusals.ownChange,
    changeRefusals.notWaiting,
    changeRefusals.badPrice,
    settingRefusals.notAllowed,
    settingRefusals.unknownBank,
    disputeRefusals.notDisputable,
    disputeRefusals.aboveAmount,
    disputeRefusals.reportedDifferently,
    disputeRefusals.decidedDifferently,
    operatorRefusals.hasOwner,
  ],
})

export const rejectChange = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/changes/:id/reject',
  summary: 'Reject a change that another operator requested, or withdraw your own',
  params: OneId,
  body: Type.Object({ reason: Reason }),
  reply: Change,
  refusals: [changeRefusals.unknownChange, changeRefusals.notWaiting],
})

export const operatorChanges = group({
  title: 'Operator: changes for approval',
  text: 'Changes that one operator requests and another approves: permissions, terms, settlement accounts, prices, and money without a clear owner.',
  routes: {
    browseChanges,
    requestSettings,
    requestPrice,
    requestReturn,
    requestPayout,
    requestConflict,
    approveChange,
    rejectChange,
  },
  refusals: changeRefusals,
})
