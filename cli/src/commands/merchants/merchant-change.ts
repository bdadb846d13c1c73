import { parseArgs } from 'node:util'
import { EVENT_KINDS, type SettingsChange } from '@kobo/contract'
import { INSTANT } from '@kobo/gateway/core/money/settlement-cycle/index.ts'
import { needsTwoOperators, proposeSettings } from '@kobo/gateway/features/operator/index.ts'
import { changeSettings, checkSettings } from '@kobo/gateway/features/settings/index.ts'
import { type Command, type CommandContext, print, required, UsageError, withMerchant } from '../../command.ts'
import { actorIn, BY, BY_BECAUSE, type ByOptions, handledByTwoOperators, TWO_OPERATORS } from '../../operator.ts'

const text = { type: 'string' } as const
const list = { type: 'string', multiple: true } as const

export const merchantWhitelist: Command = {
  usage: '--merchant CODE --ip RANGE [--ip RANGE …] [--by EMAIL --because TEXT]',
  summary: 'Sets the IP addresses and CIDR ranges from which a merchant can call the API',
  details: TWO_OPERATORS,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: text, ip: list, ...BY_BECAUSE } })
    const ipWhitelist = values.ip ?? []
    if (ipWhitelist.length === 0) throw new UsageError('--ip is required.')
    return change(context, values, 'whitelist', { ipWhitelist }, { ipWhitelist })
  },
}

export const merchantOrigins: Command = {
  usage: '--merchant CODE (--origin ORIGIN … | --clear) [--by EMAIL]',
  summary: 'Sets the websites that can open payments with the inline script',
  details:
    '\nAn origin looks like https://shop.example. Live mode requires https. In the sandbox, --origin "*" allows all websites.\nTo allow references with a prefix other than web-, add the prefix: --origin "https://shop.example MNFY_WP_". An app is registered as app:com.shop.android.\n',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: text, origin: list, clear: { type: 'boolean' }, ...BY } })
    const { origin: inlineOrigins = [], clear = false } = values
    if (inlineOrigins.length > 0 === clear) throw new UsageError('Specify either --origin or --clear.')
    return change(context, values, 'origins', { inlineOrigins }, { inlineOrigins })
  },
}

export const merchantWebhook: Command = {
  usage: '--merchant CODE [--kind KIND] (--url URL | --clear) [--by EMAIL]',
  summary: "Sets a merchant's webhook URL and resumes paused delivery",
  details: `\nKinds: ${EVENT_KINDS.join(', ')}. Without --kind it sets the URL for all kinds without their own URL.\n`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: { merchant: text, kind: text, url: text, clear: { type: 'boolean' }, ...BY },
    })
    const kind = [...EVENT_KINDS, 'default' as const].find((known) => known === (values.kind ?? 'default'))
    if (kind === undefined) throw new UsageError(`Unknown kind ${values.kind}. Use one of ${EVENT_KINDS.join(', ')}.`)
    const url = values.clear === true ? null : values.url
    if (url === undefined || (values.clear === true && values.url !== undefined))
      throw new UsageError('Specify either --url or --clear.')
    const settings = kind === 'default' ? { webhookUrl: url } : { webhookUrls: { [kind]: url } }
    return change(context, values, 'webhook', settings, { kind, url }, kind)
  },
}

export const merchantSettle: Command = {
  usage:
    '--merchant CODE [--cycle INSTANT|HH:MM] [--to WALLET | --bank CODE --account NUMBER --account-name NAME] [--by EMAIL --because TEXT]',
  summary: 'Sets a merchant’s settlement schedule and destination',
  details: `\nTimes are Lagos time. Existing transactions keep their settlement time but go to the new destination.\n${TWO_OPERATORS}`,
  run: async (args, context) => {
    const options = {
      merchant: text,
      cycle: text,
      to: text,
      bank: text,
      account: text,
      'account-name': text,
      ...BY_BECAUSE,
    }
    const { values } = parseArgs({ args, options })
    const settings: SettingsChange = { ...cycleIn(values.cycle), ...destinationIn(values) }
    if (Object.keys(settings).length === 0) throw new UsageError('--cycle, --to or --bank is required.')
    return change(context, values, 'settle', settings, settings)
  },
}

/** Changes a merchant's settings and prints `printed`, or the request if two operators must agree. */
function change(
  context: CommandContext,
  options: ByOptions & { readonly merchant?: string | undefined },
  word: string,
  settings: SettingsChange,
  printed: object,
  reference?: string,
): Promise<number> {
  return withMerchant(context, options.merchant, async (gateway, merchant) => {
    const { core, config } = gateway
    checkSettings(settings, config)
    const propose = () => proposeSettings({ rules: config }, merchant, { change: settings })
    if (needsTwoOperators(settings) && (await handledByTwoOperators(context, gateway, options, propose))) return
    const by = { ...(await actorIn(context, gateway, options.by)), act: `merchant.${word}`, reference }
    await changeSettings({ core, rules: config }, merchant, settings, by)
    print(context, { merchant: merchant.code, ...printed })
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
    throw new UsageError('Specify either --to WALLET, or --bank, --account and --account-name.')
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
