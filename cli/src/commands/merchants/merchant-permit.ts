import { parseArgs } from 'node:util'
import { CONSENT_PERMISSIONS, PERMISSIONS, type SettingsChange } from '@kobo/contract'
import { proposeSettings } from '@kobo/gateway/features/operator/index.ts'
import { changeSettings } from '@kobo/gateway/features/settings/index.ts'
import type { Environment } from '@kobo/gateway/platform/config/config.ts'
import { type Command, print, UsageError, withMerchant } from '../../command.ts'
import { BY_BECAUSE, handledByTwoOperators, TWO_OPERATORS } from '../../operator.ts'

const CONSENT_BASIS_LENGTH_MAX = 500

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const

export const merchantPermit: Command = {
  usage:
    '--merchant CODE [--grant PERMISSION …] [--withdraw PERMISSION …] [--consent-basis TEXT] [--by EMAIL --because TEXT]',
  summary: 'Grants and withdraws a merchant’s permissions',
  details: `
Permissions: ${PERMISSIONS.join(', ')}.

--consent-basis is the merchant's statement of purpose and consent for permissions to look up people or charge their saved cards
(${CONSENT_PERMISSIONS.join(', ')}). It is required in live mode and stored in the audit log, together with each lookup.
${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: { merchant: text, grant: list, withdraw: list, 'consent-basis': text, ...BY_BECAUSE },
    })
    const { grant = [], withdraw = [] } = values
    const words = [...grant, ...withdraw]
    if (words.length === 0) throw new UsageError('--grant or --withdraw is required.')
    const unknown = words.find((word) => !(PERMISSIONS as readonly string[]).includes(word))
    if (unknown !== undefined)
      throw new UsageError(`Unknown permission ${unknown}. Use one of ${PERMISSIONS.join(', ')}.`)
    return withMerchant(context, values.merchant, async (gateway, merchant) => {
      const { core, config } = gateway
      const consentBasis = checkConsentBasis(values['consent-basis'], grant, config.environment)
      const change: SettingsChange = {
        permissions: Object.fromEntries([
          ...grant.map((word) => [word, true]),
          ...withdraw.map((word) => [word, false]),
        ]),
      }
      const propose = () => proposeSettings({ rules: config }, merchant, { change, consentBasis })
      if (await handledByTwoOperators(context, gateway, values, propose)) return
      const { permissions } = await changeSettings({ core, rules: config }, merchant, change, {
        actor: 'command line',
        act: 'merchant.permit',
        ...(consentBasis === undefined ? {} : { details: { consentBasis } }),
      })
      print(context, { merchant: merchant.code, permissions: PERMISSIONS.filter((one) => permissions[one]) })
    })
  },
}

/** Checks --consent-basis. Live mode requires it for permissions that need the consent of customers. */
export function checkConsentBasis(
  basis: string | undefined,
  grant: readonly string[],
  environment: Environment,
): string | undefined {
  const consented = grant.find((word) => (CONSENT_PERMISSIONS as readonly string[]).includes(word))
  if (consented !== undefined && environment === 'live' && basis === undefined)
    throw new UsageError(`--consent-basis is required for ${consented}. It is stored in the audit log.`)
  if (basis === undefined) return undefined
  if (consented === undefined)
    throw new UsageError(`--consent-basis can only be used with --grant ${CONSENT_PERMISSIONS.join(' or ')}.`)
  if (basis.trim() === '' || basis.length > CONSENT_BASIS_LENGTH_MAX)
    throw new UsageError(`--consent-basis must have 1 to ${CONSENT_BASIS_LENGTH_MAX} characters.`)
  return basis.trim()
}
