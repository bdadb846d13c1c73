import type { BatchStatus, TransferStatus } from '@kobo/contract'
import type { StoredPolicy } from '../../core/merchants/index.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { type Fragment, sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const requests = table('approval_request', ['merchantId', 'ownerId'], {
  merchantId: column<bigint>(),
  /** The transfer or the batch. */
  ownerId: column<bigint>(),
  kind: column<'TRANSFER' | 'BATCH'>(),
  /** Null if made through the API. */
  madeBy: column<bigint | null>(),
  approvalsNeeded: column<number>(),
  hash: column<string>(),
  createdAt: column<Date>(),
})
export type RequestRow = Row<typeof requests>

const decisions = table('approval', ['merchantId', 'ownerId', 'personId'], {
  merchantId: column<bigint>(),
  ownerId: column<bigint>(),
  personId: column<bigint>(),
  verdict: column<'APPROVE' | 'REJECT'>(),
  reason: column<string | null>(),
  isOwn: column<boolean>(),
  at: column<Date>(),
})
export type DecisionRow = Row<typeof decisions>

export const insertRequests = (tx: Tx, rows: readonly RequestRow[]): void => requests.insert(tx, rows)

export const findRequest = (db: Db | Tx, merchantId: bigint, ownerId: bigint): Promise<RequestRow | undefined> =>
  requests.find(db, { merchantId, ownerId })

/** Decisions on payouts, oldest first. */
export const selectDecisions = (db: Db | Tx, merchantId: bigint, ownerIds: readonly bigint[]): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from approval
     where merchant_id = ${merchantId} and owner_id = any(${ownerIds.map(String)}::bigint[])
     order by owner_id, at, person_id`

export const insertDecision = (tx: Tx, row: DecisionRow): void => decisions.insert(tx, [row])

/** An approval request with the status of its payout. */
export interface RequestWithStatus extends RequestRow {
  readonly reference: string
  readonly status: TransferStatus | BatchStatus
  readonly amount: bigint
  readonly fee: bigint
  readonly narration: string
  readonly itemsCount: number
  readonly destinationBankCode: string | null
  readonly destinationAccountNumber: string | null
  readonly destinationAccountName: string | null
}

const standing = (merchantId: bigint, condition: Fragment, limit: number): Fragment => sql`
  select ${requests.of('r')},
         coalesce(t.reference, b.batch_reference) as reference, coalesce(t.status, b.status) as status,
         coalesce(t.amount, b.total_amount) as amount, coalesce(t.fee, b.total_fee) as fee,
         coalesce(t.narration, b.narration) as narration, coalesce(b.items_count, 1) as items_count,
         t.destination_bank_code, t.destination_account_number, t.destination_account_name
    from approval_request r
    left join transfer t on r.kind = 'TRANSFER' and t.merchant_id = r.merchant_id and t.id = r.owner_id
    left join transfer_batch b on r.kind = 'BATCH' and b.merchant_id = r.merchant_id and b.id = r.owner_id
   where r.merchant_id = ${merchantId} and ${condition}
   order by r.owner_id desc
   limit ${limit}`

/** Approval requests of a merchant, newest first: those waiting since a time, or all before an id. */
export const selectRequests = (
  db: Db,
  merchantId: bigint,
  which: { readonly waitingSince: Date } | { readonly before: bigint | undefined },
  limit: number,
): Promise<RequestWithStatus[]> =>
  db<RequestWithStatus[]>`${standing(
    merchantId,
    'waitingSince' in which
      ? sql`r.created_at > ${which.waitingSince} and coalesce(t.status, b.status) = 'PENDING_AUTHORIZATION'`
      : which.before === undefined
        ? sql`true`
        : sql`r.owner_id < ${which.before}`,
    limit,
  )}`

export async function selectRequest(
  db: Db,
  merchantId: bigint,
  ownerId: bigint,
): Promise<RequestWithStatus | undefined> {
  const [row] = await db<RequestWithStatus[]>`${standing(merchantId, sql`r.owner_id = ${ownerId}`, 1)}`
  return row
}

const changes = table('approval_policy_change', ['merchantId'], {
  merchantId: column<bigint>(),
  policy: column<StoredPolicy>(),
  askedBy: column<bigint>(),
  approvedBy: column<bigint | null>(),
  /** Business time. */
  countsFrom: column<Date>(),
})
export type PolicyChangeRow = Row<typeof changes>

export const findPolicyChange = (db: Db | Tx, merchantId: bigint): Promise<PolicyChangeRow | undefined> =>
  changes.find(db, { merchantId })

/** Replaces the merchant's pending change, if any. */
export async function putPolicyChange(tx: Tx, row: PolicyChangeRow): Promise<void> {
  await deletePolicyChange(tx, row.merchantId)
  changes.insert(tx, [row])
}

export async function deletePolicyChange(tx: Tx, merchantId: bigint): Promise<boolean> {
  return (await tx`delete from approval_policy_change where merchant_id = ${merchantId}`).count === 1
}

export const approveChange = (tx: Tx, merchantId: bigint, approvedBy: bigint) =>
  changes.change(tx, sql`merchant_id = ${merchantId}`, { approvedBy })

/** Approved changes that are due. */
export const selectDueChanges = (db: Db, at: Date, limit: number): Promise<PolicyChangeRow[]> =>
  // over all merchants: due work
  db<PolicyChangeRow[]>`
    select ${changes.columns} from approval_policy_change
     where approved_by is not null and counts_from <= ${at} order by counts_from limit ${limit}`
