import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

/** The decisions that operators can make about an item. */
export type Resolution =
  /** A bank charge, or the refund of one: posted as the partner's cost. */
  | { readonly as: 'cost' }
  /** A deposit or withdrawal by the operator. */
  | { readonly as: 'own' }
  /** A transfer to or from our account at another partner. */
  | { readonly as: 'moved'; readonly other: string }
  /** A payment that the partner made for a merchant but the ledger does not have: charged to the merchant. */
  | { readonly as: 'merchant'; readonly merchantCode: string }
  /** Items that cancel each other out: nothing is posted. */
  | { readonly as: 'join'; readonly others: readonly string[] }
  /** Received money with an unknown owner. */
  | { readonly as: 'suspense' }
  /**
   * A credit on an account number that the partner did not report. It is received as if it was reported now, under the
   * bank's reference, or under `reference` if the line has none.
   */
  | {
      readonly as: 'credit'
      readonly bankCode: string
      readonly accountNumber: string
      readonly reference?: string | undefined
    }

/** Operators' decisions about items. One operator proposes, another confirms, and then the decision is carried out. */
export const decisions = table('reconciliation_decision', ['merchantId', 'id'], {
  /** Kobo itself, which owns the decision's journals. */
  merchantId: column<bigint>(),
  id: column<bigint>(),
  partner: column<string>(),
  itemId: column<bigint>(),
  wanted: column<Resolution>(),
  difference: column<Kobo>(),
  proposedBy: column<string>(),
  /** The user; null if only a name was given, at the command line of a sandbox. */
  proposedById: column<bigint | null>(),
  proposedBecause: column<string>(),
  proposedAt: column<Date>(),
  confirmedBy: column<string | null>(),
  confirmedBecause: column<string | null>(),
  confirmedAt: column<Date | null>(),
  state: column<'PROPOSED' | 'CARRIED_OUT' | 'MOOT'>(),
})
export type DecisionRow = Row<typeof decisions>

export const insertDecision = (tx: Tx, row: DecisionRow): void => decisions.insert(tx, [row])
export const updateDecision = (tx: Tx, row: DecisionRow): void =>
  decisions.update(tx, [row], ['state', 'confirmedBy', 'confirmedBecause', 'confirmedAt'])

/** Finds the open proposal about an item. */
export async function findProposed(tx: Tx, partner: string, itemId: bigint): Promise<DecisionRow | undefined> {
  const [row] = await tx<DecisionRow[]>`
    select ${decisions.columns} from reconciliation_decision
     where partner = ${partner} and item_id = ${itemId} and state = 'PROPOSED'`
  return row
}

/** Returns the decisions about the given items, newest first. */
export const selectDecisions = (db: Db | Tx, partner: string, itemIds: readonly bigint[]): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from reconciliation_decision
     where partner = ${partner} and item_id = any(${itemIds.map(String)}::bigint[]) order by id desc`

/** Ends proposals about items that have changed or no longer exist. */
export function endProposals(tx: Tx, partner: string, itemIds: readonly bigint[]): void {
  if (itemIds.length > 0)
    void tx`
      update reconciliation_decision set state = 'MOOT'
       where partner = ${partner} and state = 'PROPOSED' and item_id = any(${itemIds.map(String)}::bigint[])`
}
