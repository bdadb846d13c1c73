import { parseArgs } from 'node:util'
import { INLINE_ORIGINS_MAX } from '@kobo/contract'
import { ANY_ORIGIN, updateMerchant } from '@kobo/gateway/core/merchants/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { unlockCodes } from '@kobo/gateway/features/disbursements/index.ts'
import type { Environment } from '@kobo/gateway/platform/config.ts'
import { type Command, print, UsageError } from '../command.ts'
import { act, withMerchant } from './merchant.ts'

export const merchantOrigins: Command = {
  usage: '--merchant CODE (--origin ORIGIN … | --clear)',
  summary: 'Sets the sites whose pages may open payments with the inline script',
  details:
    '\nAn origin is as https://shop.example; in live it must be https. In sandbox --origin "*" lets pages of all sites in.\n',
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: {
        merchant: { type: 'string' },
        origin: { type: 'string', multiple: true },
        clear: { type: 'boolean' },
      },
    })
    const { origin: wanted = [], clear = false } = values
    if (wanted.length > 0 === clear) throw new UsageError('Either --origin or --clear is required.')
    return withMerchant(around, values.merchant, async ({ core, config }, merchant) => {
      const inlineOrigins = checkOrigins(wanted, config.environment)
      await core.directory.change(merchant.id, (unit) => {
        updateMerchant(unit.tx, merchant.id, { inlineOrigins })
        audit(unit, act(merchant, 'origins', { inlineOrigins }))
      })
      print(around, { merchant: merchant.code, inlineOrigins })
    })
  },
}

export const merchantUnlockCodes: Command = {
  usage: '--merchant CODE',
  summary: 'Lets codes authorise transfers again after too many wrong ones',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' } } })
    return withMerchant(around, values.merchant, async ({ core }, merchant) => {
      const wasLocked = await unitOfWork(core, (unit) => unlockCodes(unit, merchant.id, 'command line'))
      print(around, { merchant: merchant.code, wasLocked })
    })
  },
}

const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/

function checkOrigins(origins: readonly string[], environment: Environment): readonly string[] {
  if (origins.length > INLINE_ORIGINS_MAX) throw new UsageError(`At most ${INLINE_ORIGINS_MAX} origins.`)
  const isRight = (origin: string): boolean =>
    environment === 'live'
      ? ORIGIN.test(origin) && origin.startsWith('https:')
      : origin === ANY_ORIGIN || ORIGIN.test(origin)
  const wrong = origins.find((origin) => !isRight(origin))
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is not an origin as https://shop.example${environment === 'live' ? '' : ', or *'}.`)
  return origins
}
