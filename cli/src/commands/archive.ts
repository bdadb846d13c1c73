import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  checkMonth,
  checkMonths,
  FOUND_MAX,
  findInArchive,
  monthsIn,
  readMonthManifest,
  writeArchive,
} from '@kobo/gateway/core/archive/index.ts'
import { audit, NO_MERCHANT } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { NO_PROGRESS, type Progress, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, required, type Surroundings, UsageError, withCore } from '../command.ts'

const text = { type: 'string' } as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

export const archiveWrite: Command = {
  usage: '--before DAY --to FOLDER',
  summary:
    'Writes the past into files, a folder for each month that is over: transactions, journals, events and what is dropped by its age',
  details: `
  --before DAY  months (by UTC) that are over on this day are written, as 2026-10-01; the last not before it is over for an hour
  --to FOLDER   the archive. Months that it has are checked and left as they are, so that it may be stopped and started again

Nothing is taken from the database. Each table of a month is a compressed file with a line of JSON for each row, as it is now;
manifest.json beside them has counts and SHA-256. The files name people as the database does, and no erasure reaches them:
keep them as you keep backups, and let them run out. Attempts to deliver and requests are dropped from the database by
KOBO_KEEP_DAYS, archived or not: write the archive sooner.

Prints {folder, written, kept, rows, bytes} as JSON.
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { before: text, to: text } })
    const before = readDay(required(values.before, '--before'))
    const folder = resolve(required(values.to, '--to'))
    return withCore(around, async ({ core, config: { environment } }) => {
      const at = core.clock.now()
      if (before > at) throw new UsageError('--before must not be after today: what is to come cannot be written.')
      const progress = shown(around, 'Archiving')
      const options = { db: core.db, environment, folder, before, at, onMonth: progress.show }
      // Before a row has left, so that one that is stopped has left its trace too.
      await unitOfWork(core, async (unit) =>
        audit(unit, {
          merchantId: NO_MERCHANT,
          act: 'archive.write',
          actor: 'command line',
          details: { folder, before: values.before },
        }),
      )
      const made = await writeArchive(options).finally(progress.clear)
      print(around, { folder, ...made })
      return 0
    })
  },
}

export const archiveFind: Command = {
  usage: 'REFERENCE --in FOLDER',
  summary: 'Finds in an archive what names a reference: the transaction, its payments, journals, events and attempts',
  details: `
Needs no database. By a transaction reference its own month and those after it are looked at, by any other all of them.
Prints [{month, table, row}] as JSON, amounts in kobo, ${FOUND_MAX} rows at most; exit code 1 where there is nothing.
`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({ args, options: { in: text }, allowPositionals: true })
    const [reference, ...more] = positionals
    if (reference === undefined || reference.trim() === '' || more.length > 0)
      throw new UsageError('One reference is to be named.')
    const folder = resolve(required(values.in, '--in'))
    const progress = shown(around, 'Looking')
    const found = await findInArchive(folder, reference, progress.show).finally(progress.clear)
    print(around, found)
    return found.length > 0 ? 0 : 1
  },
}

export const archiveCheck: Command = {
  usage: '--in FOLDER',
  summary:
    'Reads an archive and compares it with its manifests; exit code 1 if a file is not as it was written, or a month is missing',
  details: '\nNeeds no database. Prints {months, rows, bytes, wrong} as JSON.\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { in: text } })
    const folder = resolve(required(values.in, '--in'))
    const months = await monthsIn(folder)
    const progress = shown(around, 'Checking')
    const wrong = [...checkMonths(folder, months)]
    let [rows, bytes] = [0, 0]
    for (const [index, month] of months.entries()) {
      progress.show(index, months.length)
      wrong.push(...(await checkMonth(join(folder, month))))
      for (const file of Object.values((await readMonthManifest(join(folder, month)))?.files ?? {})) {
        rows += file.rows
        bytes += file.bytes
      }
    }
    progress.clear()
    print(around, { months: months.length, rows, bytes, wrong })
    return wrong.length === 0 ? 0 : 1
  },
}

function readDay(day: string): Date {
  const moment = new Date(`${day}T00:00:00.000Z`)
  if (!DAY.test(day) || Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== day)
    throw new UsageError('--before must be a day, as 2026-10-01.')
  return moment
}

const shown = ({ err, isWatched = false }: Surroundings, label: string): Progress =>
  isWatched ? progressBar(err, label, 'months') : NO_PROGRESS
