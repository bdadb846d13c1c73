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
} from '@kobo/gateway/core/money/bank-list/index.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Command, print, type Surroundings, UsageError, withCore } from '../command.ts'

export const banksList: Command = {
  usage: '',
  summary: 'Lists the banks, with what each can do, also those that are no longer offered',
  details: `
Prints JSON, in the order in which the API lists them.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, (await selectBanks(core.db)).map(show))
      return 0
    })
  },
}

export const banksImport: Command = {
  usage: 'FILE.csv',
  summary: 'Adds banks from a file, and makes those that are there as the file says; others stay',
  details: `
The file's first line is
  ${HEADER}
and each further one a bank, as
  058,GTBank,*737#,*737*2*Amount*AccountNumber#,000013,yes,yes,yes

transfers     Whether money can be sent to its accounts.
directDebit   Whether its accounts can be debited under a mandate.
offered       Whether it can be chosen. One that cannot is still known by its name.

Where one line is wrong, nothing of the file is taken. New banks come after those that there are.
`,
  run: async (args, around) => {
    const [file = ''] = words(args, 1, 'Name one file.')
    const lines = refusing(() => readBanks(readFile(file)))
    return change(around, (unit) => importBanks(unit, lines))
  },
}

export const banksDisable: Command = {
  usage: 'CODE',
  summary: 'Has a bank no longer offered; earlier payments still tell its name',
  run: (args, around) => setOffered(args, around, false),
}

export const banksEnable: Command = {
  usage: 'CODE',
  summary: 'Has a bank offered again',
  run: (args, around) => setOffered(args, around, true),
}

export const banksRename: Command = {
  usage: 'CODE NAME',
  summary: 'Gives a bank another name, also in what is told of earlier payments',
  details: `
  kobo banks rename 305 OPay
`,
  run: async (args, around) => {
    const [code = '', name = ''] = words(args, 2, 'Name a bank by its code, and its new name in quotes.')
    return change(around, async (unit) => show(await renameBank(unit, code, name)))
  },
}

async function setOffered(args: string[], around: Surroundings, isOffered: boolean): Promise<number> {
  const [code = ''] = words(args, 1, 'Name one bank by its code.')
  return change(around, async (unit) => show(await setBankOffered(unit, code, isOffered)))
}

/** The words of a call that takes so many of them. */
function words(args: string[], count: number, otherwise: string): readonly string[] {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  if (positionals.length !== count) throw new UsageError(otherwise)
  return positionals
}

function readFile(file: string): string {
  try {
    if (statSync(file).size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

const asMisuse = (error: unknown): unknown => (error instanceof BankError ? new UsageError(error.message) : error)

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asMisuse(error)
  }
}

/** Changes the banks and prints what came of it. */
const change = (around: Surroundings, work: (unit: UnitOfWork) => Promise<object>): Promise<number> =>
  withCore(around, async ({ core }) => {
    const done = await unitOfWork(core, work).catch((error: unknown) => {
      throw asMisuse(error)
    })
    print(around, done)
    return 0
  })

const show = ({ place: _, ...bank }: BankRow) => bank
