import { parseArgs } from 'node:util'
import {
  CLIENT_PROFILES,
  COMPAT_NAMES,
  COMPAT_SETTINGS,
  type CompatSetting,
  compatSettingsOf,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingsChange,
} from '@kobo/contract'
import { needsTwoOperators, proposeSettings } from '@kobo/gateway/features/operator/index.ts'
import { changeSettings, checkSettings } from '@kobo/gateway/features/settings/index.ts'
import { type Command, print, UsageError, withMerchant } from '../../command.ts'
import { actorIn, BY_BECAUSE, handledByTwoOperators, TWO_OPERATORS } from '../../operator.ts'
import { checkConsentBasis } from './merchant-permit.ts'

const width = Math.max(...SETTING_NAMES.map((name) => name.length))
const compatWidth = Math.max(...Object.keys({ ...COMPAT_SETTINGS, ...CLIENT_PROFILES }).map((name) => name.length))

/** Lists the values of a setting that accepts only certain words. */
function valuesOf(name: SettingName): string {
  const { takes } = SETTINGS[name]
  return 'enum' in takes ? ` (${(takes.enum as readonly string[]).join(' or ')})` : ''
}

/** Lists the clients and settings that --compat accepts. */
const compatLines = (): string =>
  [
    ...COMPAT_NAMES.map((name) => [name, COMPAT_SETTINGS[name].replaceAll('`', '')] as const),
    ...Object.entries(CLIENT_PROFILES).map(([name, { client, needs }]) => [
      name,
      `${client}: ${needs.join(', ') || 'needs none'}`,
    ]),
  ]
    .map(([name = '', about]) => `  ${name.padEnd(compatWidth)}  ${about}`)
    .join('\n')

export const merchantSet: Command = {
  usage: 'CODE NAME=VALUE … [--compat NAME,…] [--contract CODE] [--consent-basis TEXT] [--by EMAIL --because TEXT]',
  summary: 'Changes a merchant’s settings: terms, webhook URLs, authorization codes, permissions and others',
  details: `
${SETTING_NAMES.map((name) => `  ${name.padEnd(width)}  ${SETTINGS[name].about}${valuesOf(name)}`).join('\n')}

Separate list items with commas and name a part with a dot. An empty value restores the default:

  ./kobo merchant set CODE otpEnabled=off feeBearer=CUSTOMER paymentMethods=CARD,ACCOUNT_TRANSFER
  ./kobo merchant set CODE permissions.transfers=on webhookUrls.refund=https://shop.example/refunds lowBalanceThreshold=

--compat relaxes rules for an older client. Name the client, or single settings; "none" switches them all off:

  ./kobo merchant set CODE --compat woocommerce

${compatLines()}

Terms change in all contracts, or only in --contract, and for new transactions only. The audit log records the old and new values.
${TWO_OPERATORS}Settings that the merchant can change itself need one operator, except for its IP whitelist and for switching authorization codes off.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { contract: text, compat: text, 'consent-basis': text, ...BY_BECAUSE },
    })
    const [code, ...assignments] = positionals
    if (code === undefined || code.includes('='))
      throw new UsageError('Specify the merchant code first. Run "./kobo merchant list" to see the codes.')
    if (assignments.length === 0 && values.compat === undefined)
      throw new UsageError('Specify at least one change as NAME=VALUE, or --compat.')
    const compat = values.compat === undefined ? {} : { compat: readCompat(values.compat) }
    const change = { ...readAssignments(assignments), ...compat }
    return withMerchant(context, code, async (gateway, merchant) => {
      const { core, config } = gateway
      checkSettings(change, config)
      const granted = Object.entries(change.permissions ?? {}).flatMap(([word, isOn]) => (isOn === true ? word : []))
      const consentBasis = checkConsentBasis(values['consent-basis'], granted, config.environment)
      const { contract } = values
      if (contract !== undefined && !merchant.contracts.has(contract))
        throw new UsageError(`${merchant.code} has no contract ${contract}.`)
      const propose = () =>
        proposeSettings({ rules: config }, merchant, { change, contractCode: contract, consentBasis })
      if (needsTwoOperators(change) && (await handledByTwoOperators(context, gateway, values, propose))) return
      const details = consentBasis === undefined ? {} : { details: { consentBasis } }
      const by = { ...(await actorIn(context, gateway, values.by)), ...details }
      const settings = await changeSettings({ core, rules: config }, merchant, change, by, contract)
      const names = SETTING_NAMES.filter((name) => change[name] !== undefined)
      print(context, { merchant: merchant.code, ...Object.fromEntries(names.map((name) => [name, settings[name]])) })
    })
  },
}

/** Returns the settings that --compat names, and those that the named clients need. */
function readCompat(text: string): CompatSetting[] {
  if (text === 'none') return []
  const all = text.split(',').flatMap((word) => {
    const settings = compatSettingsOf(word.trim())
    if (settings === undefined)
      throw new UsageError(
        `Unknown client or setting "${word}". Use none, ${[...COMPAT_NAMES, ...Object.keys(CLIENT_PROFILES)].join(', ')}.`,
      )
    return settings
  })
  return [...new Set(all)]
}

const SWITCH: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  false: false,
}

/** Parses `NAME=VALUE` and `NAME.PART=VALUE` by the type of each setting. */
function readAssignments(assignments: readonly string[]): SettingsChange {
  const change: Record<string, unknown> = {}
  for (const assignment of assignments) {
    const [, place = '', value] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
    if (value === undefined) throw new UsageError(`${assignment} must have the form NAME=VALUE.`)
    const [name = '', part, ...rest] = place.split('.')
    if (!Object.hasOwn(SETTINGS, name)) throw new UsageError(`Unknown setting ${name}.`)
    const schema = SETTINGS[name as SettingName].takes as Schema
    const { properties } = schema
    if (part === undefined) change[name] = readValue(schema, value)
    else if (rest.length > 0 || properties === undefined || !Object.hasOwn(properties, part))
      throw new UsageError(`Unknown setting ${place}.`)
    else change[name] = { ...(change[name] as object | undefined), [part]: readValue(properties[part], value) }
  }
  return change
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/**
 * Converts a text to the type of its setting. A text that cannot be converted stays a text, and the later check rejects
 * it.
 */
function readValue(schema: Schema | undefined, text: string): unknown {
  if (text === '') return null
  const types = [schema?.type ?? []].flat()
  if (types.includes('array')) return text.split(',').map((item) => item.trim())
  if (types.includes('boolean')) return SWITCH[text] ?? text
  if (types.includes('integer') && /^\d{1,9}$/.test(text)) return Number(text)
  return text
}
