import { parseArgs } from 'node:util'
import { CONSENT_PERMISSIONS, EVENT_KINDS, PERMISSIONS, type SettingsChange } from '@kobo/contract'
import { INSTANT } from '@kobo/gateway/core/money/settlement-cycle/index.ts'
import { changeSettings, checkSettings } from '@kobo/gateway/features/settings/index.ts'
import type { Environment } from '@kobo/gateway/platform/config.ts'
import { type Command, print, required, type Surroundings, UsageError, withMerchant } from '../command.ts'

const CONSENT_BASIS_LENGTH_MAX = 500

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const

export const merchantPermit: Command = {
  usage: '--merchant CODE [--grant PERMISSION …] [--withdraw PERMISSION …] [--consent-basis TEXT]',
  summary: 'Grants and withdraws permissions',
  details: `
Permissions: ${PERMISSIONS.join(', ')}.

--consent-basis is what the merchant asserts when it may look people up or charge their cards again (${CONSENT_PERMISSIONS.join(', ')}): for
what, and by whose consent. It is required in live, and kept in the audit, where each look-up follows.
`,
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: { merchant: text, grant: list, withdraw: list, 'consent-basis': text },
    })
    const { grant = [], withdraw = [] } = values
    const words = [...grant, ...withdraw]
    if (words.length === 0) throw new UsageError('--grant or --withdraw is required.')
    const unknown = words.find((word) => !(PERMISSIONS as readonly string[]).includes(word))
    if (unknown !== undefined) throw new UsageError(`There is no permission ${unknown}.`)
    return withMerchant(around, values.merchant, async ({ core, config }, merchant) => {
      const consentBasis = checkConsentBasis(values['consent-basis'], grant, config.environment)
      const change: SettingsChange = {
        permissions: Object.fromEntries([
          ...grant.map((word) => [word, true]),
          ...withdraw.map((word) => [word, false]),
        ]),
      }
      const { permissions } = await changeSettings({ core, rules: config }, merchant, change, {
        actor: 'command line',
        act: 'merchant.permit',
        ...(consentBasis === undefined ? {} : { details: { consentBasis } }),
      })
      print(around, { merchant: merchant.code, permissions: PERMISSIONS.filter((one) => permissions[one]) })
    })
  },
}

export const merchantWhitelist: Command = {
  usage: '--merchant CODE --ip RANGE [--ip RANGE …]',
  summary: 'Sets the addresses and CIDR ranges from which a merchant may call',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: text, ip: list } })
    const ipWhitelist = values.ip ?? []
    if (ipWhitelist.length === 0) throw new UsageError('--ip is required.')
    return change(around, values.merchant, 'whitelist', { ipWhitelist }, { ipWhitelist })
  },
}

export const merchantOrigins: Command = {
  usage: '--merchant CODE (--origin ORIGIN … | --clear)',
  summary: 'Sets the sites whose pages may open payments with the inline script',
  details:
    '\nAn origin is as https://shop.example; in live it must be https. In sandbox --origin "*" lets pages of all sites in.\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: text, origin: list, clear: { type: 'boolean' } } })
    const { origin: inlineOrigins = [], clear = false } = values
    if (inlineOrigins.length > 0 === clear) throw new UsageError('Either --origin or --clear is required.')
    return change(around, values.merchant, 'origins', { inlineOrigins }, { inlineOrigins })
  },
}

export const merchantWebhook: Command = {
  usage: '--merchant CODE [--kind KIND] (--url URL | --clear)',
  summary: "Sets where a merchant's events go, and lifts a pause",
  details: `\nKinds: ${EVENT_KINDS.join(', ')}; without one, the address for all that have none of their own.\n`,
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: { merchant: text, kind: text, url: text, clear: { type: 'boolean' } },
    })
    const kind = [...EVENT_KINDS, 'default' as const].find((known) => known === (values.kind ?? 'default'))
    if (kind === undefined) throw new UsageError(`There is no kind ${values.kind}.`)
    const url = values.clear === true ? null : values.url
    if (url === undefined || (values.clear === true && values.url !== undefined))
      throw new UsageError('Either --url or --clear is required.')
    const wanted = kind === 'default' ? { webhookUrl: url } : { webhookUrls: { [kind]: url } }
    return change(around, values.merchant, 'webhook', wanted, { kind, url }, kind)
  },
}

export const merchantSettle: Command = {
  usage: '--merchant CODE [--cycle INSTANT|HH:MM] [--to WALLET | --bank CODE --account NUMBER --account-name NAME]',
  summary: 'Sets when and where to what a merchant collects is settled',
  details:
    '\nA time of the day is in Lagos. Transactions that exist keep their time; where to counts when they are settled.\n',
  run: async (args, around) => {
    const options = { merchant: text, cycle: text, to: text, bank: text, account: text, 'account-name': text }
    const { values } = parseArgs({ args, options })
    const wanted: SettingsChange = { ...cycleIn(values.cycle), ...destinationIn(values) }
    if (Object.keys(wanted).length === 0) throw new UsageError('--cycle, --to or --bank is required.')
    return change(around, values.merchant, 'settle', wanted, wanted)
  },
}

/** Changes settings of the merchant that a call names, and prints what was wanted. */
function change(
  around: Surroundings,
  code: string | undefined,
  word: string,
  wanted: SettingsChange,
  printed: object,
  reference?: string,
): Promise<number> {
  return withMerchant(around, code, async ({ core, config }, merchant) => {
    checkSettings(wanted, config)
    const by = { actor: 'command line', act: `merchant.${word}`, reference } as const
    await changeSettings({ core, rules: config }, merchant, wanted, by)
    print(around, { merchant: merchant.code, ...printed })
  })
}

const cycleIn = (cycle: string | undefined): SettingsChange => {
  if (cycle === undefined) return {}
  return cycle === INSTANT ? { settlement: INSTANT } : { settlement: 'DAILY', settlementTime: cycle }
}

function destinationIn(values: {
  readonly to?: string
  readonly bank?: string
  readonly account?: string
  readonly 'account-name'?: string
}): SettingsChange {
  const { to, bank, account, 'account-name': accountName } = values
  const isToBank = bank !== undefined || account !== undefined || accountName !== undefined
  if (to === undefined && !isToBank) return {}
  if (to !== undefined && (to !== 'WALLET' || isToBank))
    throw new UsageError('Either --to WALLET, or --bank, --account and --account-name.')
  if (to === 'WALLET') return { settlementDestination: 'WALLET' }
  return {
    settlementDestination: 'BANK',
    settlementAccount: {
      bankCode: required(bank, '--bank'),
      accountNumber: required(account, '--account'),
      accountName: required(accountName, '--account-name'),
    },
  }
}

/** What a merchant asserts where it is granted what needs people's consent: required in live. */
export function checkConsentBasis(
  basis: string | undefined,
  grant: readonly string[],
  environment: Environment,
): string | undefined {
  const consented = grant.find((word) => (CONSENT_PERMISSIONS as readonly string[]).includes(word))
  if (consented !== undefined && environment === 'live' && basis === undefined)
    throw new UsageError(`--consent-basis is required for ${consented}: what the merchant asserts is kept.`)
  if (basis === undefined) return undefined
  if (consented === undefined)
    throw new UsageError(`--consent-basis goes with --grant ${CONSENT_PERMISSIONS.join(' or ')}.`)
  if (basis.trim() === '' || basis.length > CONSENT_BASIS_LENGTH_MAX)
    throw new UsageError(`--consent-basis must have 1 to ${CONSENT_BASIS_LENGTH_MAX} characters.`)
  return basis.trim()
}
