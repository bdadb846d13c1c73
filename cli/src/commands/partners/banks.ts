import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  BankError,
  type BankRow,
  FILE_BYTES_MAX,
  HEADER,
  importBanks,
  readBanks,
  renameBank,
  selectBanks,
  setBankOffered,
} from '@kobo/gateway/core/bank-list/index.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Command, type CommandContext, print, UsageError, withCore } from '../../command.ts'

export const banksList: Command = {
  usage: '',
  summary: 'Lists all banks and what each supports, including disabled ones',
  details: `
Prints JSON, in the order in which the API lists the banks.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, (await selectBanks(core.db)).map(show))
      return 0
    })
  },
}

export const banksImport: Command = {
  usage: 'FILE.csv',
  summary: 'Adds and updates banks from a CSV file; other banks do not change',
  details: `
The first line is
  ${HEADER}
and every other line is a bank, such as
  058,GTBank,*737#,*737*2*Amount*AccountNumber#,000013,yes,yes,yes

transfers     Whether money can be sent to its accounts.
directDebit   Whether its accounts can be debited under a mandate.
offered       Whether it can be chosen. Earlier payments still show the name of a disabled bank.

If any line is invalid, nothing is imported. New banks are added at the end of the list.
`,
  run: async (args, context) => {
    const [file = ''] = positionalArgs(args, 1, 'Specify one file.')
    const lines = checked(() => readBanks(readFile(file)))
    return change(context, (unit) => importBanks(unit, lines))
  },
}

export const banksDisable: Command = {
  usage: 'CODE',
  summary: 'Disables a bank; earlier payments still show its name',
  run: (args, context) => setOffered(args, context, false),
}

export const banksEnable: Command = {
  usage: 'CODE',
  summary: 'Enables a disabled bank',
  run: (args, context) => setOffered(args, context, true),
}

export const banksRename: Command = {
  usage: 'CODE NAME',
  summary: 'Renames a bank, also in earlier payments',
  details: `
  ./kobo banks rename 305 OPay
`,
  run: async (args, context) => {
    const [code = '', name = ''] = positionalArgs(args, 2, 'Specify the bank code and the new name in quotes.')
    return change(context, async (unit) => show(await renameBank(unit, code, name)))
  },
}

async function setOffered(args: string[], context: CommandContext, isOffered: boolean): Promise<number> {
  const [code = ''] = positionalArgs(args, 1, 'Specify one bank code.')
  return change(context, async (unit) => show(await setBankOffered(unit, code, isOffered)))
}

/** Parses exactly `count` positional arguments. */
function positionalArgs(args: string[], count: number, otherwise: string): readonly string[] {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length !== count) throw new UsageError(otherwise)
  return positionals
}

function readFile(file: string): string {
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}.`)
  }
}

const asUsageError = (error: unknown): unknown => (error instanceof BankError ? new UsageError(error.message) : error)

function checked<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asUsageError(error)
  }
}

/** Changes the banks and prints the result. */
const change = (context: CommandContext, work: (unit: UnitOfWork) => Promise<object>): Promise<number> =>
  withCore(context, async ({ core }) => {
    const done = await unitOfWork(core, work).catch((error: unknown) => {
      throw asUsageError(error)
    })
    print(context, done)
    return 0
  })

const show = ({ place: _, ...bank }: BankRow) => bank
