import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Environment } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { names } from '../../platform/sql.ts'
import { syncFolder } from '../../platform/sync-folder.ts'
import { HOUSE } from '../money/ledger/index.ts'
import {
  type ArchivedFile,
  checkMonth,
  fileOf,
  measureFile,
  monthsIn,
  readMonthManifest,
  writeMonthManifest,
  writeRows,
} from './files.ts'
import { ARCHIVED, type ArchivedTable, idsOfMonth, type Month, monthOfRow, monthsBefore } from './months.ts'

/** Rows that are read at once. */
const ROWS_AT_ONCE = 1_000
/** What began so long ago is committed: a month that ended less long ago is not over yet. */
const REST_SECONDS = 3_600

export interface ArchiveOptions {
  readonly db: Db
  readonly environment: Environment
  readonly folder: string
  /** Months that are over by then are written. */
  readonly before: Date
  readonly at: Date
  readonly onMonth: (done: number, months: number) => void
}

export interface WrittenArchive {
  readonly written: readonly Month[]
  /** Months that were there already, and are as they were written. */
  readonly kept: readonly Month[]
  readonly rows: number
  readonly bytes: number
}

/**
 * Writes what was made in months that are over into a folder for each, and takes nothing away. A month's folder is there when
 * it is whole and was read back, and not before; so it may be stopped at any time, and goes on where it was.
 */
export async function writeArchive({
  db,
  environment,
  folder,
  before,
  at,
  onMonth,
}: ArchiveOptions): Promise<WrittenArchive> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const merchants = [HOUSE, ...(await db<{ id: bigint }[]>`select id from merchant order by id`).map(({ id }) => id)]
  const first = await firstMonth(db, merchants)
  const atRest = secondsAfter(at, -REST_SECONDS)
  const months = first === undefined ? [] : monthsBefore(first, before < atRest ? before : atRest)
  const there = new Set(await monthsIn(folder))
  await refuseOther(folder, there, environment)
  const [written, kept]: [Month[], Month[]] = [[], []]
  let [rows, bytes] = [0, 0]
  for (const [index, month] of months.entries()) {
    onMonth(index, months.length)
    if (there.has(month)) {
      const wrong = await checkMonth(join(folder, month))
      if (wrong.length > 0) throw new Error(`${wrong.join('. ')}. Move the month away, and it is written anew.`)
      kept.push(month)
      continue
    }
    const files = await writeMonth(db, join(folder, month), month, merchants, {
      environment,
      writtenAt: at.toISOString(),
    })
    written.push(month)
    for (const file of Object.values(files)) {
      rows += file.rows
      bytes += file.bytes
    }
  }
  onMonth(months.length, months.length)
  return { written, kept, rows, bytes }
}

/** Refuses an archive of the other environment: its months would be taken for ours. */
async function refuseOther(folder: string, months: Iterable<Month>, environment: Environment): Promise<void> {
  for (const month of months) {
    const manifest = await readMonthManifest(join(folder, month))
    if (manifest !== undefined && manifest.environment !== environment)
      throw new Error(
        `${join(folder, month)} is of ${manifest.environment}, and this is ${environment}: name another folder.`,
      )
  }
}

async function writeMonth(
  db: Db,
  folder: string,
  month: Month,
  merchants: readonly bigint[],
  facts: { readonly environment: Environment; readonly writtenAt: string },
): Promise<Readonly<Record<string, ArchivedFile>>> {
  const draft = `${folder}.part`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  const files: Record<string, ArchivedFile> = {}
  for (const table of ARCHIVED) {
    const path = join(draft, fileOf(table.name))
    const counted = { rows: 0 }
    await writeRows(path, rowsOf(db, table, month, merchants, counted))
    const file = await measureFile(path)
    if (file.rows !== counted.rows)
      throw new Error(`${path} has ${file.rows} rows of the ${counted.rows} that were written`)
    files[fileOf(table.name)] = file
  }
  await writeMonthManifest(draft, { month, ...facts, files })
  // What a power cut leaves is a whole month or none: the names within are on the disk before the folder has its own.
  await syncFolder(draft)
  await rename(draft, folder)
  await syncFolder(dirname(folder))
  return files
}

/** The rows of a month as lines, merchant by merchant, so that no snapshot is held for long. */
async function* rowsOf(
  db: Db,
  table: ArchivedTable,
  month: Month,
  merchants: readonly bigint[],
  counted: { rows: number },
): AsyncGenerator<string> {
  const ids = idsOfMonth(table, month)
  const [name, key] = [names(table.name), names(table.key)]
  // Most merchants have nothing of most tables in most months: who has is asked once.
  const having = await db<{ id: bigint }[]>`
    select distinct merchant_id as id from ${name}
     where merchant_id = any(${merchants.map(String)}::bigint[]) and ${key} >= ${ids[0]} and ${key} < ${ids[1]}
     order by id`
  for (const { id } of having)
    for await (const lines of linesOf(db, table, ids, id)) {
      counted.rows += lines.length
      if (lines.length > 0) yield `${lines.join('\n')}\n`
    }
}

/** A merchant's rows with these ids, some at a time; those that have a key in common come together. */
async function* linesOf(
  db: Db,
  table: ArchivedTable,
  [first, end]: ReturnType<typeof idsOfMonth>,
  merchantId: bigint,
): AsyncGenerator<string[]> {
  const [name, key] = [names(table.name), names(table.key)]
  for (let from = first; from < end; ) {
    const [last] = await db<{ id: bigint }[]>`
      select ${key} as id from ${name} where merchant_id = ${merchantId} and ${key} >= ${from} and ${key} < ${end}
       order by ${key} offset ${ROWS_AT_ONCE - 1} limit 1`
    const through = last?.id ?? end - 1n
    const rows = await db<{ line: string }[]>`
      select to_json(t)::text as line from ${name} t
       where merchant_id = ${merchantId} and ${key} >= ${from} and ${key} <= ${through}
       order by ${key}`
    yield rows.map(({ line }) => line)
    from = through + 1n
  }
}

/** The month of the first row that any merchant has. */
async function firstMonth(db: Db, merchants: readonly bigint[]): Promise<Month | undefined> {
  let first: Month | undefined
  for (const table of ARCHIVED)
    for (const merchantId of merchants) {
      const [row] = await db<{ id: bigint | null }[]>`
        select min(${names(table.key)}) as id from ${names(table.name)} where merchant_id = ${merchantId}`
      const month = row === undefined || row.id === null ? undefined : monthOfRow(table, row.id)
      if (month !== undefined && (first === undefined || month < first)) first = month
    }
  return first
}
