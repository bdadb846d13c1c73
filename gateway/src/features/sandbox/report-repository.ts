import type { getReport, Reply } from '@kobo/contract'
import type { Db } from '../../platform/postgres/db.ts'

type Report = NonNullable<Reply<typeof getReport>['report']>

/** Finds the report of the merchant's last check, if there was one. */
export async function findReport(
  db: Db,
  merchantId: bigint,
): Promise<{ readonly report: Report; readonly checkedAt: Date } | undefined> {
  const [row] = await db<{ report: Report; checkedAt: Date }[]>`
    select report, checked_at from integration_report where merchant_id = ${merchantId}`
  return row
}

export async function storeReport(db: Db, merchantId: bigint, report: Report, at: Date): Promise<void> {
  await db`
    insert into integration_report (merchant_id, report, checked_at)
    values (${merchantId}, ${JSON.stringify(report)}::jsonb, ${at})
    on conflict (merchant_id) do update set report = excluded.report, checked_at = excluded.checked_at`
}
