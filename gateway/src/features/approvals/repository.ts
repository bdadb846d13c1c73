import type { PayoutKind } from '@kobo/contract'
import type { StoredPolicy } from '../../core/merchants/index.ts'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { PayoutKey } from './payouts.ts'

const requests = table('approval_request', ['merchantId', 'ownerId'], {
  merchantId: column<bigint>(),
  /** The id of the payout (a transfer, batch, refund, paycode or bill) or of the action. */
  ownerId: column<bigint>(),
  kind: column<PayoutKind>(),
  /** Null if made through the API. */
  madeBy: column<bigint | null>(),
  approvalsNeeded: column<number>(),
  hash: column<string>(),
  createdAt: column<Date>(),
  /** When its payout stopped waiting for approval; null while it waits, and for transfers that expired. */
  endedAt: column<Date | null>(),
  /** When the approvers were mailed. */
  notifiedAt: column<Date | null>(),
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

/** Closes the requests of payouts that no longer wait. */
export function endRequests(tx: Tx, keys: readonly PayoutKey[], at: Date): void {
  if (keys.length === 0) return
  void tx`
    update approval_request r set ended_at = ${at}
      from ${requests.set(
        keys.map(({ merchantId, id }) => ({ merchantId, ownerId: id })),
        ['merchantId', 'ownerId'],
      )} k
     where ${ofMerchants('r', keys)} and r.merchant_id = k.merchant_id and r.owner_id = k.owner_id`
}

/** Reads a merchant's approval requests, newest first: open ones since the given time, or all before an id. */
export const selectRequests = (
  db: Db,
  merchantId: bigint,
  which: { readonly openSince: Date } | { readonly before: bigint | undefined },
  limit: number,
): Promise<RequestRow[]> =>
  db<RequestRow[]>`
    select ${requests.columns} from approval_request
     where merchant_id = ${merchantId}
       and ${
         'openSince' in which
           ? sql`created_at > ${which.openSince} and ended_at is null`
           : which.before === undefined
             ? sql`true`
             : sql`owner_id < ${which.before}`
       }
     order by owner_id desc
     limit ${limit}`

/** Finds merchants with requests about which the approvers were not mailed yet. */
export const selectUnnotified = (db: Db, shard: Shard, openSince: Date, limit: number): Promise<MerchantKey[]> =>
  db<MerchantKey[]>`
    select distinct merchant_id from approval_request r
     where ${ofShard(shard, 'r')} and notified_at is null and ended_at is null and created_at > ${openSince}
     limit ${limit}`

interface MerchantKey {
  readonly merchantId: bigint
}

/** Marks a merchant's open requests as mailed; returns those that were not marked before. */
export const markNotified = (tx: Tx, merchantId: bigint, openSince: Date, at: Date): Promise<RequestRow[]> =>
  tx<RequestRow[]>`
    update approval_request set notified_at = ${at}
     where merchant_id = ${merchantId} and notified_at is null and ended_at is null and created_at > ${openSince}
    returning ${requests.columns}`

/** Counts a merchant's refunds, paycodes, bills and actions since the given time that await approval. */
export async function countWaiting(db: Db, merchantId: bigint, openSince: Date): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count
      from approval_request
     where merchant_id = ${merchantId} and created_at > ${openSince} and ended_at is null and kind in ('REFUND', 'PAYCODE', 'BILL', 'ACTION')`
  return row?.count ?? 0
}

const changes = table('approval_policy_change', ['merchantId'], {
  merchantId: column<bigint>(),
  policy: column<StoredPolicy>(),
  askedBy: column<bigint>(),
  approvedBy: column<bigint | null>(),
  /** When the change takes effect, in business time. */
  countsFrom: column<Date>(),
})
export type PolicyChangeRow = Row<typeof changes>

export const findPolicyChange = (db: Db | Tx, merchantId: bigint): Promise<PolicyChangeRow | undefined> =>
  changes.find(db, { merchantId })

/** Stores the merchant's pending change in place of an earlier one. */
export async function putPolicyChange(tx: Tx, row: PolicyChangeRow): Promise<void> {
  await deletePolicyChange(tx, row.merchantId)
  changes.insert(tx, [row])
}

export async function deletePolicyChange(tx: Tx, merchantId: bigint): Promise<boolean> {
  return (await tx`delete from approval_policy_change where merchant_id = ${merchantId}`).count === 1
}

export const approveChange = (tx: Tx, merchantId: bigint, approvedBy: bigint) =>
  changes.change(tx, sql`merchant_id = ${merchantId}`, { approvedBy })

export const selectDueChanges = (db: Db, at: Date, limit: number): Promise<PolicyChangeRow[]> =>
  // over all merchants: due work
  db<PolicyChangeRow[]>`
    select ${changes.columns} from approval_policy_change
     where approved_by is not null and counts_from <= ${at} order by counts_from limit ${limit}`
