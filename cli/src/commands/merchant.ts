import { parseArgs } from 'node:util'
import { EVENT_KINDS, type EventKind, PERMISSIONS, type Permission } from '@kobo/contract'
import { readCredentials } from '@kobo/gateway/app/demo.ts'
import {
  type ContractChange,
  listMerchants,
  type Merchant,
  rotateSecret,
  updateContracts,
  updateMerchant,
} from '@kobo/gateway/core/merchants/index.ts'
import { setEndpoint } from '@kobo/gateway/core/messages/outbox/index.ts'
import { findBank } from '@kobo/gateway/core/money/bank-list/index.ts'
import { INSTANT, isTimeOfDay } from '@kobo/gateway/core/money/settlement-cycle/index.ts'
import { createMerchant, permissionsAtStart } from '@kobo/gateway/core/onboarding.ts'
import { type AuditRecord, audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { LOOPBACK } from '@kobo/gateway/features/sandbox/index.ts'
import { secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { isAddressRange, isWideRange } from '@kobo/gateway/platform/addresses.ts'
import { refuseReceiver } from '@kobo/gateway/platform/careless.ts'
import type { Config, Environment } from '@kobo/gateway/platform/config.ts'
import { portOf } from '@kobo/gateway/platform/post.ts'
import {
  type Command,
  findMerchant,
  print,
  type Surroundings,
  UsageError,
  type Workplace,
  withCore,
} from '../command.ts'

const OVERLAP_HOURS_DEFAULT = 24
const OVERLAP_HOURS_MAX = 24 * 30
const EMAIL = /^[^\s@]+@[^\s@]+$/

export const merchantList: Command = {
  usage: '',
  summary: 'Lists the merchants, without their secrets',
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, await listMerchants(core.db))
      return 0
    })
  },
}

export const merchantCreate: Command = {
  usage: '--name NAME --email EMAIL [--ip RANGE …]',
  summary: 'Creates a merchant and prints its keys, this once',
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: { name: { type: 'string' }, email: { type: 'string' }, ip: { type: 'string', multiple: true } },
    })
    const { name, email, ip } = values
    if (name === undefined || name.trim() === '') throw new UsageError('--name is required.')
    if (email === undefined || !EMAIL.test(email)) throw new UsageError('--email must be an email address.')
    return withCore(around, async ({ core, config, baseUrl }) => {
      const { environment } = config
      const ipWhitelist = checkRanges(ip ?? (environment === 'sandbox' ? [...LOOPBACK] : []), environment)
      const permissions = permissionsAtStart(environment)
      const id = await unitOfWork(core, (unit) =>
        createMerchant(unit, core.keyring, { name, email, environment, ipWhitelist, permissions }),
      )
      const created = await core.directory.byId(id)
      print(around, await readCredentials(core, baseUrl, created?.code))
      return 0
    })
  },
}

export const merchantRotateSecret: Command = {
  usage: '--merchant CODE [--overlap HOURS]',
  summary: 'Makes a new secret key and prints it, this once; the old one stays valid for the overlap',
  details:
    '\nEvents are signed with the new one from the first login with it, or when the overlap (24 hours) is over.\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, overlap: { type: 'string' } } })
    const { overlap = String(OVERLAP_HOURS_DEFAULT) } = values
    const hours = Number(overlap)
    if (overlap.trim() === '' || !(hours >= 0 && hours <= OVERLAP_HOURS_MAX))
      throw new UsageError(`--overlap must be 0 to ${OVERLAP_HOURS_MAX} hours.`)
    return withMerchant(around, values.merchant, async ({ core }, { id }) => {
      const overlapEnds = secondsAfter(core.clock.now(), hours * 3_600)
      const secretKey = await core.directory.change(id, (unit) => rotateSecret(unit, core.keyring, id, overlapEnds))
      print(around, { secretKey, oldValidUntil: overlapEnds })
    })
  },
}

/** What may be done to people only with their consent. */
const CONSENTED: readonly Permission[] = ['verification', 'recurring']
const CONSENT_BASIS_LENGTH_MAX = 500

export const merchantPermit: Command = {
  usage: '--merchant CODE [--grant PERMISSION …] [--withdraw PERMISSION …] [--consent-basis TEXT]',
  summary: 'Grants and withdraws permissions',
  details: `
Permissions: ${PERMISSIONS.join(', ')}.

--consent-basis is what the merchant asserts when it may look people up or charge their cards again (${CONSENTED.join(', ')}): for
what, and by whose consent. It is required in live, and kept in the audit, where each look-up follows.
`,
  run: async (args, around) => {
    const list = { type: 'string', multiple: true } as const
    const { values } = parseArgs({
      args,
      options: { merchant: { type: 'string' }, grant: list, withdraw: list, 'consent-basis': { type: 'string' } },
    })
    const grant = checkPermissions(values.grant ?? [])
    const withdraw = checkPermissions(values.withdraw ?? [])
    if (grant.length + withdraw.length === 0) throw new UsageError('--grant or --withdraw is required.')
    return withMerchant(around, values.merchant, async ({ core, config }, merchant) => {
      const consentBasis = checkConsentBasis(values['consent-basis'], grant, config.environment)
      const permissions = PERMISSIONS.filter(
        (permission) =>
          !withdraw.includes(permission) && (grant.includes(permission) || merchant.permissions.includes(permission)),
      )
      await core.directory.change(merchant.id, (unit) => {
        updateMerchant(unit.tx, merchant.id, { permissions })
        audit(
          unit,
          act(merchant, 'permit', { grant, withdraw, ...(consentBasis === undefined ? {} : { consentBasis }) }),
        )
      })
      print(around, { merchant: merchant.code, permissions })
    })
  },
}

export const merchantWhitelist: Command = {
  usage: '--merchant CODE --ip RANGE [--ip RANGE …]',
  summary: 'Sets the addresses and CIDR ranges from which a merchant may call',
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: { merchant: { type: 'string' }, ip: { type: 'string', multiple: true } },
    })
    const ranges = values.ip ?? []
    if (ranges.length === 0) throw new UsageError('--ip is required.')
    return withMerchant(around, values.merchant, async ({ core, config }, merchant) => {
      const ipWhitelist = checkRanges(ranges, config.environment)
      await core.directory.change(merchant.id, (unit) => {
        updateMerchant(unit.tx, merchant.id, { ipWhitelist })
        audit(unit, act(merchant, 'whitelist', { ipWhitelist }))
      })
      print(around, { merchant: merchant.code, ipWhitelist })
    })
  },
}

export const merchantWebhook: Command = {
  usage: '--merchant CODE [--kind KIND] (--url URL | --clear)',
  summary: "Sets where a merchant's events go, and lifts a pause",
  details: `\nKinds: ${EVENT_KINDS.join(', ')}; without one, the address for all that have none of their own.\n`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      args,
      options: { merchant: text, kind: text, url: text, clear: { type: 'boolean' } },
    })
    const kind = checkKind(values.kind)
    const url = values.clear === true ? null : values.url
    if (url === undefined || (values.clear === true && values.url !== undefined))
      throw new UsageError('Either --url or --clear is required.')
    if (url !== null && !(/^https?:\/\/\S+$/.test(url) && URL.canParse(url)))
      throw new UsageError('--url must be an http or https address.')
    return withMerchant(around, values.merchant, async ({ core, config }, merchant) => {
      if (url !== null) checkReceiver(url, config)
      await unitOfWork(core, async (unit) => {
        setEndpoint(unit.tx, merchant.id, kind, url)
        audit(unit, { ...act(merchant, 'webhook', { url }), reference: kind })
      })
      print(around, { merchant: merchant.code, kind, url })
    })
  },
}

export const merchantSettle: Command = {
  usage: '--merchant CODE [--cycle INSTANT|HH:MM] [--to WALLET | --bank CODE --account NUMBER --account-name NAME]',
  summary: 'Sets when and where to what a merchant collects is settled',
  details:
    '\nA time of the day is in Lagos. Transactions that exist keep their time; where to counts when they are settled.\n',
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const options = { merchant: text, cycle: text, to: text, bank: text, account: text, 'account-name': text }
    const { values } = parseArgs({ args, options })
    const change: ContractChange = { ...checkCycle(values.cycle), ...checkDestination(values) }
    if (Object.keys(change).length === 0) throw new UsageError('--cycle, --to or --bank is required.')
    return withMerchant(around, values.merchant, async ({ core }, merchant) => {
      await core.directory.change(merchant.id, (unit) => {
        updateContracts(unit.tx, merchant.id, change)
        audit(unit, act(merchant, 'settle', change))
      })
      print(around, { merchant: merchant.code, ...change })
    })
  },
}

/** What is recorded of a command. */
export const act = ({ id }: Merchant, what: string, details: object): AuditRecord => ({
  merchantId: id,
  act: `merchant.${what}`,
  actor: 'command line',
  details,
})

function checkCycle(cycle: string | undefined): ContractChange {
  if (cycle === undefined) return {}
  if (cycle === INSTANT) return { settlement: INSTANT }
  if (!isTimeOfDay(cycle)) throw new UsageError('--cycle must be INSTANT or a time of the day as 22:00.')
  return { settlement: 'DAILY', settlementTime: cycle }
}

function checkDestination(values: {
  readonly to?: string
  readonly bank?: string
  readonly account?: string
  readonly 'account-name'?: string
}): ContractChange {
  const { to, bank, account, 'account-name': accountName } = values
  const isToBank = bank !== undefined || account !== undefined || accountName !== undefined
  if (to === undefined && !isToBank) return {}
  if (to !== undefined && (to !== 'WALLET' || isToBank))
    throw new UsageError('Either --to WALLET, or --bank, --account and --account-name.')
  if (to === 'WALLET') return { settlementDestination: 'WALLET' }
  if (bank === undefined || findBank(bank) === undefined) throw new UsageError('--bank must be the code of a bank.')
  if (account === undefined || !/^\d{10}$/.test(account)) throw new UsageError('--account must be 10 digits.')
  if (accountName === undefined || accountName.trim() === '') throw new UsageError('--account-name is required.')
  return {
    settlementDestination: 'BANK',
    settlementBankCode: bank,
    settlementAccountNumber: account,
    settlementAccountName: accountName,
  }
}

function checkKind(word: string | undefined): EventKind | 'default' {
  const kind = [...EVENT_KINDS, 'default' as const].find((known) => known === (word ?? 'default'))
  if (kind === undefined) throw new UsageError(`There is no kind ${word}.`)
  return kind
}

/** Runs work for the merchant that the call names. */
export function withMerchant(
  around: Surroundings,
  code: string | undefined,
  work: (workplace: Workplace, merchant: Merchant) => Promise<void>,
): Promise<number> {
  if (code === undefined) throw new UsageError('--merchant is required: merchant list shows the codes.')
  return withCore(around, async (workplace) => {
    await work(workplace, await findMerchant(workplace.core, code))
    return 0
  })
}

function checkPermissions(words: readonly string[]): readonly Permission[] {
  const unknown = words.find((word) => !(PERMISSIONS as readonly string[]).includes(word))
  if (unknown !== undefined) throw new UsageError(`There is no permission ${unknown}.`)
  return words as readonly Permission[]
}

function checkConsentBasis(
  basis: string | undefined,
  grant: readonly Permission[],
  environment: Environment,
): string | undefined {
  const consented = grant.find((permission) => CONSENTED.includes(permission))
  if (consented !== undefined && environment === 'live' && basis === undefined)
    throw new UsageError(`--consent-basis is required for ${consented}: what the merchant asserts is kept.`)
  if (basis === undefined) return undefined
  if (consented === undefined) throw new UsageError(`--consent-basis goes with --grant ${CONSENTED.join(' or ')}.`)
  if (basis.trim() === '' || basis.length > CONSENT_BASIS_LENGTH_MAX)
    throw new UsageError(`--consent-basis must have 1 to ${CONSENT_BASIS_LENGTH_MAX} characters.`)
  return basis.trim()
}

function checkRanges(ranges: readonly string[], environment: Environment): readonly string[] {
  const wrong = ranges.find((range) => !isAddressRange(range))
  if (wrong !== undefined) throw new UsageError(`${wrong} is not an address or CIDR range.`)
  const wide = environment === 'live' ? ranges.find(isWideRange) : undefined
  if (wide !== undefined) throw new UsageError(`${wide} is too wide: in live a range has at least /8, or /32 of IPv6.`)
  return ranges
}

/** An address that events can be sent to, as the gateway is set. */
function checkReceiver(url: string, config: Config): void {
  const reason = refuseReceiver(config, url)
  if (reason !== undefined) throw new UsageError(`--url ${reason}.`)
  const port = portOf(new URL(url))
  if (config.receiverPorts?.includes(port) === false)
    throw new UsageError(`Events are not sent to port ${port}: KOBO_RECEIVER_PORTS names those to which they are.`)
}
