import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dayText, lagosMoment } from '@kobo/gateway/kernel/dates.ts'
import { firstIdAt } from '@kobo/gateway/kernel/ids.ts'
import { type Kobo, kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import pg from 'pg'
import type { Look } from './benchmark.ts'
import { runCommand } from './processes.ts'

const PARTNER = 'statements'
/** So many of each kind of fault are planted. */
const FAULTS = 25
/** Every so many-eth line names its payment in the narration only. */
const IN_NARRATION = 10
const SMALLEST = 10_000
/** A payment is booked every so many milliseconds: 100,000 take the half of a day. */
const APART_MILLISECONDS = 400

/**
 * Takes a partner's statement of a day by the command, holds it against as many payments in the books, and finds the faults
 * that are planted; beside what PostgreSQL takes to read the same file and to join it with the journals.
 */
export const statements: Look = async ({ databaseUrl, transactions, progress }) => {
  const command = (...words: readonly string[]) => runCommand(databaseUrl, words)
  const folder = mkdtempSync(join(tmpdir(), 'kobo-statements-'))
  chmodSync(folder, 0o755) // PostgreSQL reads the file too, as whoever it is
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query(`select (now() at time zone 'Africa/Lagos')::date - date '1970-01-02' as day`)
    const { day } = rows[0]
    progress(`preparing ${transactions} payments`)
    await book(client, day, transactions)
    const file = join(folder, 'statement.csv')
    const planted = await writeStatement(file, day, transactions)
    progress('PostgreSQL alone')
    const baseSeconds = await copyAndJoin(client, file)
    await command('statement', 'account', PARTNER, '--from', dayText(day), '--opening', '0')
    progress('taking the statement')
    const taken = await command('statement', 'import', PARTNER, file)
    const again = await command('statement', 'import', PARTNER, file)
    progress('asking for exceptions')
    const asked = await command('reconcile', 'exceptions', PARTNER)
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
