import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import {
  FILE_BYTES_MAX,
  readDay,
  readMapping,
  readStatements,
  StatementError,
} from '@kobo/gateway/core/money/statements/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  importStatements,
  knownAccount,
  matchPartner,
  putStatementAccount,
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectFiles,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { fromNairaOrZero, type Kobo, kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, required, UsageError, withCore } from '../command.ts'

const MAPPING_BYTES_MAX = 64 * 1_024
const PARTNER = /^[a-z0-9][a-z0-9-]{0,31}$/

export const statementAccount: Command = {
  usage: 'PARTNER [--number NUMBER] [--mapping FILE.json] [--from DAY --opening NAIRA]',
  summary: 'Makes an account of ours at a partner known, whose statements are to come, or changes how they are read',
  details: `
PARTNER is its code, as kobo ledger partners shows it. The first time, --from is the first day that is reconciled, and
--opening what the bank had when that day began, below zero where it was overdrawn; both stay. What the books had then is
looked up: where it is something else, every day's proof lists the difference.

The mapping says what the columns of a CSV are called, and by which words in the narration the bank's own charges are known,
which counts for MT940 and camt too. What it leaves out is as here:
  {"delimiter": ",", "skip": 0, "order": "oldest first", "dateFormat": "YYYY-MM-DD", "creditWords": ["C", "CR", "CREDIT"],
   "columns": {"date": "date", "amount": "amount", "bankReference": "reference", "narration": "narration",
               "balance": "balance"},
   "feeWords": []}
There are further columns: credit and debit in place of amount, direction, reference (ours), sessionId, accountNumber, name.

  kobo statement account wema --number 0123456789 --from 2026-11-01 --opening 0 --mapping wema.json
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { number: text, mapping: text, from: text, opening: text },
    })
    const partner = partnerIn(positionals)
    const mapping =
      values.mapping === undefined ? undefined : bytesOf(values.mapping, MAPPING_BYTES_MAX).toString('utf8')
    return told(() =>
      withCore(around, async ({ core }) => {
        const account = await unitOfWork(core, (unit) =>
          putStatementAccount(unit, {
            partner,
            accountNumber: values.number,
            mapping: mapping === undefined ? undefined : readMapping(mapping),
            from: values.from === undefined ? undefined : dayIn(values.from, '--from'),
            opening: values.opening === undefined ? undefined : amountIn(values.opening, '--opening'),
          }),
        )
        print(around, showAccount(account))
        return 0
      }),
    )
  },
}

export const statementImport: Command = {
  usage: 'PARTNER FILE',
  summary: 'Takes a statement of a partner: CSV, MT940, camt.053 or camt.054, known by what is in the file',
  details: `
Then holds the lines against the books. Prints JSON: how many lines the file has, how many of them were new, how many
groups of lines and entries agree, and for how many exceptions a person is called. A file that was taken before changes nothing, and
neither does a line that stands in two files. Where one line cannot be read, or the opening balance and the lines do not make
up the closing balance, nothing of the file is taken.
`,
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const [partner = '', file = '', ...more] = positionals
    if (!PARTNER.test(partner) || file === '' || more.length > 0)
      throw new UsageError('Name a partner by its code, and one file.')
    const bytes = bytesOf(file, FILE_BYTES_MAX)
    const { err, isWatched = false } = around
    const progress = isWatched ? progressBar(err, 'Taking the statement', 'lines') : NO_PROGRESS
    return told(() =>
      withCore(around, async ({ core }) => {
        const { mapping } = await knownAccount(core.db, partner)
        const statements = readStatements(bytes, mapping)
        const imported = await unitOfWork(core, (unit) =>
          importStatements(unit, { partner, name: basename(file), bytes, statements }, progress.show),
        ).finally(progress.clear)
        const { isKnown, lines, newLines, tooEarly, firstDay, lastDay } = imported
        const { matched, exceptions } = await unitOfWork(core, (unit) => matchPartner(unit, partner))
        print(around, {
          partner,
          isKnown,
          lines,
          newLines,
          tooEarly,
          ...showDays({ firstDay, lastDay }),
          matched,
          exceptions,
        })
        return 0
      }),
    )
  },
}

export const statementList: Command = {
  usage: '[PARTNER]',
  summary: 'Lists the accounts whose statements are taken, or the files that were taken of one',
  details: '\nPrints JSON; files newest first.\n',
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const partner = positionals.length === 0 ? undefined : partnerIn(positionals)
    return told(() =>
      withCore(around, async ({ core: { db } }) => {
        if (partner === undefined) print(around, (await selectAccounts(db)).map(showAccount))
        else {
          await knownAccount(db, partner)
          print(around, (await selectFiles(db, partner)).map(showFile))
        }
        return 0
      }),
    )
  },
}

/** The partner that a call names, and nothing else. */
export function partnerIn(positionals: readonly string[]): string {
  const [partner = '', ...more] = positionals
  if (!PARTNER.test(partner) || more.length > 0) throw new UsageError('Name one partner by its code.')
  return partner
}

export function dayIn(text: string, option: string): number {
  const day = readDay(text)
  if (day === undefined) throw new UsageError(`${option} must be a day, as 2026-11-01.`)
  return day
}

function amountIn(text: string, option: string): Kobo {
  const amount = fromNairaOrZero(required(text, option).replace(/^-/, ''))
  if (amount === undefined) throw new UsageError(`${option} must be naira, as 1500.50 or -20.`)
  return text.startsWith('-') ? kobo(-amount) : amount
}

function bytesOf(file: string, bytesMax: number): Buffer {
  try {
    if (statSync(file).size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`)
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

/** What keeps a statement from being taken is the operator's to mend. */
export async function told<T>(work: () => Promise<T>): Promise<T> {
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
