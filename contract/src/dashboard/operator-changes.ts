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
import { changeRefusals, disputeRefusals, operatorRefusals, settingRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, settingsTaken } from '../settings.ts'
import { Instant, ListQuery, listOf } from './lists.ts'
import { OfMerchant, OfOneMerchant, OPERATOR_ACTS, OPERATOR_READS, Reason } from './operator.ts'

/** What one operator asks for and another approves. */
export const CHANGE_KINDS = ['SETTINGS', 'PRICE', 'RETURN', 'CONFLICT', 'DISPUTE', 'DISPUTE_END', 'TEAM'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]
export const CHANGE_STATUSES = ['WAITING', 'APPLIED', 'REJECTED', 'EXPIRED'] as const

/** How long somebody else has to approve a change. */
export const CHANGE_DAYS_MAX = 7

/** Settings that are the operator's to change: never by one person alone. */
type OperatorsSetting = {
  [N in SettingName]: (typeof SETTINGS)[N]['changedBy'] extends 'operator' ? N : never
}[SettingName]
const OPERATORS_SETTINGS = SETTING_NAMES.filter((name) => SETTINGS[name].changedBy === 'operator') as Exclude<
  OperatorsSetting,
  'mail'
>[]

const OneId = Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$', 'x-rule': 'an id' }) })

const Change = Type.Object({
  id: Type.String(),
  createdOn: Instant,
  kind: words(CHANGE_KINDS),
  merchantCode: nullable(Type.String({ description: 'null where it is money that is nobody’s' })),
  merchantName: nullable(Type.String()),
  about: Type.String({ description: 'what would change, in words' }),
  wanted: AnyMap,
  reason: Type.String(),
  status: words(CHANGE_STATUSES),
  askedBy: Type.String(),
  decidedBy: nullable(Type.String()),
  decidedOn: nullable(Instant),
  decidedBecause: nullable(Type.String()),
  expiresOn: Instant,
  isOwn: Type.Boolean({ description: 'whether who looks has asked for it: then somebody else must approve it' }),
})

export const browseChanges = route({
  ...OPERATOR_READS,
  method: 'GET',
  path: '/dashboard/api/operator/changes',
  summary: 'What operators have asked for that needs a second one, the newest first',
  query: Type.Object({ ...ListQuery, ...OfOneMerchant, status: Type.Optional(words(CHANGE_STATUSES)) }),
  reply: listOf(Change),
})

const Asked = Type.Object({ id: Type.String() })

export const askForSettings = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/changes',
  summary: 'Ask for a change of a merchant’s permissions, settlement account or terms',
  params: OfMerchant,
  body: Type.Object({
    change: settingsTaken(OPERATORS_SETTINGS.filter((name) => (name as string) !== 'mail')),
    contractCode: optional(ContractCode),
    reason: Reason,
    consentBasis: optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'what the merchant asserts where it is granted what needs people’s consent; required in live',
      }),
    ),
  }),
  reply: Asked,
  refusals: [
    changeRefusals.nothingToChange,
    changeRefusals.unknownContract,
    changeRefusals.consentWanting,
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
      'x-rule': 'a percentage as 1.4, with at most two decimals',
    }),
  ),
  flat: optional(AmountOrZero),
  cap: optional(AmountOrZero),
})

/** All that has a price. */
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

export const askForPrice = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/merchants/:code/prices',
  summary: 'Ask for a price of a merchant’s own, or for everybody’s again',
  params: OfMerchant,
  body: Type.Object({
    service: words(PRICED_SERVICES),
    contractCode: optional(ContractCode),
    steps: nullable(
      Type.Array(Step, {
        minItems: 1,
        maxItems: STEPS_MAX,
        description: 'null: from then on everybody’s price counts',
      }),
    ),
    from: optional(Moment),
    reason: Reason,
  }),
  reply: Asked,
  refusals: [changeRefusals.unknownContract, changeRefusals.badPrice, operatorRefusals.unknownMerchant],
})

export const askForReturn = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/returns/:id/changes',
  summary: 'Ask that a credit which was not taken goes back to an account, by its partner, or is booked as gone back',
  params: OneId,
  body: Type.Object({
    way: words(['ACCOUNT', 'PARTNER', 'IS_BACK']),
    bankCode: optional(BankCode),
    accountNumber: optional(AccountNumber),
    accountName: optional(Text),
    reason: Reason,
  }),
  reply: Asked,
  refusals: [changeRefusals.notWaiting, changeRefusals.accountWanting],
})

export const askForConflict = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/conflicts/:id/changes',
  summary: 'Ask that a credit in conflict is received as money of its own, or dismissed',
  params: OneId,
  body: Type.Object({ verdict: words(['TAKE', 'DISMISS']), reason: Reason }),
  reply: Asked,
  refusals: [changeRefusals.notWaiting],
})

export const approveChange = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/changes/:id/approve',
  summary: 'Approve what another operator has asked for; it is carried out at once',
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
    disputeRefusals.toldOtherwise,
    disputeRefusals.decidedOtherwise,
  ],
})

export const rejectChange = route({
  ...OPERATOR_ACTS,
  path: '/dashboard/api/operator/changes/:id/reject',
  summary: 'Reject what another operator has asked for, or withdraw what one has asked for oneself',
  params: OneId,
  body: Type.Object({ reason: Reason }),
  reply: Change,
  refusals: [changeRefusals.unknownChange, changeRefusals.notWaiting],
})

export const operatorChanges = group({
  title: 'Operator: what needs two',
  text: 'Changes that one operator asks for and another approves: permissions, terms, settlement accounts, prices, and money that is not simply a merchant’s.',
  routes: {
    browseChanges,
    askForSettings,
    askForPrice,
    askForReturn,
    askForConflict,
    approveChange,
    rejectChange,
  },
  refusals: changeRefusals,
})
