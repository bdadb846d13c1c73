import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'
import {
  AccountNumber,
  Amount,
  BankCode,
  Naira,
  nullable,
  optional,
  PaymentMethod,
  Text,
  Url,
  words,
} from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { settingRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

/** A setting of a merchant, said once: the API, the command line and the sandbox go by it. */
interface Setting {
  readonly about: string
  /** Whether each contract has its own. */
  readonly of: 'merchant' | 'contract'
  /** Who may change it in live: the merchant by its own API, or the operator alone. */
  readonly changedBy: 'merchant' | 'operator'
  readonly takes: TSchema
  readonly shows: TSchema
}

const setting = <const S extends Setting>(declared: S): S => declared

const perKind = <S extends TSchema>(schema: S) => ({
  collection: schema,
  disbursement: schema,
  refund: schema,
  settlement: schema,
  mandate: schema,
  wallet: schema,
})

const perPermission = <S extends TSchema>(schema: S) => ({
  transfers: schema,
  subAccounts: schema,
  wallets: schema,
  bills: schema,
  paycode: schema,
  refunds: schema,
  cards: schema,
  checkoutCards: schema,
  recurring: schema,
  reservedAccounts: schema,
  directDebit: schema,
  verification: schema,
  settings: schema,
})

const IP_WHITELIST_MAX = 1_000
const IpRange = Type.String({ maxLength: 64, 'x-ip-range': true, description: 'an address or a CIDR range' })
const SettlementTime = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-rule': 'a time of the day as 22:00',
  description: 'in Lagos',
  examples: ['22:00'],
})
const FeeBearer = words(['MERCHANT', 'CUSTOMER'])
const Underpayment = words(['ACCEPT', 'REJECT'])
const Settlement = words(['INSTANT', 'DAILY'])
const SettlementDestination = words(['WALLET', 'BANK'])
const Mail = words(['OK', 'FAIL'])

/** Sites whose pages may open payments for a merchant. */
export const INLINE_ORIGINS_MAX = 20
const InlineOrigin = Type.String({
  pattern: '^(\\*|https?://[a-z0-9.:\\[\\]-]{1,255})$',
  'x-rule': 'an origin, as https://shop.example, or *',
  examples: ['https://shop.example'],
})

const RESERVE_DAYS_MAX = 365
const Reserve = {
  percent: Type.String({
    pattern: '^(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)$',
    'x-rule': 'a percentage as 5 or 2.5, with at most two decimals',
    examples: ['5'],
  }),
  days: Type.Integer({ minimum: 1, maximum: RESERVE_DAYS_MAX, examples: [90] }),
}

const ACCOUNT_DURATION_SECONDS_MAX = 7 * 86_400

/** 32 kB in base64, and what stands before them. */
const LOGO_LENGTH_MAX = 43_750

/** Every setting that a merchant has. */
export const SETTINGS = {
  webhookUrl: setting({
    about: 'where events go whose kind has no address of its own',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Url,
    shows: nullable(Type.String()),
  }),
  webhookUrls: setting({
    about: 'where events of a kind go',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Object(perKind(optional(Url))),
    shows: Type.Object(perKind(nullable(Type.String()))),
  }),
  otpEnabled: setting({
    about: 'whether transfers wait for a code that is mailed',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Boolean(),
    shows: Type.Boolean(),
  }),
  ipWhitelist: setting({
    about: 'addresses and CIDR ranges from which the API may be called',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Array(IpRange, { maxItems: IP_WHITELIST_MAX }),
    shows: Type.Array(Type.String()),
  }),
  feeBearer: setting({
    about: 'who pays the fee of a collection',
    of: 'contract',
    changedBy: 'operator',
    takes: FeeBearer,
    shows: FeeBearer,
  }),
  underpayment: setting({
    about: 'whether a payment of too little is kept or sent back',
    of: 'contract',
    changedBy: 'operator',
    takes: Underpayment,
    shows: Underpayment,
  }),
  settlement: setting({
    about: 'whether what was collected is settled at once or at the time of the day',
    of: 'contract',
    changedBy: 'operator',
    takes: Settlement,
    shows: Settlement,
  }),
  settlementTime: setting({
    about: 'when it is settled, in Lagos',
    of: 'contract',
    changedBy: 'operator',
    takes: SettlementTime,
    shows: SettlementTime,
  }),
  settlementDestination: setting({
    about: 'where it is settled to',
    of: 'contract',
    changedBy: 'operator',
    takes: SettlementDestination,
    shows: SettlementDestination,
  }),
  settlementAccount: setting({
    about: 'the bank account that it is settled to',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Object({ bankCode: BankCode, accountNumber: AccountNumber, accountName: optional(Text) }),
    shows: nullable(Type.Object({ bankCode: Type.String(), accountNumber: Type.String(), accountName: Type.String() })),
  }),
  lowBalanceThreshold: setting({
    about: 'the merchant is told when its wallet falls below this',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Amount,
    shows: nullable(Naira),
  }),
  mail: setting({
    about: 'sandbox only: FAIL makes every mail to the merchant fail',
    of: 'merchant',
    changedBy: 'operator',
    takes: Mail,
    shows: Mail,
  }),
  permissions: setting({
    about: 'what the merchant may do',
    of: 'merchant',
    changedBy: 'operator',
    takes: Type.Object(perPermission(optional(Type.Boolean()))),
    shows: Type.Object(perPermission(Type.Boolean())),
  }),
  inlineOrigins: setting({
    about: 'sites whose pages may open payments with the inline script',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Array(InlineOrigin, { maxItems: INLINE_ORIGINS_MAX }),
    shows: Type.Array(Type.String()),
  }),
  brandColour: setting({
    about: 'the colour of the head of your payers’ pages; white letters must be readable on it',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({ pattern: '^#[0-9a-f]{6}$', 'x-rule': 'a colour as #0c3b2a', examples: ['#0c3b2a'] }),
    shows: nullable(Type.String()),
  }),
  supportContact: setting({
    about: 'whom payers ask: an e-mail address or a phone number',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({ minLength: 1, maxLength: 100, examples: ['help@shop.example'] }),
    shows: nullable(Type.String()),
  }),
  logo: setting({
    about: 'the picture at the head of your payers’ pages: PNG, JPEG or WebP of at most 32 kB, as a data URL',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({
      maxLength: LOGO_LENGTH_MAX,
      pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
      'x-rule': 'a PNG, JPEG or WebP of at most 32 kB as a data URL',
    }),
    shows: nullable(Type.String({ description: 'where it is served' })),
  }),
  paymentMethods: setting({
    about: 'by what payers may pay',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Array(PaymentMethod, { minItems: 1, uniqueItems: true }),
    shows: Type.Array(Type.String()),
  }),
  accountDurationSeconds: setting({
    about: 'for how long a payment stays open',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Integer({ minimum: 60, maximum: ACCOUNT_DURATION_SECONDS_MAX }),
    shows: Type.Integer(),
  }),
  reserve: setting({
    about: 'what percentage of what is settled is kept back against disputes, and for how many days',
    of: 'merchant',
    changedBy: 'operator',
    takes: Type.Object(Reserve),
    shows: nullable(Type.Object(Reserve)),
  }),
}

export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]
/** What a setting is told as. */
export type ShownSetting<N extends SettingName> = Static<(typeof SETTINGS)[N]['shows']>
/** What a setting can be set to; null goes back to what a new merchant has. */
export type TakenSetting<N extends SettingName> = Static<(typeof SETTINGS)[N]['takes']> | null

/** All settings as they are told. */
export type ShownSettings = { [N in SettingName]: ShownSetting<N> }
/** A change of settings: what is missing stays, null clears. */
export type SettingsChange = { [N in SettingName]?: TakenSetting<N> }

/** The settings as an answer has them. */
export const settingsShown = <const N extends SettingName>(names: readonly N[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, SETTINGS[name].shows])) as {
      [Name in N]: (typeof SETTINGS)[Name]['shows']
    },
  )

/** The settings as a change of them is sent. */
export const settingsTaken = <const N extends SettingName>(names: readonly N[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, optional(SETTINGS[name].takes)])) as {
      [Name in N]: TOptional<TUnsafe<TakenSetting<Name>>>
    },
  )

/** What the merchant's own API tells: all but what exists in the sandbox alone. */
const TOLD = SETTING_NAMES.filter((name) => name !== 'mail') as readonly Exclude<SettingName, 'mail'>[]

const MerchantSettings = settingsShown(TOLD)

export const getMerchantSettings = route({
  method: 'GET',
  path: '/api/v1/merchant/settings',
  summary: 'The settings of your account',
  description: 'Terms are those of the first contract that is not disabled.',
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.read',
  reply: MerchantSettings,
})

export const changeMerchantSettings = route({
  method: 'PUT',
  path: '/api/v1/merchant/settings',
  summary: 'Change settings of your account',
  description: `Merges: what is missing stays, null clears (back to the default). You may change ${TOLD.filter(
    (name) => SETTINGS[name].changedBy === 'merchant',
  )
    .map((name) => `\`${name}\``)
    .join(
      ', ',
    )}; the rest is the operator’s. Codes for transfers can be switched on, not off. Each change is mailed to you.`,
  permission: 'settings',
  person: 'developer.manage',
  fresh: true,
  body: settingsTaken(TOLD),
  reply: MerchantSettings,
  refusals: [
    settingRefusals.notAllowed,
    settingRefusals.operatorsAlone,
    settingRefusals.codesStayOn,
    settingRefusals.locksOut,
  ],
})

export const merchantSettings = group({
  title: 'Settings',
  text: 'What your account is set to. Of ours: the interface has no such paths.',
  routes: { getMerchantSettings, changeMerchantSettings },
  refusals: settingRefusals,
})
