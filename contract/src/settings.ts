import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'
import { COMPAT_NAMES } from './compat.ts'
import {
  AccountNumber,
  Amount,
  BankCode,
  IpRange,
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

/** A merchant setting, defined once for the API, the command line and the sandbox. */
interface Setting {
  /** For people, in the middle of a sentence. */
  readonly title: string
  readonly about: string
  /** Whether the merchant has one value, or each of its contracts has its own. */
  readonly of: 'merchant' | 'contract'
  /** The party that may change the setting in live mode: the merchant through the API, or only the operator. */
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
const SettlementTime = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-rule': 'a time of day like 22:00',
  description: 'Lagos time',
  examples: ['22:00'],
})
const FeeBearer = words(['MERCHANT', 'CUSTOMER'])
const Underpayment = words(['ACCEPT', 'REJECT'])
const Settlement = words(['INSTANT', 'DAILY'])
const SettlementDestination = words(['WALLET', 'BANK'])
const Mail = words(['OK', 'FAIL'])

/** The maximum number of sites that may open payments for a merchant. */
export const INLINE_ORIGINS_MAX = 20
const InlineOrigin = Type.String({
  pattern: '^(\\*|(https?://[a-z0-9.:\\[\\]-]{1,255}|app:[A-Za-z0-9._-]{1,255})( [A-Za-z0-9_.-]{3,32})?)$',
  'x-rule':
    'an origin like https://shop.example, an app like app:com.shop.android, or *; after a space, a prefix of its references',
  examples: ['https://shop.example'],
})

const RESERVE_DAYS_MAX = 365
const Reserve = {
  percent: Type.String({
    pattern: '^(100(\\.0{1,2})?|\\d{1,2}(\\.\\d{1,2})?)$',
    'x-rule': 'a percentage like 5 or 2.5, with at most two decimals',
    examples: ['5'],
  }),
  days: Type.Integer({ minimum: 1, maximum: RESERVE_DAYS_MAX, examples: [90] }),
}

const ACCOUNT_DURATION_SECONDS_MAX = 7 * 86_400

/** 32 kB in base64, plus the data URL prefix. */
const LOGO_LENGTH_MAX = 43_750

/** All merchant settings. */
export const SETTINGS = {
  webhookUrl: setting({
    title: 'webhook URL',
    about: 'default webhook URL, for kinds of event without their own',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Url,
    shows: nullable(Type.String()),
  }),
  webhookUrls: setting({
    title: 'webhook URLs by event',
    about: 'webhook URL for each kind of event',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Object(perKind(optional(Url))),
    shows: Type.Object(perKind(nullable(Type.String()))),
  }),
  otpEnabled: setting({
    title: 'codes for API payouts',
    about: 'whether transfers need an authorization code sent by email',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Boolean(),
    shows: Type.Boolean(),
  }),
  ipWhitelist: setting({
    title: 'allowed IP addresses',
    about: 'IP addresses and CIDR ranges that may call the API',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Array(IpRange, { maxItems: IP_WHITELIST_MAX }),
    shows: Type.Array(Type.String()),
  }),
  feeBearer: setting({
    title: 'payer of payment fees',
    about: 'payer of the collection fee',
    of: 'contract',
    changedBy: 'operator',
    takes: FeeBearer,
    shows: FeeBearer,
  }),
  underpayment: setting({
    title: 'underpayments',
    about: 'whether underpayments are accepted or returned',
    of: 'contract',
    changedBy: 'operator',
    takes: Underpayment,
    shows: Underpayment,
  }),
  settlement: setting({
    title: 'settlement schedule',
    about: 'whether collections are settled instantly or daily',
    of: 'contract',
    changedBy: 'operator',
    takes: Settlement,
    shows: Settlement,
  }),
  settlementTime: setting({
    title: 'settlement time',
    about: 'daily settlement time, Lagos time',
    of: 'contract',
    changedBy: 'operator',
    takes: SettlementTime,
    shows: SettlementTime,
  }),
  settlementDestination: setting({
    title: 'settlement destination',
    about: 'settlement destination: wallet or bank account',
    of: 'contract',
    changedBy: 'operator',
    takes: SettlementDestination,
    shows: SettlementDestination,
  }),
  settlementAccount: setting({
    title: 'settlement account',
    about: 'bank account for settlements',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Object({ bankCode: BankCode, accountNumber: AccountNumber, accountName: optional(Text) }),
    shows: nullable(Type.Object({ bankCode: Type.String(), accountNumber: Type.String(), accountName: Type.String() })),
  }),
  lowBalanceThreshold: setting({
    title: 'low balance alert',
    about: 'wallet balance below which the merchant is alerted',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Amount,
    shows: nullable(Naira),
  }),
  mail: setting({
    title: 'sandbox emails',
    about: 'sandbox only: FAIL makes every email to the merchant fail',
    of: 'merchant',
    changedBy: 'operator',
    takes: Mail,
    shows: Mail,
  }),
  permissions: setting({
    title: 'enabled features',
    about: 'the merchant’s permissions',
    of: 'merchant',
    changedBy: 'operator',
    takes: Type.Object(perPermission(optional(Type.Boolean()))),
    shows: Type.Object(perPermission(Type.Boolean())),
  }),
  inlineOrigins: setting({
    title: 'sites that may open payments',
    about: 'sites and apps that may open payments, each with the prefix of its references, if any',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.Array(InlineOrigin, { maxItems: INLINE_ORIGINS_MAX }),
    shows: Type.Array(Type.String()),
  }),
  compat: setting({
    title: 'rules relaxed for older clients',
    about: `rules relaxed for older clients: ${COMPAT_NAMES.join(', ')}`,
    of: 'merchant',
    changedBy: 'operator',
    takes: Type.Array(words(COMPAT_NAMES), { uniqueItems: true, maxItems: COMPAT_NAMES.length }),
    shows: Type.Array(Type.String()),
  }),
  brandColour: setting({
    title: 'header colour',
    about: 'header colour of the payment pages; white text must be readable on it',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({ pattern: '^#[0-9a-f]{6}$', 'x-rule': 'a colour like #0c3b2a', examples: ['#0c3b2a'] }),
    shows: nullable(Type.String()),
  }),
  supportContact: setting({
    title: 'support contact',
    about: 'contact for customers: an email address or a phone number',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({ minLength: 1, maxLength: 100, examples: ['help@shop.example'] }),
    shows: nullable(Type.String()),
  }),
  logo: setting({
    title: 'logo',
    about: 'logo on the payment pages: PNG, JPEG or WebP of at most 32 kB, as a data URL',
    of: 'merchant',
    changedBy: 'merchant',
    takes: Type.String({
      maxLength: LOGO_LENGTH_MAX,
      pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
      'x-rule': 'a PNG, JPEG or WebP of at most 32 kB as a data URL',
    }),
    shows: nullable(Type.String({ description: 'URL of the logo' })),
  }),
  paymentMethods: setting({
    title: 'payment methods',
    about: 'payment methods offered to customers',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Array(PaymentMethod, { minItems: 1, uniqueItems: true }),
    shows: Type.Array(Type.String()),
  }),
  accountDurationSeconds: setting({
    title: 'payment expiry',
    about: 'time that a payment stays open',
    of: 'contract',
    changedBy: 'operator',
    takes: Type.Integer({ minimum: 60, maximum: ACCOUNT_DURATION_SECONDS_MAX }),
    shows: Type.Integer(),
  }),
  reserve: setting({
    title: 'reserve against disputes',
    about: 'rolling reserve against disputes: percentage of each settlement held back, and for how many days',
    of: 'merchant',
    changedBy: 'operator',
    takes: Type.Object(Reserve),
    shows: nullable(Type.Object(Reserve)),
  }),
}

export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]
/** The value of a setting in responses. */
export type ShownSetting<N extends SettingName> = Static<(typeof SETTINGS)[N]['shows']>
/** The value of a setting in requests; null resets to the default. */
export type TakenSetting<N extends SettingName> = Static<(typeof SETTINGS)[N]['takes']> | null

/** All settings as responses show them. */
export type ShownSettings = { [N in SettingName]: ShownSetting<N> }
/** A change of settings: missing fields stay unchanged, null resets to the default. */
export type SettingsChange = { [N in SettingName]?: TakenSetting<N> }

/** The schema of settings in a response. */
export const settingsShown = <const N extends SettingName>(names: readonly N[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, SETTINGS[name].shows])) as {
      [Name in N]: (typeof SETTINGS)[Name]['shows']
    },
  )

/** The schema of settings in a request. */
export const settingsTaken = <const N extends SettingName>(names: readonly N[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, optional(SETTINGS[name].takes)])) as {
      [Name in N]: TOptional<TUnsafe<TakenSetting<Name>>>
    },
    // Null resets a setting, so an empty value must not be treated as absent.
    { 'x-not-lenient': true },
  )

/** The settings of the merchant's own API: all except the sandbox's. */
const MERCHANT_SETTINGS = SETTING_NAMES.filter((name) => name !== 'mail') as readonly Exclude<SettingName, 'mail'>[]

const MerchantSettings = settingsShown(MERCHANT_SETTINGS)

export const getMerchantSettings = route({
  method: 'GET',
  path: '/api/v1/merchant/settings',
  summary: 'Get your account’s settings',
  description: 'Contract terms are those of the first enabled contract.',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  reply: MerchantSettings,
})

export const changeMerchantSettings = route({
  method: 'PUT',
  path: '/api/v1/merchant/settings',
  summary: 'Update your account’s settings',
  description: `Fields that you leave out stay unchanged; null resets to the default. You may change ${MERCHANT_SETTINGS.filter(
    (name) => SETTINGS[name].changedBy === 'merchant',
  )
    .map((name) => `\`${name}\``)
    .join(
      ', ',
    )}; the operator changes the rest. You can switch authorization codes for transfers on, but not off. You get an email about each change.`,
  permission: 'settings',
  person: 'developer.manage',
  fresh: true,
  twoPeople: {
    action: 'Add to the IP whitelist',
    // Removing addresses needs no second person, so that a user can stop a leaked key at once.
    applies: ({ ipWhitelist: requested }, { ipWhitelist }) =>
      requested === null || (Array.isArray(requested) && requested.some((range) => !ipWhitelist.includes(range))),
    shows: ['ipWhitelist'],
  },
  body: settingsTaken(MERCHANT_SETTINGS),
  reply: MerchantSettings,
  refusals: [
    settingRefusals.notAllowed,
    settingRefusals.operatorOnly,
    settingRefusals.codesStayOn,
    settingRefusals.locksOut,
  ],
})

export const merchantSettings = group({
  title: 'Settings',
  text: 'Your account’s settings. A Kobo extension; Monnify’s API has no such paths.',
  routes: { getMerchantSettings, changeMerchantSettings },
  refusals: settingRefusals,
})
