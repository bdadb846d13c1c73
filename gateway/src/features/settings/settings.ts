import {
  EVENT_KINDS,
  type EventKind,
  PAYMENT_METHODS,
  PERMISSIONS,
  type SettingName,
  type ShownSetting,
  type TakenSetting,
} from '@kobo/contract'
import { findOfferedBank } from '../../core/bank-list/index.ts'
import {
  ANY_ORIGIN,
  type ContractChange,
  type ContractRow,
  type Logo,
  logoPath,
  type MerchantChange,
  type MerchantRow,
  readLogo,
} from '../../core/merchants/index.ts'
import { reserveTermsOf } from '../../core/money/reserve/index.ts'
import { CONTRACT_TERMS, originsAtStart, permissionsAtStart, whitelistAtStart } from '../../core/onboarding.ts'
import { naira, toNaira } from '../../kernel/money.ts'
import { basisPointsOf, percentText } from '../../kernel/percentage.ts'
import type { Config, Environment } from '../../platform/config/config.ts'
import { whyNotWebhookUrl } from '../../platform/config/live-checks.ts'
import { isWideRange } from '../../platform/http/ip-addresses.ts'
import { portOf } from '../../platform/http/post-json.ts'
import { settingErrors } from './errors.ts'

/** The webhook endpoint of a kind of event. */
export type Endpoint = EventKind | 'default'

/** A merchant's stored settings, with the terms of one contract. */
export interface State {
  readonly merchant: MerchantRow
  readonly contract: ContractRow
  readonly urls: ReadonlyMap<Endpoint, string>
}

/** The writes that change settings. */
export interface Writes {
  readonly merchant?: MerchantChange
  readonly contract?: ContractChange
  readonly urls?: Readonly<Partial<Record<Endpoint, string | null>>>
  readonly logo?: Logo
}

/** The configuration that limits merchants' settings. */
export type Rules = Pick<Config, 'environment' | 'allowed' | 'receiverPorts'>

/** How a setting is read and written. */
interface SettingRule<N extends SettingName> {
  readonly read: (state: State) => ShownSetting<N>
  /** The writes for a value; null restores a new merchant's default. */
  readonly write: (value: TakenSetting<N>, state: State, environment: Environment) => Writes
  /** Rejects a well-formed value that is not allowed here. */
  readonly check?: (value: NonNullable<TakenSetting<N>>, rules: Rules) => void
}

/** Returns the rule of a term whose stored value is also the value shown. */
const term = <N extends SettingName & keyof ContractChange>(
  name: N,
): SettingRule<N> & { readonly read: (state: State) => ShownSetting<N> } => ({
  read: ({ contract }) => contract[name] as ShownSetting<N>,
  write: (value) => ({ contract: { [name]: value ?? CONTRACT_TERMS[name] } }),
})

/** How each setting is read and written. The folder contract/ defines its values and meaning. */
export const SETTING_RULES: { readonly [N in SettingName]: SettingRule<N> } = {
  webhookUrl: {
    read: ({ urls }) => urls.get('default') ?? null,
    write: (url) => ({ urls: { default: url } }),
    check: (url, rules) => checkWebhookUrl('webhookUrl', url, rules),
  },
  webhookUrls: {
    read: ({ urls }) => recordOf(EVENT_KINDS, (kind) => urls.get(kind) ?? null),
    write: (requested) => ({
      urls: Object.fromEntries(
        EVENT_KINDS.map((kind) => [kind, requested === null ? null : requested[kind]]).filter(
          ([, url]) => url !== undefined,
        ),
      ),
    }),
    check: (requested, rules) => {
      for (const kind of EVENT_KINDS) {
        const url = requested[kind]
        if (typeof url === 'string') checkWebhookUrl(`webhookUrls.${kind}`, url, rules)
      }
    },
  },
  otpEnabled: {
    read: ({ merchant }) => merchant.otpEnabled,
    write: (value) => ({ merchant: { otpEnabled: value ?? true } }),
  },
  ipWhitelist: {
    read: ({ merchant }) => [...merchant.ipWhitelist],
    write: (value, _, environment) => ({ merchant: { ipWhitelist: value ?? whitelistAtStart(environment) } }),
    check: (ranges, { environment }) => {
      const wide = environment === 'live' ? ranges.find(isWideRange) : undefined
      if (wide !== undefined)
        throw settingErrors.notAllowed(
          'ipWhitelist',
          `includes ${wide}, which is too wide: in live mode, use /8 or narrower (/32 for IPv6)`,
        )
    },
  },
  feeBearer: term('feeBearer'),
  underpayment: term('underpayment'),
  settlement: term('settlement'),
  settlementTime: term('settlementTime'),
  settlementDestination: term('settlementDestination'),
  settlementAccount: {
    read: ({ contract }) => showAccount(contract),
    write: (value, { merchant }) => ({
      contract: {
        settlementBankCode: value?.bankCode ?? null,
        settlementAccountNumber: value?.accountNumber ?? null,
        settlementAccountName: value === null ? null : (value.accountName ?? merchant.name),
      },
    }),
    check: ({ bankCode }) => {
      if (findOfferedBank(bankCode, 'transfers') === undefined) throw settingErrors.unknownBank(bankCode)
    },
  },
  lowBalanceThreshold: {
    read: ({ merchant: { lowBalanceThreshold } }) =>
      lowBalanceThreshold === null ? null : toNaira(lowBalanceThreshold),
    write: (value) => ({ merchant: { lowBalanceThreshold: value === null ? null : naira(value) } }),
  },
  mail: {
    read: ({ merchant }) => merchant.mail,
    write: (value) => ({ merchant: { mail: value ?? 'OK' } }),
    check: (value, { environment }) => {
      if (value === 'FAIL' && environment === 'live')
        throw settingErrors.notAllowed('mail', 'can be FAIL only in the sandbox')
    },
  },
  permissions: {
    read: ({ merchant }) => recordOf(PERMISSIONS, (permission) => merchant.permissions.includes(permission)),
    write: (requested, { merchant }, environment) => ({
      merchant: {
        permissions: PERMISSIONS.filter((permission) => {
          const isRequested = requested === null ? null : requested[permission]
          if (isRequested === undefined) return merchant.permissions.includes(permission)
          return isRequested ?? permissionsAtStart(environment).includes(permission)
        }),
      },
    }),
  },
  inlineOrigins: {
    read: ({ merchant }) => [...merchant.inlineOrigins],
    write: (value, _, environment) => ({ merchant: { inlineOrigins: value ?? originsAtStart(environment) } }),
    check: (origins, { environment }) => {
      const open = environment === 'live' ? origins.find((origin) => !/^(https:\/\/|app:)/.test(origin)) : undefined
      if (open !== undefined)
        throw settingErrors.notAllowed(
          'inlineOrigins',
          `includes ${open}: in live mode, ${open === ANY_ORIGIN ? 'list your own origins instead' : 'origins must be https'}`,
        )
    },
  },
  compat: {
    read: ({ merchant }) => [...merchant.compat],
    write: (value) => ({ merchant: { compat: value ?? [] } }),
  },
  brandColour: {
    read: ({ merchant }) => merchant.brandColour,
    write: (value) => ({ merchant: { brandColour: value } }),
    check: (value) => {
      if (contrastWithWhite(value) < CONTRAST_MIN)
        throw settingErrors.notAllowed(
          'brandColour',
          'is too light: choose a darker colour, so that white text is readable on it',
        )
    },
  },
  supportContact: {
    read: ({ merchant }) => merchant.supportContact,
    write: (value) => ({ merchant: { supportContact: value } }),
  },
  logo: {
    read: ({ merchant }) => logoPath(merchant),
    write: (value) => {
      const logo = value === null ? undefined : readLogo(value)
      return logo === undefined ? { merchant: { logoHash: null } } : { merchant: { logoHash: logo.hash }, logo }
    },
    check: (value) => {
      if (readLogo(value) === undefined) throw settingErrors.notAllowed('logo', 'is not a valid picture of its type')
    },
  },
  paymentMethods: {
    read: ({ contract }) => [...contract.paymentMethods],
    write: (value) => ({ contract: { paymentMethods: value ?? PAYMENT_METHODS } }),
  },
  accountDurationSeconds: term('accountDurationSeconds'),
  reserve: {
    read: ({ merchant }) => {
      const terms = reserveTermsOf(merchant)
      return terms === undefined ? null : { percent: percentText(terms.basisPoints), days: terms.days }
    },
    write: (value) => ({
      merchant: {
        reserveBasisPoints: value === null ? null : basisPointsOf(value.percent),
        reserveDays: value?.days ?? null,
      },
    }),
    check: ({ percent }) => {
      if (basisPointsOf(percent) === 0)
        throw settingErrors.notAllowed('reserve', 'must be more than zero: use null for no reserve')
    },
  },
}

/** The minimum contrast that WCAG requires for normal text. */
const CONTRAST_MIN = 4.5

/** Calculates the contrast of white text on a colour, from 1 to 21, as WCAG defines it. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** Rejects a URL to which this gateway cannot send events. */
export function checkWebhookUrl(setting: string, url: string, rules: Rules): void {
  const reason = whyNotWebhookUrl(rules, url)
  if (reason !== undefined) throw settingErrors.notAllowed(setting, reason)
  const port = portOf(new URL(url))
  if (rules.receiverPorts?.includes(port) === false)
    throw settingErrors.notAllowed(
      setting,
      `uses port ${port}, which is not allowed: KOBO_RECEIVER_PORTS lists the allowed ports`,
    )
}

/** The sandbox's default bank account for settlements, if the merchant has set none. */
const SANDBOX_ACCOUNT = { settlementBankCode: '058', settlementAccountNumber: '0102030401' } as const

/** If settlements to a bank have no account, adds the sandbox's default; in live mode, rejects the change. */
export function completed(
  { merchant, contract }: State,
  change: ContractChange,
  environment: Environment,
): ContractChange {
  const { settlementDestination, settlementAccountNumber } = { ...contract, ...change }
  if (settlementDestination !== 'BANK' || settlementAccountNumber !== null) return change
  if (environment === 'live')
    throw settingErrors.notAllowed('settlementDestination', 'BANK requires a settlementAccount')
  return { ...change, ...SANDBOX_ACCOUNT, settlementAccountName: merchant.name }
}

function showAccount(contract: ContractRow): ShownSetting<'settlementAccount'> {
  const { settlementBankCode, settlementAccountNumber, settlementAccountName } = contract
  if (settlementBankCode === null || settlementAccountNumber === null) return null
  return {
    bankCode: settlementBankCode,
    accountNumber: settlementAccountNumber,
    accountName: settlementAccountName ?? '',
  }
}

const recordOf = <W extends string, V>(words: readonly W[], value: (word: W) => V): Record<W, V> =>
  Object.fromEntries(words.map((word) => [word, value(word)])) as Record<W, V>
