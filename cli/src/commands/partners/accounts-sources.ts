import { parseArgs } from 'node:util'
import {
  type AccountSource,
  addSource,
  CHECK_DIGIT_RULES,
  type CheckDigitRule,
  countPrefix,
  isPrefixSource,
  SourceError,
  selectSources,
  setSourceUsed,
} from '@kobo/gateway/core/account-numbers/index.ts'
import { findBank } from '@kobo/gateway/core/bank-list/index.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Command, type CommandContext, print, UsageError, withCore } from '../../command.ts'
import { actorIn, BY, type CommandOperator } from '../../operator.ts'

const REST_DAYS_DEFAULT = 90
const REST_DAYS_MAX = 3_650
const CODE = /^[a-z0-9][a-z0-9-]{0,31}$/

export const sourcesList: Command = {
  usage: '',
  summary: 'Lists the sources of virtual account numbers and how many numbers are left',
  details: `
Prints JSON. New accounts use the first source unless the request names a bank. For a prefix it shows how many numbers exist, how
many are in use or resting, and how many of the free ones were used before.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      const at = core.clock.now()
      const shown = []
      for (const source of await selectSources(core.db)) {
        const counted = isPrefixSource(source) ? await countPrefix(core.db, source, core.ids.cell, at) : {}
        shown.push({ ...show(source), ...counted })
      }
      print(context, shown)
      return 0
    })
  },
}

export const sourcesAdd: Command = {
  usage:
    'CODE --partner PARTNER --bank BANK (--prefix DIGITS [--check-digit RULE] [--rest-days DAYS] [--wallets] | --issued) [--settlement-account NUMBER] [--first] [--by EMAIL]',
  summary: 'Adds a source of virtual account numbers: a prefix assigned by a bank, or a bank that issues each number',
  details: `
CODE is your name for the source. PARTNER is the code of the partner that reports its credits; BANK is the bank's code.

--prefix              The digits assigned by the bank: 1 to 8. Kobo generates the numbers.
--check-digit         How the last digit is computed: ${CHECK_DIGIT_RULES.join(' or ')} (default nuban).
--rest-days           Days before a closed number can be reused (default ${REST_DAYS_DEFAULT}).
--settlement-account  Your account at the bank, which receives the money; only shown in lists.
--wallets             Wallets of new merchants get their numbers from this source.
--issued              The bank issues each number on request.
--first               Makes this the default source; otherwise it is added last.
--by                  The operator; required in live mode once there is one, as with ./kobo orders resolve.

  ./kobo accounts sources add wema --partner wema --bank 035 --prefix 991 --settlement-account 0123456789 --wallets
  ./kobo accounts sources add providus --partner providus --bank 101 --issued --first
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const flag = { type: 'boolean' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        partner: text,
        bank: text,
        prefix: text,
        'check-digit': text,
        'rest-days': text,
        'settlement-account': text,
        wallets: flag,
        issued: flag,
        first: flag,
        ...BY,
      },
    })
    const { partner = '', bank = '', issued: isIssued = false } = values
    if (!CODE.test(partner)) throw new UsageError('--partner must be a partner code.')
    if (isIssued === (values.prefix !== undefined)) throw new UsageError('Specify either --prefix or --issued.')
    const requested = {
      code: codeIn(positionals),
      partner,
      bankCode: bank,
      settlementAccount: readSettlementAccount(values['settlement-account']),
      ...(isIssued ? readIssued(values) : readPrefix(values)),
    }
    return change(context, values.by, async (unit, by) => {
      // The bank is checked only now, because the list of banks is loaded from the database.
      if (findBank(bank) === undefined)
        throw new UsageError(
          `--bank must be in ./kobo banks list, and ${bank} is not. Add it with ./kobo banks import.`,
        )
      return addSource(unit, requested, values.first === true, by)
    })
  },
}

export const sourcesDisable: Command = {
  usage: 'CODE [--by EMAIL]',
  summary: 'Stops opening accounts from a source; existing accounts continue',
  run: (args, context) => setUsed(args, context, false),
}

export const sourcesEnable: Command = {
  usage: 'CODE [--by EMAIL]',
  summary: 'Enables a disabled source',
  run: (args, context) => setUsed(args, context, true),
}

async function setUsed(args: string[], context: CommandContext, isUsed: boolean): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: BY })
  const code = codeIn(positionals)
  return change(context, values.by, (unit, by) => setSourceUsed(unit, code, isUsed, by))
}

/** Changes the sources and prints the result. */
const change = (
  context: CommandContext,
  option: string | undefined,
  work: (unit: UnitOfWork, by: CommandOperator['by']) => Promise<AccountSource>,
): Promise<number> =>
  withCore(context, async (gateway) => {
    const by = await actorIn(context, gateway, option)
    const source = await unitOfWork(gateway.core, (unit) => work(unit, by)).catch((error: unknown) => {
      throw error instanceof SourceError ? new UsageError(error.message) : error
    })
    print(context, show(source))
    return 0
  })

function codeIn(positionals: readonly string[]): string {
  const [code] = positionals
  if (code === undefined || positionals.length > 1 || !CODE.test(code))
    throw new UsageError('Specify one source code: 1 to 32 lowercase letters, digits and hyphens.')
  return code
}

interface Values {
  readonly prefix?: string
  readonly 'check-digit'?: string
  readonly 'rest-days'?: string
  readonly wallets?: boolean
}

function readPrefix(values: Values) {
  const { prefix = '', 'check-digit': rule = 'nuban', 'rest-days': days = String(REST_DAYS_DEFAULT) } = values
  if (!/^\d{1,8}$/.test(prefix)) throw new UsageError('--prefix must be 1 to 8 digits.')
  const checkDigit = CHECK_DIGIT_RULES.find((one): one is CheckDigitRule => one === rule)
  if (checkDigit === undefined) throw new UsageError(`--check-digit must be ${CHECK_DIGIT_RULES.join(' or ')}.`)
  const restDays = /^\d{1,4}$/.test(days) ? Number(days) : Number.NaN
  if (!(restDays <= REST_DAYS_MAX)) throw new UsageError(`--rest-days must be 0 to ${REST_DAYS_MAX}.`)
  return { kind: 'prefix', prefix, checkDigit, restDays, forWallets: values.wallets === true } as const
}

function readIssued(values: Values) {
  for (const name of ['check-digit', 'rest-days', 'wallets'] as const)
    if (values[name] !== undefined) throw new UsageError(`--${name} can only be used with --prefix.`)
  return { kind: 'issued', prefix: null, checkDigit: null, restDays: null, forWallets: false } as const
}

function readSettlementAccount(text: string | undefined): string | null {
  if (text !== undefined && !/^\d{10}$/.test(text)) throw new UsageError('--settlement-account must have 10 digits.')
  return text ?? null
}

const show = (source: AccountSource) => ({
  code: source.code,
  partner: source.partner,
  bankCode: source.bankCode,
  bankName: findBank(source.bankCode)?.name ?? null,
  kind: source.kind,
  ...(isPrefixSource(source)
    ? { prefix: source.prefix, checkDigit: source.checkDigit, restDays: source.restDays, forWallets: source.forWallets }
    : {}),
  settlementAccount: source.settlementAccount,
  createdAt: source.createdAt,
  disabledAt: source.disabledAt,
})
