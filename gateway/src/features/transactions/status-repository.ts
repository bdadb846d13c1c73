import type { PaymentStatus, ProductType } from '@kobo/contract'
import { transactionIdOf } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet } from '../../platform/db.ts'
import { sql } from '../../platform/sql.ts'
import { ofMerchants } from '../../platform/table.ts'
import type { CardFacts, ReceivedBy } from './payment-repository.ts'

/** Which transaction is asked for: by its own reference, by the merchant's, or by the one and, where there is none, the other. */
export interface StatusQuestion {
  readonly merchantId: bigint
  readonly transactionReference?: string | undefined
  readonly paymentReference?: string | undefined
}

/** A transaction as far as its status record shows it, with one of its payments; one row for each payment. */
export interface StatusRow {
  /** Which of the questions it answers. */
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
  /** Null, with all below, where nothing was paid. */
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

/** Reads transactions with their payments, oldest first, as they are at one moment. */
export const selectStatuses = (db: Db, questions: readonly StatusQuestion[]): Promise<StatusRow[]> =>
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

const keyOf = ({ merchantId, transactionReference, paymentReference }: StatusQuestion, n: number) => ({
  n,
  merchantId,
  id: transactionReference === undefined ? undefined : transactionIdOf(transactionReference),
  paymentReference,
})
