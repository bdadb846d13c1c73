import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { StatementError } from '@kobo/gateway/core/bank-statements/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { closeDays, selectAccounts, wrongFees } from '@kobo/gateway/features/reconciliation/index.ts'
import { secondsAfter, wallClock } from '@kobo/gateway/kernel/clock.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { type Command, type OpenGateway, print, UsageError, withCore } from '../../command.ts'
import { BY_COMMAND_LINE, type Imported, importFrom, PARTNER, showImported } from './statement.ts'

/** The default of --still, in seconds. A file that changed more recently may be incomplete. */
const STILL_SECONDS = '30'
const FILES_MAX = 1_000
/** The most days closed in one run. */
const DAYS_MAX = 100
const [IMPORTED, REJECTED] = ['imported', 'rejected']

export const statementCollect: Command = {
  usage: 'FOLDER [--close] [--still SECONDS]',
  summary:
    'Imports the bank statements in a folder, for use by cron or a timer; exit code 1 if a file is rejected, or a folder fails or belongs to no partner',
  details: `
FOLDER has one folder per partner with its statement files: FOLDER/wema/2026-11-17.csv. A file that was not changed for
${STILL_SECONDS} seconds (--still) is imported like "./kobo statement import" and moved to FOLDER/wema/${IMPORTED}, or to FOLDER/wema/${REJECTED} with the
reason in the output. Files that changed later, and names that end with .part or .tmp, are listed as waiting. Names that begin with a
dot are ignored. If a file cannot be moved, or a folder cannot be read, "failed" has the error, and the other folders are still
collected. With --close, days without open exceptions are closed. Prints JSON by partner: files, waiting files, closed days, and how
many payments of the imported days have a fee that differs from the partner's prices ("./kobo reconcile fees" lists them).
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { close: { type: 'boolean' }, still: { type: 'string' } },
    })
    const [folder = '', ...more] = positionals
    if (folder === '' || more.length > 0) throw new UsageError('Specify one folder.')
    const still = values.still ?? STILL_SECONDS
    if (!/^\d{1,5}$/.test(still)) throw new UsageError('--still must be a number of seconds.')
    if (!existsSync(folder)) throw new UsageError(`${folder} does not exist.`)
    return withCore(context, async (gateway) => {
      const before = secondsAfter(wallClock.now(), -Number(still))
      const collected = []
      const accounts = await selectAccounts(gateway.core.db)
      const unknown = unknownFolders(folder, new Set(accounts.map(({ partner }) => partner)))
      for (const name of unknown)
        context.err(
          `${join(folder, name)} is left alone: no partner ${name} has an account (./kobo statement account).\n`,
        )
      for (const { partner } of accounts) {
        const { files, ...rest } = await collectPartner(gateway, join(folder, partner), partner, before)
        const closed = values.close === true ? await close(gateway, partner) : { closed: [] }
        const shown = files.map((file) => ('rejected' in file ? file : showImported(file)))
        const wrong = await countWrongFees(gateway, partner, files)
        collected.push({ partner, files: shown, ...rest, ...closed, wrongFees: wrong })
      }
      print(context, collected)
      const isWrong = collected.some(
        ({ files, failed }) => failed !== undefined || files.some((file) => 'rejected' in file),
      )
      return isWrong || unknown.length > 0 ? 1 : 0
    })
  },
}

/** Returns the folders whose names could be partner codes, but are not the code of a partner with an account. */
const unknownFolders = (folder: string, partners: ReadonlySet<string>): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && PARTNER.test(entry.name) && !partners.has(entry.name))
    .map(({ name }) => name)

type Collected = Imported | { readonly name: string; readonly rejected: string }

async function collectPartner(
  gateway: OpenGateway,
  folder: string,
  partner: string,
  before: Date,
): Promise<{ readonly files: readonly Collected[]; readonly waiting: readonly string[]; readonly failed?: string }> {
  const files: Collected[] = []
  try {
    for (const name of readyFiles(folder, before)) {
      const collected = await importFrom(gateway, partner, join(folder, name)).catch((error: unknown): Collected => {
        if (!(error instanceof StatementError || error instanceof UsageError)) throw error
        return { name, rejected: error.message }
      })
      files.push(collected)
      moveTo(folder, 'rejected' in collected ? REJECTED : IMPORTED, name)
    }
    return { files, waiting: filesIn(folder) }
  } catch (error) {
    if (!isFileError(error)) throw error
    return { files, waiting: [], failed: error.message }
  }
}

/** Whether an error is from the file system, such as a missing permission. Only such errors have a path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'path' in error

/** Returns the complete files in a folder, sorted by name. */
function readyFiles(folder: string, before: Date): readonly string[] {
  const isReady = (name: string): boolean => {
    if (/\.(part|tmp)$/i.test(name)) return false
    const { mtime, ctime } = statSync(join(folder, name))
    return mtime <= before && ctime <= before
  }
  return filesIn(folder).filter(isReady).slice(0, FILES_MAX)
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

/** Moves a file. If a file with its name is already there, it gets another name. */
function moveTo(folder: string, where: string, name: string): void {
  const target = join(folder, where)
  mkdirSync(target, { recursive: true })
  let free = name
  for (let copy = 2; existsSync(join(target, free)); copy++) free = `${name}.${copy}`
  renameSync(join(folder, name), join(target, free))
}

/** Closes each day that can be closed. Returns these days, and the reason why the next one cannot be closed. */
async function close(
  { core }: OpenGateway,
  partner: string,
): Promise<{ readonly closed: readonly string[]; readonly open?: string }> {
  const closed: string[] = []
  for (let count = 0; count < DAYS_MAX; count++)
    try {
      const days = await unitOfWork(core, (unit) => closeDays(unit, partner, undefined, BY_COMMAND_LINE))
      closed.push(...days.map(({ day }) => dayText(day)))
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      return { closed, open: error.message }
    }
  return { closed }
}

async function countWrongFees(
  { core: { db } }: OpenGateway,
  partner: string,
  files: readonly Collected[],
): Promise<number> {
  const days = files
    .flatMap((file) => ('rejected' in file ? [] : [file.firstDay, file.lastDay]))
    .filter((day) => day !== null)
  if (days.length === 0) return 0
  let count = 0
  for await (const fees of wrongFees(db, partner, Math.min(...days), Math.max(...days))) count += fees.length
  return count
}
