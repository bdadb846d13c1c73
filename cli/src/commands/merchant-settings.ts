import { parseArgs } from 'node:util'
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingsChange } from '@kobo/contract'
import { changeSettings, checkSettings } from '@kobo/gateway/features/settings/index.ts'
import { type Command, print, UsageError, withMerchant } from '../command.ts'
import { checkConsentBasis } from './merchant-terms.ts'

const width = Math.max(...SETTING_NAMES.map((name) => name.length))

export const merchantSet: Command = {
  usage: 'CODE NAME=VALUE … [--contract CODE] [--consent-basis TEXT]',
  summary: 'Changes settings of a merchant: terms, receivers, codes, permissions, and all else',
  details: `
${SETTING_NAMES.map((name) => `  ${name.padEnd(width)}  ${SETTINGS[name].about}`).join('\n')}

A list is separated by commas, a part is named by a dot, and an empty value goes back to the default:

  kobo merchant set CODE otpEnabled=off feeBearer=CUSTOMER paymentMethods=CARD,ACCOUNT_TRANSFER
  kobo merchant set CODE permissions.transfers=on webhookUrls.refund=https://shop.example/refunds lowBalanceThreshold=

Terms change in all contracts of the merchant, or in that of --contract, and for new transactions only. What was before and
is now stands in the audit.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { contract: text, 'consent-basis': text },
    })
    const [code, ...assignments] = positionals
    if (code === undefined || code.includes('='))
      throw new UsageError('Name the merchant first: merchant list shows the codes.')
    if (assignments.length === 0) throw new UsageError('Name what to change: NAME=VALUE.')
    const change = readAssignments(assignments)
    return withMerchant(around, code, async ({ core, config }, merchant) => {
      checkSettings(change, config)
      const granted = Object.entries(change.permissions ?? {}).flatMap(([word, isOn]) => (isOn === true ? word : []))
      const consentBasis = checkConsentBasis(values['consent-basis'], granted, config.environment)
      const { contract } = values
      if (contract !== undefined && !merchant.contracts.has(contract))
        throw new UsageError(`${merchant.code} has no contract ${contract}.`)
      const details = consentBasis === undefined ? {} : { details: { consentBasis } }
      const by = { actor: 'command line', ...details } as const
      const settings = await changeSettings({ core, rules: config }, merchant, change, by, contract)
      const names = SETTING_NAMES.filter((name) => change[name] !== undefined)
      print(around, { merchant: merchant.code, ...Object.fromEntries(names.map((name) => [name, settings[name]])) })
    })
  },
}

const SWITCH: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  false: false,
}

/** Reads `NAME=VALUE`, each as the setting is: a word, a list, a switch, or a part of several. */
function readAssignments(assignments: readonly string[]): SettingsChange {
  const change: Record<string, unknown> = {}
  for (const assignment of assignments) {
    const [, place = '', value] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
    if (value === undefined) throw new UsageError(`${assignment} is not NAME=VALUE.`)
    const [name = '', part, ...rest] = place.split('.')
    if (!Object.hasOwn(SETTINGS, name)) throw new UsageError(`There is no setting ${name}.`)
    const schema = SETTINGS[name as SettingName].takes as Schema
    const { properties } = schema
    if (part === undefined) change[name] = readValue(schema, value)
    else if (rest.length > 0 || properties === undefined || !Object.hasOwn(properties, part))
      throw new UsageError(`There is no setting ${place}.`)
    else change[name] = { ...(change[name] as object | undefined), [part]: readValue(properties[part], value) }
  }
  return change
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A text as a value of a schema; what cannot be one stays as it is, and is refused by the check. */
function readValue(schema: Schema | undefined, text: string): unknown {
  if (text === '') return null
  const types = [schema?.type ?? []].flat()
  if (types.includes('array')) return text.split(',').map((item) => item.trim())
  if (types.includes('boolean')) return SWITCH[text] ?? text
  if (types.includes('integer') && /^\d{1,9}$/.test(text)) return Number(text)
  return text
}
