import {
  EVENT_KINDS,
  type EventKind,
  PAYMENT_METHODS,
  PERMISSIONS,
  type SettingName,
  type ShownSetting,
  type TakenSetting,
} from '@kobo/contract'
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
import { findOfferedBank } from '../../core/money/bank-list/index.ts'
import { reserveTermsOf } from '../../core/money/reserve/index.ts'
import { CONTRACT_TERMS, originsAtStart, permissionsAtStart, whitelistAtStart } from '../../core/onboarding.ts'
import { naira, toNaira } from '../../kernel/money.ts'
import { basisPointsOf, percentText } from '../../kernel/percentage.ts'
import { isWideRange } from '../../platform/addresses.ts'
import { refuseReceiver } from '../../platform/careless.ts'
import type { Config, Environment } from '../../platform/config.ts'
import { portOf } from '../../platform/post.ts'
import { settingErrors } from './errors.ts'

/** Which endpoint for events. */
export type Endpoint = EventKind | 'default'

/** A merchant as its settings stand; where they are terms, in one of its contracts. */
export interface State {
  readonly merchant: MerchantRow
  readonly contract: ContractRow
  readonly urls: ReadonlyMap<Endpoint, string>
}

/** What is written where settings are to change. */
export interface Writes {
  readonly merchant?: MerchantChange
  readonly contract?: ContractChange
  readonly urls?: Readonly<Partial<Record<Endpoint, string | null>>>
  readonly logo?: Logo
}

/** What of the program's own settings decides on those of merchants. */
export type Rules = Pick<Config, 'environment' | 'allowed' | 'receiverPorts'>

/** How a setting is read and written. */
interface Kept<N extends SettingName> {
  readonly read: (state: State) => ShownSetting<N>
  /** What is to be written; null goes back to what a new merchant has. */
  readonly write: (value: TakenSetting<N>, state: State, environment: Environment) => Writes
  /** Refuses what is well formed, but not allowed here. */
  readonly check?: (value: NonNullable<TakenSetting<N>>, rules: Rules) => void
}

/** A term that stands in contracts as it is told. */
const term = <N extends SettingName & keyof ContractChange>(
  name: N,
): Kept<N> & { readonly read: (state: State) => ShownSetting<N> } => ({
  read: ({ contract }) => contract[name] as ShownSetting<N>,
  write: (value) => ({ contract: { [name]: value ?? CONTRACT_TERMS[name] } }),
})

/** Every setting: how it is read and written. What each takes, shows and means stands in the contract. */
export const KEPT: { readonly [N in SettingName]: Kept<N> } = {
  webhookUrl: {
    read: ({ urls }) => urls.get('default') ?? null,
    write: (url) => ({ urls: { default: url } }),
    check: (url, rules) => checkReceiver('webhookUrl', url, rules),
  },
  webhookUrls: {
    read: ({ urls }) => perWord(EVENT_KINDS, (kind) => urls.get(kind) ?? null),
    write: (wanted) => ({
      urls: Object.fromEntries(
        EVENT_KINDS.map((kind) => [kind, wanted === null ? null : wanted[kind]]).filter(([, url]) => url !== undefined),
      ),
    }),
    check: (wanted, rules) => {
      for (const kind of EVENT_KINDS) {
        const url = wanted[kind]
        if (typeof url === 'string') checkReceiver(`webhookUrls.${kind}`, url, rules)
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
          `holds ${wide}, which is too wide: in live a range has at least /8, or /32 of IPv6`,
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
      if (value === 'FAIL' && environment === 'live') throw settingErrors.notAllowed('mail', 'can fail in sandbox only')
    },
  },
  permissions: {
    read: ({ merchant }) => perWord(PERMISSIONS, (permission) => merchant.permissions.includes(permission)),
    write: (wanted, { merchant }, environment) => ({
      merchant: {
        permissions: PERMISSIONS.filter((permission) => {
          const isWanted = wanted === null ? null : wanted[permission]
          if (isWanted === undefined) return merchant.permissions.includes(permission)
          return isWanted ?? permissionsAtStart(environment).includes(permission)
        }),
      },
    }),
  },
  inlineOrigins: {
    read: ({ merchant }) => [...merchant.inlineOrigins],
    write: (value, _, environment) => ({ merchant: { inlineOrigins: value ?? originsAtStart(environment) } }),
    check: (origins, { environment }) => {
      const open = environment === 'live' ? origins.find((origin) => !origin.startsWith('https://')) : undefined
      if (open !== undefined)
        throw settingErrors.notAllowed(
          'inlineOrigins',
          `holds ${open}, which in live ${open === ANY_ORIGIN ? 'lets in everybody' : 'must be https'}`,
        )
    },
  },
  brandColour: {
    read: ({ merchant }) => merchant.brandColour,
    write: (value) => ({ merchant: { brandColour: value } }),
    check: (value) => {
      if (contrastWithWhite(value) < CONTRAST_MIN)
        throw settingErrors.notAllowed('brandColour', 'is too light: white letters could not be read on it')
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
      if (readLogo(value) === undefined) throw settingErrors.notAllowed('logo', 'is not the picture that it says it is')
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
        throw settingErrors.notAllowed('reserve', 'keeps nothing back: null is for that')
    },
  },
}

/** What can be read by most, of text as large as that of the pages. */
const CONTRAST_MIN = 4.5

/** How well white letters can be read on a colour, from 1 to 21, as the guidelines for accessibility count it. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** An address that events can be sent to, as the gateway is set. */
function checkReceiver(setting: string, url: string, rules: Rules): void {
  const reason = refuseReceiver(rules, url)
  if (reason !== undefined) throw settingErrors.notAllowed(setting, reason)
  const port = portOf(new URL(url))
  if (rules.receiverPorts?.includes(port) === false)
    throw settingErrors.notAllowed(
      setting,
      `names port ${port}, and events are not sent to port ${port}: KOBO_RECEIVER_PORTS names those to which they are`,
    )
}

/** Where settlements go whose merchant says BANK and names no account: it exists nowhere but in the sandbox. */
const MADE_UP_ACCOUNT = { settlementBankCode: '058', settlementAccountNumber: '0102030401' } as const

/** What else a contract needs with a change: where settlements go to a bank there must be an account. */
export function completed(
  { merchant, contract }: State,
  change: ContractChange,
  environment: Environment,
): ContractChange {
  const { settlementDestination, settlementAccountNumber } = { ...contract, ...change }
  if (settlementDestination !== 'BANK' || settlementAccountNumber !== null) return change
  if (environment === 'live')
    throw settingErrors.notAllowed('settlementDestination', 'is BANK: name a settlementAccount')
  return { ...change, ...MADE_UP_ACCOUNT, settlementAccountName: merchant.name }
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

const perWord = <W extends string, V>(words: readonly W[], value: (word: W) => V): Record<W, V> =>
  Object.fromEntries(words.map((word) => [word, value(word)])) as Record<W, V>
