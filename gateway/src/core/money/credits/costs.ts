import { ulid } from '../../../kernel/ids.ts'
import type { Kobo } from '../../../kernel/money.ts'
import { add } from '../../../kernel/money.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { column, ofMerchants, type Row, table } from '../../../platform/postgres/table.ts'
import type { InboundCredit } from '../../../rails/bank.ts'
import type { UnitOfWork } from '../../unit-of-work.ts'
import { accounts, acts, type Journal, ownedBy, type RowCheck, ranged, within } from '../ledger/index.ts'

/** Fees that partners deducted from credits. */
const costs = table('credit_cost', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  /** Our reference, which is also part of the journal's key. */
  reference: column<string>(),
  partner: column<string>(),
  bankCode: column<string>(),
  railReference: column<string>(),
  fee: column<Kobo>(),
  vat: column<Kobo>(),
  toldAt: column<Date>(),
})
type CostRow = Row<typeof costs>

/** Books a fee that a partner deducted: the partner holds that much less for us, and the fee is our cost. */
const costJournal = ({ merchantId, reference, partner, fee, vat }: CostRow): Journal => ({
  merchantId,
  key: `credit-cost/${reference}`,
  memo: 'Partner’s fee for a credit',
  moves: [{ from: accounts.costs(partner), to: accounts.clearingAt(partner), amount: add(fee, vat) }],
})

/** Stores the fees that partners reported for new credits; returns the journals to post. */
export function postCosts(
  unit: UnitOfWork,
  credits: readonly { readonly merchantId: bigint; readonly credit: InboundCredit }[],
): readonly Journal[] {
  const { tx, ids, at } = unit
  const rows = credits.flatMap(({ merchantId, credit: { partner, bankCode, railReference, cost } }): CostRow[] =>
    cost === undefined
      ? []
      : [
          {
            merchantId,
            id: ids.id(),
            reference: `COST|${ulid(at)}`,
            partner,
            bankCode,
            railReference,
            ...cost,
            toldAt: at,
          },
        ],
  )
  costs.insert(tx, rows)
  return rows.map(costJournal)
}

/** Checks that every reported fee is posted. */
export const costChecks: readonly RowCheck[] = [
  acts<CostRow>({
    name: 'cost of a credit',
    rows: { table: 'credit_cost', idFormat: 'standard' },
    read: (tx, ranges) =>
      tx<CostRow[]>`select ${costs.of('r')} from ${ranged(ranges)} join credit_cost r on ${within('r', ranges)}`,
    reference: ({ railReference }) => railReference,
    state: () => 'reported',
    consequences: (row) => ({ booked: [costJournal(row)] }),
    owned: [ownedBy('credit-cost/', 'credit_cost', 'reference', 'the end')],
  }),
]

/** Selects the banks' references of credits with fees, by merchant and our reference of the fee. */
export const selectCredited = (
  db: Db | Tx,
  costed: readonly Pick<CostRow, 'merchantId' | 'reference'>[],
): Promise<Pick<CostRow, 'merchantId' | 'reference' | 'railReference'>[]> =>
  db<Pick<CostRow, 'merchantId' | 'reference' | 'railReference'>[]>`
    select c.merchant_id, c.reference, c.rail_reference
      from ${costs.set(costed, ['merchantId', 'reference'])} k
      join credit_cost c using (merchant_id, reference)
     where ${ofMerchants('c', costed)}`
