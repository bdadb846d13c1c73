import type { Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const guards = table('transfer_code_guard', ['merchantId'], {
  merchantId: column<bigint>(),
  wrong: column<number>(),
  countedFrom: column<Date>(),
  lockedUntil: column<Date | null>(),
})
export type CodeGuardRow = Row<typeof guards>

/** Reads a merchant's count of wrong codes; undefined if there were none. */
export const findCodeGuard = (tx: Tx, merchantId: bigint): Promise<CodeGuardRow | undefined> =>
  guards.find(tx, { merchantId })

/** Locks a merchant's count of wrong codes, so that parallel codes are checked one after the other. */
export async function lockCodeGuard(tx: Tx, merchantId: bigint, at: Date): Promise<CodeGuardRow | undefined> {
  await tx`
    insert into transfer_code_guard (merchant_id, wrong, counted_from) values (${merchantId}, 0, ${at})
        on conflict (merchant_id) do nothing`
  const [row] = await guards.lock(tx, [{ merchantId }])
  return row
}

/** Counts a wrong code, starting over if the earlier ones are older than `since`; returns the count. */
export async function addWrongCode(tx: Tx, merchantId: bigint, since: Date, at: Date): Promise<number> {
  const [row] = await tx<Pick<CodeGuardRow, 'wrong'>[]>`
    insert into transfer_code_guard as g (merchant_id, wrong, counted_from) values (${merchantId}, 1, ${at})
        on conflict (merchant_id) do update
       set wrong = case when g.counted_from > ${since} then g.wrong + 1 else 1 end,
           counted_from = case when g.counted_from > ${since} then g.counted_from else ${at} end
    returning wrong`
  return row?.wrong ?? 0
}

export function updateCodeGuard(tx: Tx, merchantId: bigint, change: Partial<CodeGuardRow>): void {
  void guards.change(tx, sql`merchant_id = ${merchantId}`, change)
}
