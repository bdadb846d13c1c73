import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, table } from '../../platform/postgres/table.ts'

/** Team members who subscribe to the daily settlement report. */
const subscriptions = table('report_choice', ['merchantId', 'personId'], {
  merchantId: column<bigint>(),
  personId: column<bigint>(),
  since: column<number>(),
})

const reports = table('settlement_report', ['merchantId', 'day'], {
  merchantId: column<bigint>(),
  day: column<number>(),
})

/** The merchant and the day of a report. */
export interface ReportDay {
  readonly merchantId: bigint
  /** Days since 1970 in Lagos. */
  readonly day: number
}

export const findSubscription = (db: Db | Tx, merchantId: bigint, personId: bigint) =>
  subscriptions.find(db, { merchantId, personId })

export const insertSubscription = (tx: Tx, merchantId: bigint, personId: bigint, since: number): Promise<number> =>
  subscriptions.insertNew(tx, [{ merchantId, personId, since }], sql`(merchant_id, person_id)`)

export async function deleteSubscription(tx: Tx, merchantId: bigint, personId: bigint): Promise<number> {
  const { count } = await tx`
    delete from report_choice where merchant_id = ${merchantId} and person_id = ${personId}`
  return count
}

export const selectSubscribers = (tx: Tx, { merchantId, day }: ReportDay): Promise<{ personId: bigint }[]> =>
  tx<{ personId: bigint }[]>`
    select person_id from report_choice where merchant_id = ${merchantId} and since <= ${day}`

/** Finds the days in a range for which a subscribed report is missing. */
export const selectMissing = (db: Db, from: number, upTo: number, limit: number): Promise<ReportDay[]> =>
  db<ReportDay[]>`
    -- over all merchants: due work
    select c.merchant_id, d.day
      from (select merchant_id, min(since) as since from report_choice group by merchant_id) c
     cross join generate_series(${from}::integer, ${upTo}::integer) d(day)
     where d.day >= c.since
       and not exists (select from settlement_report r where r.merchant_id = c.merchant_id and r.day = d.day)
     order by d.day, c.merchant_id
     limit ${limit}`

/** Whether there is any subscriber. */
export async function hasSubscribers(db: Db): Promise<boolean> {
  const rows = await db`
    -- over all merchants: due work
    select from report_choice limit 1`
  return rows.length > 0
}

/** Claims a day to report, and deletes old claims; returns false if the day was claimed before. */
export async function claimDay(tx: Tx, { merchantId, day }: ReportDay, forgetBefore: number): Promise<boolean> {
  void tx`delete from settlement_report where merchant_id = ${merchantId} and day < ${forgetBefore}`
  return (await reports.insertNew(tx, [{ merchantId, day }], sql`(merchant_id, day)`)) === 1
}
