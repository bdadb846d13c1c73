import { execFile } from 'node:child_process'
import { chmodSync, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { dayText, lagosDay, lagosMoment } from '@kobo/gateway/kernel/dates.ts'
import { firstIdAt } from '@kobo/gateway/kernel/ids.ts'
import { type Kobo, kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import pg from 'pg'
import type { Bench, Look } from './benchmark.ts'

const run = promisify(execFile)

const PARTNER = 'statements'
/** So many of each kind of fault are planted. */
const FAULTS = 25
/** Every so many-eth line names its payment in the narration only. */
const IN_NARRATION = 10
const SMALLEST = 10_000
const OUTPUT_BYTES_MAX = 100_000_000
/** A payment is booked every so many milliseconds: 100,000 take the half of a day. */
const APART_MILLISECONDS = 400
const COMMAND = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const METER = new URL('command-meter.ts', import.meta.url).href

/**
 * Takes a partner's statement of a day by the command, holds it against as many payments in the books, and finds the faults
 * that are planted; beside what PostgreSQL takes to read the same file and to join it with the journals.
 */
export const statements: Look = async (bench) => {
  const { databaseUrl, transactions, progress } = bench
  const folder = mkdtempSync(join(tmpdir(), 'kobo-statements-'))
  chmodSync(folder, 0o755) // PostgreSQL reads the file too, as whoever it is
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const day = lagosDay(new Date()) - 1
    progress(`preparing ${transactions} payments`)
    await book(client, day, transactions)
    const file = join(folder, 'statement.csv')
    const planted = await writeStatement(file, day, transactions)
    progress('PostgreSQL alone')
    const baseSeconds = await copyAndJoin(client, file)
    await command(bench, folder, 'statement', 'account', PARTNER, '--from', dayText(day), '--opening', '0')
    progress('taking the statement')
    const taken = await command(bench, folder, 'statement', 'import', PARTNER, file)
    const again = await command(bench, folder, 'statement', 'import', PARTNER, file)
    progress('asking for exceptions')
    const asked = await command(bench, folder, 'reconcile', 'exceptions', PARTNER)
    const found = countBy((asked.printed as readonly { readonly reason: string }[]).map(({ reason }) => reason))
    const { lines, matched } = taken.printed as { readonly lines: number; readonly matched: number }
    if (JSON.stringify(found) !== JSON.stringify(planted))
      throw new Error(`planted ${JSON.stringify(planted)}, found ${JSON.stringify(found)}`)
    return {
      'lines / payments in the books': `${lines} / ${transactions}`,
      'PostgreSQL alone reads and joins them, seconds': baseSeconds.toFixed(1),
      'taken and matched, seconds': taken.seconds.toFixed(1),
      'lines a second': (lines / taken.seconds).toFixed(0),
      'memory of the command at most, MB': taken.megabytes.toFixed(0),
      'statements to PostgreSQL': String(taken.statements),
      'groups that agree': String(matched),
      'exceptions found, all of them planted': Object.entries(found)
        .map(([reason, count]) => `${count} × ${reason}`)
        .join(', '),
      'the same file again, seconds / MB': `${again.seconds.toFixed(1)} / ${again.megabytes.toFixed(0)}`,
      'exceptions listed, seconds': asked.seconds.toFixed(1),
    }
  } finally {
    await client.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a command printed, how long it took from its start to its end, and what it used. */
interface Ran {
  readonly printed: unknown
  readonly seconds: number
  readonly megabytes: number
  readonly statements: number
}

/** Runs a command as an operator does, in a process of its own. */
async function command({ databaseUrl }: Bench, folder: string, ...words: readonly string[]): Promise<Ran> {
  const used = join(folder, 'used.json')
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    KOBO_ENVIRONMENT: 'sandbox',
    KOBO_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    KOBO_METER_FILE: used,
  }
  const started = performance.now()
  const args = ['--import', METER, COMMAND, ...words]
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: OUTPUT_BYTES_MAX })
  const seconds = (performance.now() - started) / 1_000
  const { maxRssKilobytes, statements: count } = JSON.parse(readFileSync(used, 'utf8'))
  return { printed: JSON.parse(stdout), seconds, megabytes: maxRssKilobytes / 1_000, statements: count }
}

const countBy = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(words, (word) => word)]
      .map(([word, all]) => [word, all.length] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const amountOf = (n: number): Kobo => kobo(BigInt(SMALLEST + n))
const referenceOf = (n: number): string => `NIP${String(n).padStart(12, '0')}`

/** Payments of a day in the books: a journal of each, and the balances of them all. */
async function book(client: pg.Client, day: number, count: number): Promise<void> {
  const began = lagosMoment(day, 1)
  const { rows } = await client.query('select id from merchant order by id limit 1')
  const merchantId = rows[0].id
  await client.query('begin')
  await client.query(
    `insert into journal (merchant_id, id, key, memo, posted_at, sources, targets, amounts)
     select $1, $2::bigint + ((n * ${APART_MILLISECONDS}) << 22), 'collection/NIP' || lpad(n::text, 12, '0'), 'Collection',
            $3::timestamptz + n * interval '${APART_MILLISECONDS} milliseconds',
            '{clearing/bank-transfer/${PARTNER}}', '{payable}', array[${SMALLEST} + n]
       from generate_series(0, $4::bigint - 1) n`,
    [merchantId, String(firstIdAt(began)), began, count],
  )
  const total = BigInt(count) * BigInt(SMALLEST) + (BigInt(count) * BigInt(count - 1)) / 2n
  await client.query(
    `insert into account (merchant_id, code, balance)
     values ($1, 'clearing/bank-transfer/${PARTNER}', -$2::bigint), ($1, 'payable', $2::bigint)
         on conflict (merchant_id, code) do update set balance = account.balance + excluded.balance`,
    [merchantId, String(total)],
  )
  await client.query('commit')
  await client.query('vacuum analyze')
}

/** The partner's statement of these payments as CSV, with faults; answers which exceptions they make. */
async function writeStatement(file: string, day: number, count: number): Promise<Record<string, number>> {
  let balance = 0n
  const lineOf = (reference: string, amount: bigint, narration: string): string => {
    balance += amount
    return `${dayText(day)},${toNairaText(kobo(amount))},${reference},${narration},${toNairaText(kobo(balance))}\n`
  }
  function* lines(): Generator<string> {
    yield 'date,amount,reference,narration,balance\n'
    for (let n = 0; n < count; n++) {
      const reference = referenceOf(n)
      const amount = amountOf(n)
      if (n < FAULTS) continue
      if (n < 2 * FAULTS) yield lineOf(reference, amount + 1n, 'NIP FROM ADA OBI')
      else if (n % IN_NARRATION === 0) yield lineOf('', amount, `NIP FROM ADA OBI ${reference}`)
      else yield lineOf(reference, amount, 'NIP FROM ADA OBI')
      if (n >= 2 * FAULTS && n < 3 * FAULTS) yield lineOf(`${reference}`, amount, 'NIP FROM ADA OBI')
    }
    for (let n = 0; n < FAULTS; n++) yield lineOf(`UNTOLD${n}`, amountOf(n), 'NIP FROM BAYO ADE')
  }
  await pipeline(lines, createWriteStream(file))
  return { DOUBLED_LINE: FAULTS, MISSING_LINE: FAULTS, MISSING_NOTICE: FAULTS, WRONG_AMOUNT: FAULTS }
}

/** What PostgreSQL takes to read the file and to find the journal of each line, with nothing around it. */
async function copyAndJoin(client: pg.Client, file: string): Promise<number> {
  const started = performance.now()
  await client.query(
    'create unlogged table statement_copy (day date, amount numeric, reference text, narration text, balance numeric)',
  )
  await client.query(`copy statement_copy from '${file.replaceAll("'", "''")}' (format csv, header)`)
  await client.query(
    `create unlogged table statement_copy_matched as
     select c.reference, j.merchant_id, j.id from statement_copy c
       join journal j on j.key = 'collection/' || coalesce(c.reference, right(c.narration, 15))
                     and j.amounts[1] = (c.amount * 100)::bigint`,
  )
  const seconds = (performance.now() - started) / 1_000
  await client.query('drop table statement_copy, statement_copy_matched')
  return seconds
}
