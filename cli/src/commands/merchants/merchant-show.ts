import { parseArgs } from 'node:util'
import { SETTING_NAMES, SETTINGS } from '@kobo/contract'
import type { Core } from '@kobo/gateway/app/core.ts'
import { type Merchant, selectRestrictedKeys } from '@kobo/gateway/core/merchants/index.ts'
import { selectEndpoints } from '@kobo/gateway/core/messages/outbox/index.ts'
import { moneyOf } from '@kobo/gateway/core/money/ledger/index.ts'
import { showSettings, showTerms } from '@kobo/gateway/features/settings/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withMerchant } from '../../command.ts'

export const merchantShow: Command = {
  prints: 'text or JSON',
  usage: 'CODE [--json]',
  summary: 'Shows a merchant’s settings, contracts, paused webhooks, balances and keys, without secrets',
  details:
    '\nFor its prices, run: ./kobo price list --merchant CODE. For its events: ./kobo events list --merchant CODE.\n',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    })
    const [code] = positionals
    if (code === undefined || positionals.length > 1)
      throw new UsageError('Specify one merchant code. Run "./kobo merchant list" to see the codes.')
    return withMerchant(context, code, async ({ core }, merchant) => {
      const all = await readDetails(core, merchant)
      if (values.json === true) print(context, all)
      else context.out(asText(all))
    })
  },
}

type MerchantDetails = Awaited<ReturnType<typeof readDetails>>

async function readDetails({ db }: Core, merchant: Merchant) {
  const settings = await showSettings(db, merchant)
  const terms = new Map((await showTerms(db, merchant)).map((one) => [one.code, one.terms]))
  const paused = (await selectEndpoints(db, merchant.id)).filter(({ pausedAt }) => pausedAt !== null)
  const money = await moneyOf(db, merchant.id)
  return {
    merchant: merchant.code,
    name: merchant.name,
    email: merchant.email,
    standing: merchant.standing,
    createdAt: merchant.createdAt,
    id: merchant.id,
    apiKey: merchant.apiKey,
    walletAccountNumber: merchant.walletAccountNumber,
    settings: Object.fromEntries(
      SETTING_NAMES.filter((name) => SETTINGS[name].of === 'merchant').map((name) => [name, settings[name]]),
    ),
    contracts: [...merchant.contracts.values()].map(({ code, name, description, currencyCode, disabledAt }) => ({
      code,
      name,
      description,
      currencyCode,
      disabledAt,
      ...terms.get(code),
    })),
    pausedReceivers: paused.map(({ kind, url, pausedAt }) => ({ kind, url, pausedAt })),
    money: money.map(({ code, balance }) => ({ account: code, balance: toNaira(balance) })),
    secretKeys: merchant.secrets.map(({ firstUsedAt, expiresAt }) => ({ firstUsedAt, expiresAt })),
    restrictedKeys: (await selectRestrictedKeys(db, merchant.id)).map(
      ({ id, name, hint, scopes, lastUsedAt, expiresAt }) => ({ id, name, hint, scopes, lastUsedAt, expiresAt }),
    ),
    pricesOfItsOwn: merchant.prices.own.length,
  }
}

/** Formats the merchant as text, one line per value, grouped by section. */
function asText(all: MerchantDetails): string {
  const lines: string[] = []
  for (const [name, value] of Object.entries(all)) {
    if (!isNested(value)) lines.push(`${name}: ${inline(value)}`)
    else {
      lines.push('', name)
      const items = Array.isArray(value) ? value : [value]
      if (items.length === 0) lines.push('  none')
      for (const [index, item] of items.entries()) {
        if (index > 0 && Object.keys(item).length > 2) lines.push('')
        for (const [key, inner] of Object.entries(item)) lines.push(`  ${key}: ${inline(inner)}`)
      }
    }
  }
  return `${lines.join('\n')}\n`
}

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)

function inline(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(inline).join(', ')
  if (typeof value !== 'object') return String(value)
  const shown = Object.entries(value).filter(([, inner]) => inner !== null && inner !== false)
  return shown.length === 0
    ? '-'
    : shown.map(([key, inner]) => (inner === true ? key : `${key} ${inline(inner)}`)).join(', ')
}
