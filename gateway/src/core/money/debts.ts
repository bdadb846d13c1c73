import { add, type Kobo, smaller, subtract } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { FINDINGS_SHOWN_MAX, type Finding, type StateCheck } from './ledger/index.ts'

/** Merchants' debts: disputed money that neither wallet nor reserve could cover. */
const debts = table('merchant_debt', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  /** The dispute's id. */
  id: column<bigint>(),
  reference: column<string>(),
  amount: column<Kobo>(),
  repaid: column<Kobo>(),
  since: column<Date>(),
})
export type DebtRow = Row<typeof debts>

/** Each repayment of a debt, with the key of its journal. */
const repayments = table('debt_repayment', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  debtId: column<bigint>(),
  amount: column<Kobo>(),
  repaidBy: column<string>(),
  at: column<Date>(),
})
type RepaymentRow = Row<typeof repayments>

type MerchantKey = Pick<DebtRow, 'merchantId'>

/** Inserts a debt. The caller posts its journal in the same transaction. */
export const insertDebt = (tx: Tx, debt: DebtRow): void => debts.insert(tx, [debt])

/** Open debts of merchants, locked until the transaction ends, and the repayments made in it. */
export interface Debts {
  /**
   * Repays a merchant's debts, oldest first, with at most `upTo`, under the journal `repaidBy`; returns the amount
   * used.
   */
  readonly repay: (merchantId: bigint, upTo: Kobo, repaidBy: string) => Kobo
  readonly write: (unit: UnitOfWork) => void
}

/** Locks merchants' open debts, oldest first. */
export async function openDebts(tx: Tx, merchants: readonly MerchantKey[]): Promise<Debts> {
  const open =
    merchants.length === 0
      ? []
      : await tx<DebtRow[]>`
          select ${debts.of('d')} from merchant_debt d
           where ${ofMerchants('d', merchants)} and d.repaid < d.amount
           order by d.merchant_id, d.id
             for no key update`
  const repaidOf = new Map(open.map((debt) => [debt, debt.repaid]))
  const newRepayments: Omit<RepaymentRow, 'id' | 'at'>[] = []
  return {
    repay: (merchantId, upTo, repaidBy) => {
      let rest: Kobo = upTo
      for (const debt of open) {
        const repaid = repaidOf.get(debt) ?? debt.repaid
        const amount = smaller(rest, subtract(debt.amount, repaid))
        if (debt.merchantId !== merchantId || amount <= 0n) continue
        repaidOf.set(debt, add(repaid, amount))
        newRepayments.push({ merchantId, debtId: debt.id, amount, repaidBy })
        rest = subtract(rest, amount)
      }
      return subtract(upTo, rest)
    },
    write: (unit) => {
      const changed = open.filter((debt) => repaidOf.get(debt) !== debt.repaid)
      debts.update(
        unit.tx,
        changed.map((debt) => ({ ...debt, repaid: repaidOf.get(debt) ?? debt.repaid })),
        ['repaid'],
      )
      repayments.insert(
        unit.tx,
        newRepayments.map((one) => ({ ...one, id: unit.ids.id(), at: unit.at })),
      )
    },
  }
}

/** Selects debts by the ids of their disputes. A dispute without a row never became a debt. */
export const selectDebts = (db: Db | Tx, keys: readonly Pick<DebtRow, 'merchantId' | 'id'>[]): Promise<DebtRow[]> =>
  debts.select(db, keys)

/** Checks that a merchant's debt account equals its open debts, and each debt's repaid amount its repayments. */
export const debtsMatchAccount: StateCheck = async (tx, whose) => {
  const rows = await tx<{ merchantId: bigint; reference: string; what: string }[]>`
    with owed as (
      select merchant_id, sum(amount - repaid) as owed from merchant_debt d where ${whose('d')} group by merchant_id)
    select merchant_id, 'debt' as reference,
           'account debt holds ' || coalesce(balance, 0) || ', open debts sum to ' || coalesce(owed, 0) as what
      from (select merchant_id, balance from account a where code = 'debt' and ${whose('a')}) a
      full join owed using (merchant_id)
     where coalesce(balance, 0) <> -coalesce(owed, 0)
    union all
    select d.merchant_id, d.reference,
           'debt says that ' || d.repaid || ' is repaid, its repayments sum to ' || coalesce(r.amount, 0)
      from merchant_debt d
      left join (select merchant_id, debt_id, sum(amount) as amount from debt_repayment p
                  where ${whose('p')} group by merchant_id, debt_id) r
        on r.merchant_id = d.merchant_id and r.debt_id = d.id
     where d.repaid <> coalesce(r.amount, 0) and ${whose('d')}
     limit ${FINDINGS_SHOWN_MAX}`
  return rows.map((row): Finding => row)
}
