import type { PaymentStatus, ProductType } from '@kobo/contract'
import { transactionIdOf } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import type { CardFacts, ReceivedBy } from './payment-repository.ts'

/** A status query by the transaction reference or by the merchant's reference. If both are given, the first wins. */
export interface StatusQuery {
  readonly merchantId: bigint
  readonly transactionReference?: string | undefined
  readonly paymentReference?: string | undefined
}

/** A row of a status record. It has the transaction and one of its payments, if there is any. */
export interface StatusRow {
  /** The index of the query that it matches. */
  readonly n: number
  readonly transactionReference: string
  readonly paymentReference: string
  readonly status: PaymentStatus
  readonly payable: Kobo
  readonly amountPaid: Kobo
  readonly fee: Kobo
  readonly currencyCode: string
  readonly paymentDescription: string | null
  readonly paymentMethod: string | null
  readonly paidAt: Date | null
  readonly productType: ProductType
  readonly productReference: string
  readonly customerName: string | null
  readonly customerEmail: string
  readonly metaData: Record<string, unknown>
  /** Null if nothing was paid, like all columns below. */
  readonly method: ReceivedBy | null
  readonly amount: Kobo | null
  readonly payerName: string | null
  readonly payerAccountNumber: string | null
  readonly payerBankCode: string | null
  readonly card: CardFacts | null
}

const SHOWN = sql`
  t.merchant_id, t.id, t.transaction_reference, t.payment_reference, t.status, t.payable, t.amount_paid, t.fee,
  t.currency_code, t.payment_description, t.payment_method, t.paid_at, t.product_type, t.product_reference,
  t.customer_name, t.customer_email, t.meta_data`

/** Reads transactions with their payments, oldest first, in one snapshot. */
export const selectStatuses = (db: Db, questions: readonly StatusQuery[]): Promise<StatusRow[]> =>
  db<StatusRow[]>`
    select k.n, t.transaction_reference, t.payment_reference, t.status, t.payable, t.amount_paid, t.fee, t.currency_code,
           t.payment_description, t.payment_method, t.paid_at, t.product_type, t.product_reference, t.customer_name,
           t.customer_email, t.meta_data, p.method, p.amount, p.payer_name, p.payer_account_number, p.payer_bank_code, p.card
      from json_to_recordset(${rowSet(questions.map(keyOf))}::text::json)
        as k (n integer, merchant_id bigint, id bigint, payment_reference text)
     cross join lateral (
       (select ${SHOWN} from transaction t
         where ${ofMerchants('t', questions)} and t.merchant_id = k.merchant_id and t.id = k.id limit 1)
       union all
       (select ${SHOWN} from transaction t
         where ${ofMerchants('t', questions)} and t.merchant_id = k.merchant_id and t.payment_reference = k.payment_reference
         limit 1)) t
      left join lateral (
       select p.id, p.method, p.amount, p.payer_name, p.payer_account_number, p.payer_bank_code, p.card
         from payment p
        where t.amount_paid > 0 and ${ofMerchants('p', questions)}
          and p.merchant_id = t.merchant_id and p.transaction_id = t.id
       offset 0) p on true
     order by p.id`

const keyOf = ({ merchantId, transactionReference, paymentReference }: StatusQuery, n: number) => ({
  n,
  merchantId,
  id: transactionReference === undefined ? undefined : transactionIdOf(transactionReference),
  paymentReference,
})
