import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { column, type Row, table } from '../../platform/table.ts'

/** What can be done about an item where money moves. */
export type Wanted =
  /** The bank kept it, or gave it back: it is what the partner cost us. */
  | { readonly as: 'cost' }
  /** The operator put it in, or took it out. */
  | { readonly as: 'own' }
  /** It went to, or came from, our account at another partner. */
  | { readonly as: 'moved'; readonly other: string }
  /** It arrived, and nobody knows whose it is. */
  | { readonly as: 'suspense' }
  /** It arrived on an account number, and nobody told of it: it is received as if its notice came now. */
  | { readonly as: 'credit'; readonly bankCode: string; readonly accountNumber: string }

/** What people decided about items: one proposes it, another confirms it, and with that it is carried out. */
export const decisions = table('reconciliation_decision', ['merchantId', 'id'], {
  /** The house's: its journals are. */
  merchantId: column<bigint>(),
  id: column<bigint>(),
  partner: column<string>(),
  itemId: column<bigint>(),
  wanted: column<Wanted>(),
  /** What the item came to. */
  difference: column<Kobo>(),
  proposedBy: column<string>(),
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

/** What is proposed about an item. */
export async function findProposed(tx: Tx, partner: string, itemId: bigint): Promise<DecisionRow | undefined> {
  const [row] = await tx<DecisionRow[]>`
    select ${decisions.columns} from reconciliation_decision
     where partner = ${partner} and item_id = ${itemId} and state = 'PROPOSED'`
  return row
}

/** What was decided about some items, newest first. */
export const selectDecisions = (db: Db | Tx, partner: string, itemIds: readonly bigint[]): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from reconciliation_decision
     where partner = ${partner} and item_id = any(${itemIds.map(String)}::bigint[]) order by id desc`

/** What was proposed about items that have become others, or are no more. */
export function endProposals(tx: Tx, partner: string, itemIds: readonly bigint[]): void {
  if (itemIds.length > 0)
    void tx`
      update reconciliation_decision set state = 'MOOT'
       where partner = ${partner} and state = 'PROPOSED' and item_id = any(${itemIds.map(String)}::bigint[])`
}
