import type { Db, Tx } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { column, table } from '../../platform/table.ts'

/** Who wants the report of each day's settlements. */
const choices = table('report_choice', ['merchantId', 'personId'], {
  merchantId: column<bigint>(),
  personId: column<bigint>(),
  since: column<number>(),
})

const reports = table('settlement_report', ['merchantId', 'day'], {
  merchantId: column<bigint>(),
  day: column<number>(),
})

/** A day of a merchant's. */
export interface ReportDay {
  readonly merchantId: bigint
  /** Days since 1970 in Lagos. */
  readonly day: number
}

export const findChoice = (db: Db | Tx, merchantId: bigint, personId: bigint) =>
  choices.find(db, { merchantId, personId })

export const insertChoice = (tx: Tx, merchantId: bigint, personId: bigint, since: number): Promise<number> =>
  choices.insertNew(tx, [{ merchantId, personId, since }], sql`(merchant_id, person_id)`)

export async function deleteChoice(tx: Tx, merchantId: bigint, personId: bigint): Promise<number> {
  const { count } = await tx`
    delete from report_choice where merchant_id = ${merchantId} and person_id = ${personId}`
  return count
}

/** Who wants a merchant's report of a day. */
export const selectReaders = (tx: Tx, { merchantId, day }: ReportDay): Promise<{ personId: bigint }[]> =>
  tx<{ personId: bigint }[]>`
    select person_id from report_choice where merchant_id = ${merchantId} and since <= ${day}`

/** The days up to one, and no earlier than another, of which somebody wants a report that was not made. */
export const selectMissing = (db: Db, from: number, upTo: number, limit: number): Promise<ReportDay[]> =>
  db<ReportDay[]>`
    -- over all merchants: what is due
    select c.merchant_id, d.day
      from (select merchant_id, min(since) as since from report_choice group by merchant_id) c
     cross join generate_series(${from}::integer, ${upTo}::integer) d(day)
     where d.day >= c.since
       and not exists (select from settlement_report r where r.merchant_id = c.merchant_id and r.day = d.day)
     order by d.day, c.merchant_id
     limit ${limit}`

/** Whether anybody wants a report at all. */
export async function isWanted(db: Db): Promise<boolean> {
  const rows = await db`
    -- over all merchants: what is due
    select from report_choice limit 1`
  return rows.length > 0
}

/** Takes a day to report, and forgets those before another; answers whether nobody had it before. */
export async function takeDay(tx: Tx, { merchantId, day }: ReportDay, forgetBefore: number): Promise<boolean> {
  void tx`delete from settlement_report where merchant_id = ${merchantId} and day < ${forgetBefore}`
  return (await reports.insertNew(tx, [{ merchantId, day }], sql`(merchant_id, day)`)) === 1
}
