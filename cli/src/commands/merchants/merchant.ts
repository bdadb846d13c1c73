import { parseArgs } from 'node:util'
import { listMerchants, rotateSecret } from '@kobo/gateway/core/merchants/index.ts'
import { createMerchant, permissionsAtStart, whitelistAtStart } from '@kobo/gateway/core/onboarding.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { unlockCodes } from '@kobo/gateway/features/disbursements/index.ts'
import { revokeRestricted } from '@kobo/gateway/features/keys/index.ts'
import { readCredentials } from '@kobo/gateway/features/sandbox/index.ts'
import { checkSettings } from '@kobo/gateway/features/settings/index.ts'
import { secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Command, print, required, UsageError, withCore, withMerchant } from '../../command.ts'
import { actorIn, BY } from '../../operator.ts'

const OVERLAP_HOURS_DEFAULT = 24
const OVERLAP_HOURS_MAX = 24 * 30
const EMAIL = /^[^\s@]+@[^\s@]+$/

export const merchantList: Command = {
  usage: '',
  summary: 'Lists all merchants, without their secrets',
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, await listMerchants(core.db))
      return 0
    })
  },
}

export const merchantCreate: Command = {
  usage: '--name NAME --email EMAIL [--ip RANGE …]',
  summary: 'Creates a merchant and prints its keys, which are shown only once',
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: { name: { type: 'string' }, email: { type: 'string' }, ip: { type: 'string', multiple: true } },
    })
    const [name, email] = [required(values.name, '--name'), required(values.email, '--email')]
    if (!EMAIL.test(email)) throw new UsageError('--email must be an email address.')
    return withCore(context, async ({ core, config, baseUrl }) => {
      const { environment } = config
      const ipWhitelist = [...(values.ip ?? whitelistAtStart(environment))]
      checkSettings({ ipWhitelist }, config)
      const permissions = permissionsAtStart(environment)
      const id = await unitOfWork(core, (unit) =>
        createMerchant(unit, core.keyring, { name, email, environment, ipWhitelist, permissions }),
      )
      const created = await core.directory.byId(id)
      print(context, { merchantCode: created?.code, ...(await readCredentials(core, baseUrl, created?.code)) })
      return 0
    })
  },
}

export const merchantRotateSecret: Command = {
  usage: '--merchant CODE [--overlap HOURS] [--by EMAIL]',
  summary: 'Creates a new secret key and prints it once; the old key stays valid for the overlap',
  details:
    '\nEvents are signed with the new key after the first login with it, or after the overlap (default 24 hours). If the old key leaked,\nuse --overlap 0: it and its tokens stop working at once. In live mode --by names the operator, as with ./kobo orders resolve.\n',
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: { merchant: { type: 'string' }, overlap: { type: 'string' }, ...BY },
    })
    const { overlap = String(OVERLAP_HOURS_DEFAULT) } = values
    const hours = Number(overlap)
    if (overlap.trim() === '' || !(hours >= 0 && hours <= OVERLAP_HOURS_MAX))
      throw new UsageError(`--overlap must be 0 to ${OVERLAP_HOURS_MAX} hours.`)
    return withMerchant(context, values.merchant, async (gateway, { id }) => {
      const { core } = gateway
      const overlapEnds = secondsAfter(core.clock.now(), hours * 3_600)
      const by = await actorIn(context, gateway, values.by)
      const secretKey = await core.directory.change(id, (unit) => rotateSecret(unit, core.keyring, id, overlapEnds, by))
      print(context, { secretKey, oldValidUntil: overlapEnds })
    })
  },
}

export const merchantRevokeKey: Command = {
  usage: '--merchant CODE --key ID',
  summary: 'Revokes a restricted key; it and its tokens stop working at once',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, key: { type: 'string' } } })
    const key = required(values.key, '--key')
    if (!/^\d{1,18}$/.test(key))
      throw new UsageError('--key must be the ID of a key. "./kobo merchant show" lists them.')
    return withMerchant(context, values.merchant, async ({ core }, merchant) => {
      const { name, hint } = await revokeRestricted({ core }, merchant, BigInt(key), { actor: 'command line' })
      print(context, { merchant: merchant.code, revoked: { name, hint } })
    })
  },
}

export const merchantUnlockCodes: Command = {
  usage: '--merchant CODE [--by EMAIL]',
  summary: 'Unlocks transfer authorization codes after too many wrong attempts',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, ...BY } })
    return withMerchant(context, values.merchant, async (gateway, merchant) => {
      const by = await actorIn(context, gateway, values.by)
      const wasLocked = await unitOfWork(gateway.core, (unit) => unlockCodes(unit, merchant.id, by))
      print(context, { merchant: merchant.code, wasLocked })
    })
  },
}
