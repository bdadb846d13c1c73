import { parseArgs } from 'node:util'
import { findBank } from '@kobo/gateway/core/money/bank-list/index.ts'
import {
  type AccountSource,
  addSource,
  CHECK_DIGIT_RULES,
  type CheckDigitRule,
  capacityOf,
  countNumbers,
  isPrefixSource,
  ofCell,
  restedBefore,
  SourceError,
  selectSources,
  setSourceUsed,
} from '@kobo/gateway/core/money/virtual-accounts/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Command, print, type Surroundings, UsageError, withCore } from '../command.ts'

const REST_DAYS_DEFAULT = 90
const REST_DAYS_MAX = 3_650
const CODE = /^[a-z0-9][a-z0-9-]{0,31}$/

export const sourcesList: Command = {
  usage: '',
  summary: 'Lists where account numbers come from, and how many are left',
  details: `
Prints JSON, the first one first: accounts are opened there where nobody names a bank. Of a prefix it tells how many numbers
there are, how many are held or rest, and how many of the others were held before.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      const at = core.clock.now()
      const shown = []
      for (const source of await selectSources(core.db)) {
        if (!isPrefixSource(source)) shown.push(show(source))
        else {
          const own = ofCell(source, core.ids.cell)
          const counted = await countNumbers(core.db, source.bankCode, own.prefix, restedBefore(source, at))
          shown.push({ ...show(source), numbers: Number(capacityOf(own)), ...counted })
        }
      }
      print(around, shown)
      return 0
    })
  },
}

export const sourcesAdd: Command = {
  usage:
    'CODE --partner PARTNER --bank BANK (--prefix DIGITS [--check-digit RULE] [--rest-days DAYS] [--wallets] | --issued) [--settlement-account NUMBER] [--first]',
  summary: 'Adds a source of account numbers: a prefix that a bank has assigned, or a bank that issues each number',
  details: `
CODE is what you call it. PARTNER is the code in the manifest of the partner who tells of its credits; BANK is the bank's code.

--prefix        The digits that the bank has assigned: 1 to 8. Numbers are made here.
--check-digit   How the last digit is made: ${CHECK_DIGIT_RULES.join(' or ')}; nuban where left out.
--rest-days     How long a closed number rests before it is given to somebody else; ${REST_DAYS_DEFAULT} where left out.
--wallets       Merchants created from now on have the numbers of their wallets here.
--issued        The bank makes each number when it is asked for one.
--first         Accounts are opened here where nobody names a bank; else it comes after those that there are.

  kobo accounts sources add wema --partner wema --bank 035 --prefix 991 --settlement-account 0123456789 --wallets
  kobo accounts sources add providus --partner providus --bank 101 --issued --first
`,
  run: async (args, around) => {
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
      },
    })
    const { partner = '', bank = '', issued: isIssued = false } = values
    if (!CODE.test(partner)) throw new UsageError('--partner must be the code of a partner.')
    if (findBank(bank) === undefined) throw new UsageError('--bank must be the code of a bank.')
    if (isIssued === (values.prefix !== undefined)) throw new UsageError('Either --prefix or --issued is required.')
    const wanted = {
      code: codeIn(positionals),
      partner,
      bankCode: bank,
      settlementAccount: readSettlementAccount(values['settlement-account']),
      ...(isIssued ? readIssued(values) : readPrefix(values)),
    }
    return change(around, (unit) => addSource(unit, wanted, values.first === true))
  },
}

export const sourcesDisable: Command = {
  usage: 'CODE',
  summary: 'Has no further accounts opened at a source; those that there are go on',
  run: (args, around) => setUsed(args, around, false),
}

export const sourcesEnable: Command = {
  usage: 'CODE',
  summary: 'Has accounts opened again at a source that was disabled',
  run: (args, around) => setUsed(args, around, true),
}

async function setUsed(args: string[], around: Surroundings, isUsed: boolean): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const code = codeIn(positionals)
  return change(around, (unit) => setSourceUsed(unit, code, isUsed))
}

/** Changes the sources and prints what came of it. */
const change = (
  around: Surroundings,
  work: (unit: Parameters<typeof addSource>[0]) => Promise<AccountSource>,
): Promise<number> =>
  withCore(around, async ({ core }) => {
    const source = await unitOfWork(core, work).catch((error: unknown) => {
      throw error instanceof SourceError ? new UsageError(error.message) : error
    })
    print(around, show(source))
    return 0
  })

function codeIn(positionals: readonly string[]): string {
  const [code] = positionals
  if (code === undefined || positionals.length > 1 || !CODE.test(code))
    throw new UsageError('Name one source: 1 to 32 small letters, digits and hyphens.')
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
    if (values[name] !== undefined) throw new UsageError(`--${name} belongs to a prefix.`)
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
