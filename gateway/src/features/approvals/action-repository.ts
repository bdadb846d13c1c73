import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { type PayoutKey, WAITING } from './payouts.ts'

const actions = table('sensitive_action', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  madeBy: column<bigint>(),
  /** The action and its fields, as the approver reads them. */
  action: column<string>(),
  details: column<string>(),
  requestHash: column<string>(),
  status: column<typeof WAITING | 'APPROVED' | 'REJECTED' | 'USED'>(),
  createdAt: column<Date>(),
  approvedAt: column<Date | null>(),
})
export type ActionRow = Row<typeof actions>

export const insertAction = (tx: Tx, row: ActionRow): void => actions.insert(tx, [row])

export const selectActions = (db: Db, keys: readonly PayoutKey[]): Promise<ActionRow[]> => actions.select(db, keys)

export async function lockAction(tx: Tx, key: PayoutKey): Promise<ActionRow | undefined> {
  const [row] = await actions.lock(tx, [key])
  return row
}

export async function updateAction(tx: Tx, { merchantId, id }: PayoutKey, change: Partial<ActionRow>): Promise<void> {
  await actions.change(tx, sql`merchant_id = ${merchantId} and id = ${id}`, change)
}

type Requested = Pick<ActionRow, 'merchantId' | 'madeBy' | 'requestHash'>

/** Marks an approved request as used, if it was approved after the given time; returns its action, if any. */
export async function useAction(
  tx: Tx,
  { merchantId, madeBy, requestHash }: Requested,
  since: Date,
): Promise<ActionRow | undefined> {
  const [row] = await tx<ActionRow[]>`
    select ${actions.columns} from sensitive_action
     where merchant_id = ${merchantId} and made_by = ${madeBy} and request_hash = ${requestHash}
       and status = 'APPROVED' and approved_at > ${since}
     order by id limit 1
       for update`
  if (row !== undefined) await updateAction(tx, row, { status: 'USED' })
  return row
}

/** Whether the same request, made after the given time, already waits for approval. */
export async function isActionWaiting(
  tx: Tx,
  { merchantId, madeBy, requestHash }: Requested,
  since: Date,
): Promise<boolean> {
  const rows = await tx`
    select from sensitive_action
     where merchant_id = ${merchantId} and made_by = ${madeBy} and request_hash = ${requestHash}
       and status = ${WAITING} and created_at > ${since}
     limit 1`
  return rows.count > 0
}
