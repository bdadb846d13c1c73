import { type LedgerQuestion, WRONG_SHOWN_MAX } from '../../core/money/ledger/index.ts'

/** What was paid for a transaction is the sum of its payments. */
const transactionsAreSumsOfPayments: LedgerQuestion = async (tx) => {
  const rows = await tx<{ transactionReference: string; amountPaid: string; paid: string }[]>`
    select t.transaction_reference, t.amount_paid::text, coalesce(p.paid, 0)::text as paid
      from transaction t
      left join (select merchant_id, transaction_id, sum(amount) as paid from payment group by merchant_id, transaction_id) p
        on p.merchant_id = t.merchant_id and p.transaction_id = t.id
     where t.amount_paid <> coalesce(p.paid, 0)
     limit ${WRONG_SHOWN_MAX}`
  return rows.map(
    ({ transactionReference, amountPaid, paid }) =>
      `transaction ${transactionReference} says ${amountPaid} was paid, its payments sum to ${paid}`,
  )
}

/** What must hold of transactions in the books. */
export const transactionQuestions: readonly LedgerQuestion[] = [transactionsAreSumsOfPayments]
