import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Environment } from '../../platform/config.ts'
import { isMonth, type Month, monthAfter } from './months.ts'

const MANIFEST = 'manifest.json'
/** Raised when a program could no longer read what an earlier one has written. */
const FORMAT = 1
const OWNERS_ALONE = 0o600

/** What is in a file, and how to tell that it is as it was written. */
export interface ArchivedFile {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** What a month's folder says of itself. */
export interface MonthManifest {
  readonly format: number
  readonly month: Month
  readonly environment: Environment
  readonly writtenAt: string
  readonly files: Readonly<Record<string, ArchivedFile>>
}

export const fileOf = (table: string): string => `${table}.ndjson.gz`

/** The months that an archive has, oldest first. */
export const monthsIn = async (folder: string): Promise<readonly Month[]> =>
  (await readdir(folder)).filter(isMonth).sort()

/** Writes rows, each a line of JSON, into a compressed file. */
export async function writeRows(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(
    Readable.from(lines),
    createGzip(),
    createWriteStream(path, { mode: OWNERS_ALONE, flags: 'wx', flush: true }),
  )
}

/** The lines of a compressed file; throws where it is cut off. */
export async function* readRows(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const plain = createGunzip().setEncoding('utf8')
  source.on('error', (error) => plain.destroy(error))
  source.pipe(plain)
  try {
    let rest = ''
    for await (const text of plain) {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') throw new Error(`${path} ends within a line`)
  } finally {
    source.destroy()
  }
}

/** Reads a file as it is on the disk. */
export async function measureFile(path: string): Promise<ArchivedFile> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  let rows = 0
  for await (const _ of readRows(path)) rows++
  return { rows, bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

export const writeMonthManifest = (folder: string, manifest: Omit<MonthManifest, 'format'>): Promise<void> =>
  writeFile(join(folder, MANIFEST), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`, {
    mode: OWNERS_ALONE,
    flush: true,
  })

/** What a month's folder says of itself; undefined where it has nothing to say. */
export async function readMonthManifest(folder: string): Promise<MonthManifest | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as MonthManifest
  if (manifest.format !== FORMAT)
    throw new Error(`${folder} was written by another version of Kobo, which can read it.`)
  return manifest
}

/** What an archive lacks, in words: it has months, and each that lies between two others. */
export function checkMonths(folder: string, months: readonly Month[]): readonly string[] {
  if (months.length === 0) return [`${folder} has no months`]
  return months
    .slice(1)
    .flatMap((month, index) =>
      month === monthAfter(months[index] ?? '') ? [] : [`${folder} has nothing between ${months[index]} and ${month}`],
    )
}

/** What is wrong with a month's folder, in words; nothing where each file is as it was written. */
export async function checkMonth(folder: string): Promise<readonly string[]> {
  const manifest = await readMonthManifest(folder)
  if (manifest === undefined) return [`${folder} has no ${MANIFEST}`]
  const wrong: string[] = []
  for (const [name, written] of Object.entries(manifest.files)) {
    const found = await measureFile(join(folder, name)).catch(() => undefined)
    if (found === undefined) wrong.push(`${join(folder, name)} is missing or cannot be read`)
    else if (found.sha256 !== written.sha256 || found.rows !== written.rows)
      wrong.push(`${join(folder, name)} is not as it was written`)
  }
  return wrong
}
