import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { FILE_BYTES_MAX, readDay, readMapping, StatementError } from '@kobo/gateway/core/bank-statements/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  importFile,
  putStatementAccount,
  requireAccount,
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectFiles,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { fromNairaOrZero, type Kobo, kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { type Command, type OpenGateway, print, required, UsageError, withCore } from '../../command.ts'

const MAPPING_BYTES_MAX = 64 * 1_024
/** The actor in the audit log. */
export const BY_COMMAND_LINE = { actor: 'command line' } as const
export const PARTNER = /^[a-z0-9][a-z0-9-]{0,31}$/

export const statementAccount: Command = {
  usage: 'PARTNER [--number NUMBER] [--mapping FILE.json] [--from DAY --opening NAIRA]',
  summary: 'Adds our bank account at a partner for reconciliation, or changes how its statements are read',
  details: `
PARTNER is a code from "./kobo partners list". The first call needs --from, the first day to reconcile, and --opening, the bank's
balance at the start of that day (negative if overdrawn). Both are final. If the ledger had a different balance then, every daily
check lists the difference.

The mapping names the columns of a CSV statement and the narration words that mark bank charges (feeWords, also for MT940 and camt).
The defaults are:
  {"delimiter": ",", "skip": 0, "order": "oldest first", "dateFormat": "YYYY-MM-DD", "creditWords": ["C", "CR", "CREDIT"],
   "columns": {"date": "date", "amount": "amount", "bankReference": "reference", "narration": "narration",
               "balance": "balance"},
   "feeWords": []}
date is the day on which the bank booked the line, not its value date.
More columns: credit and debit (instead of amount), direction, reference (ours), sessionId, accountNumber (the virtual account
that a line's money was paid to), name.

  ./kobo statement account wema --number 0123456789 --from 2026-11-01 --opening 0 --mapping wema.json
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { number: text, mapping: text, from: text, opening: text },
    })
    const partner = partnerIn(positionals)
    const mapping =
      values.mapping === undefined ? undefined : bytesOf(values.mapping, MAPPING_BYTES_MAX).toString('utf8')
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        const account = await unitOfWork(core, (unit) =>
          putStatementAccount(unit, {
            partner,
            accountNumber: values.number,
            mapping: mapping === undefined ? undefined : readMapping(mapping),
            from: values.from === undefined ? undefined : dayIn(values.from, '--from'),
            opening: values.opening === undefined ? undefined : amountIn(values.opening, '--opening'),
          }),
        )
        print(context, showAccount(account))
        return 0
      }),
    )
  },
}

export const statementImport: Command = {
  usage: 'PARTNER FILE',
  summary: 'Imports a bank statement (CSV, MT940, camt.053 or camt.054) and matches it with the ledger',
  details: `
The format is detected from the content. Prints JSON: the number of lines, new lines, matched groups of lines and entries, and
exceptions that need manual review. Importing a file or line twice changes nothing. If a line cannot be read, or the opening balance
plus the lines is not the closing balance, nothing is imported.
`,
  run: async (args, context) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const [partner = '', file = '', ...more] = positionals
    if (!PARTNER.test(partner) || file === '' || more.length > 0)
      throw new UsageError('Specify one partner code and one file.')
    bytesOf(file, FILE_BYTES_MAX)
    const { err, isTerminal = false } = context
    const progress = isTerminal ? progressBar(err, 'Importing', 'lines') : NO_PROGRESS
    return asUsageError(() =>
      withCore(context, async (gateway) => {
        const { name: _, ...imported } = showImported(
          await importFrom(gateway, partner, file, progress.show).finally(progress.clear),
        )
        print(context, { partner, ...imported })
        return 0
      }),
    )
  },
}

/** An imported file, and what was matched with it. */
export interface Imported {
  readonly name: string
  readonly isKnown: boolean
  readonly lines: number
  readonly newLines: number
  readonly tooEarly: number
  readonly firstDay: number | null
  readonly lastDay: number | null
  readonly matched: number
  readonly exceptions: number
}

/** Imports a statement file of a partner, and matches it with the ledger. */
export async function importFrom(
  { core }: OpenGateway,
  partner: string,
  file: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Imported> {
  const name = basename(file)
  const bytes = bytesOf(file, FILE_BYTES_MAX)
  return { name, ...(await importFile(core, { partner, name, bytes }, BY_COMMAND_LINE, onProgress)) }
}

export const statementList: Command = {
  usage: '[PARTNER]',
  summary: 'Lists the bank accounts in reconciliation, or the imported files of one partner',
  details: '\nPrints JSON. Files are newest first.\n',
  run: async (args, context) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const partner = positionals.length === 0 ? undefined : partnerIn(positionals)
    return asUsageError(() =>
      withCore(context, async ({ core: { db } }) => {
        if (partner === undefined) print(context, (await selectAccounts(db)).map(showAccount))
        else {
          await requireAccount(db, partner)
          print(context, (await selectFiles(db, partner)).map(showFile))
        }
        return 0
      }),
    )
  },
}

/** Reads exactly one partner code. */
export function partnerIn(positionals: readonly string[]): string {
  const [partner = '', ...more] = positionals
  if (!PARTNER.test(partner) || more.length > 0) throw new UsageError('Specify one partner code.')
  return partner
}

export function dayIn(text: string, option: string): number {
  const day = readDay(text)
  if (day === undefined) throw new UsageError(`${option} must be a day, such as 2026-11-01.`)
  return day
}

function amountIn(text: string, option: string): Kobo {
  const amount = fromNairaOrZero(required(text, option).replace(/^-/, ''))
  if (amount === undefined) throw new UsageError(`${option} must be naira, such as 1500.50 or -20.`)
  return text.startsWith('-') ? kobo(-amount) : amount
}

function bytesOf(file: string, bytesMax: number): Buffer {
  try {
    if (statSync(file).size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`)
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}.`)
  }
}

export async function asUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StatementError ? new UsageError(error.message) : error
  }
}

const showDays = ({ firstDay, lastDay }: Pick<StatementFile, 'firstDay' | 'lastDay'>) => ({
  firstDay: firstDay === null ? null : dayText(firstDay),
  lastDay: lastDay === null ? null : dayText(lastDay),
})

export const showImported = (imported: Imported) => ({ ...imported, ...showDays(imported) })

const showAccount = (account: StatementAccount) => ({
  partner: account.partner,
  accountNumber: account.accountNumber,
  from: dayText(account.beganOn),
  openingBalance: toNairaText(account.openingBalance),
  openingHeld: toNairaText(account.openingHeld),
  mapping: account.mapping,
})

const showFile = ({ name, hash, lines, newLines, importedAt, ...days }: StatementFile) => ({
  name,
  sha256: hash,
  lines,
  newLines,
  ...showDays(days),
  importedAt,
})
