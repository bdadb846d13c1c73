import type { CardDetails } from '@kobo/contract'
import type { Static } from 'typebox'
import { EVERY_MERCHANT } from '../../core/merchants/index.ts'
import type { ReceivedBy } from '../../core/money/settlement-cycle/index.ts'
import type { SubAccountPart } from '../../core/money/splits.ts'
import { type Kobo, kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/postgres/db.ts'
import { type ListPage, listing, type PlaceInList } from '../../platform/postgres/list-search.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { TransactionKey } from './repository.ts'

/** The payment methods of incoming money. */
export type { ReceivedBy }
/** The card details that may be shown. */
export type CardFacts = Static<typeof CardDetails>

/** Money that arrived, accepted or not. */
const MONEY = {
  merchantId: column<bigint>('bigint'),
  id: column<bigint>('bigint'),
  transactionId: column<bigint>('bigint'),
  /** The partner that reported it; empty if we requested the payment under our own reference. */
  partner: column<string>('text'),
  railReference: column<string>('text'),
  amount: column<Kobo>('bigint'),
  payerName: column<string | null>('text'),
  payerAccountNumber: column<string | null>('text'),
  payerBankCode: column<string | null>('text'),
  bankCode: column<string | null>('text'),
  accountNumber: column<string | null>('text'),
  receivedAt: column<Date>('timestamptz'),
}

const payments = table('payment', ['merchantId', 'id'], {
  ...MONEY,
  method: column<ReceivedBy>('text'),
  fee: column<Kobo>('bigint'),
  card: column<CardFacts | null>('json'),
  splits: column<readonly StoredPart[] | null>('json'),
})

/** A sub account's part as stored in JSON. Amounts are whole numbers of kobo, which a double holds exactly. */
interface StoredPart {
  readonly subAccountCode: string
  readonly share: number
  readonly fee: number
}

/** Money accepted for a transaction. */
export interface PaymentRow extends Omit<Row<typeof payments>, 'splits'> {
  /** The parts of sub accounts, if it is split. A part is negative if rounding takes some kobo back. */
  readonly splits: readonly SubAccountPart[] | null
  /** The payer's bank's reference, if it differs from the rail reference. It is in the event and is not stored here. */
  readonly sessionId?: string | undefined
}

const rejectedPayments = table('rejected_payment', ['merchantId', 'id'], { ...MONEY, reason: column<string>() })

/** Money that was sent back. */
export type RejectedPaymentRow = Row<typeof rejectedPayments>

export const insertPayments = (tx: Tx, rows: readonly PaymentRow[]): void =>
  payments.insert(
    tx,
    rows.map((row) => ({ ...row, splits: row.splits?.map(toStored) ?? null })),
  )

const toStored = ({ subAccountCode, share, fee }: SubAccountPart): StoredPart => ({
  subAccountCode,
  share: Number(share),
  fee: Number(fee),
})

const fromStored = ({ subAccountCode, share, fee }: StoredPart): SubAccountPart => ({
  subAccountCode,
  share: kobo(BigInt(share)),
  fee: kobo(BigInt(fee)),
})

export const insertRejectedPayments = (tx: Tx, rows: readonly RejectedPaymentRow[]): void =>
  rejectedPayments.insert(tx, rows)

/** Reads the payments of some transactions, oldest first. */
export async function selectPayments(db: Db | Tx, keys: readonly TransactionKey[]): Promise<PaymentRow[]> {
  if (keys.length === 0) return []
  const rows = await db<Row<typeof payments>[]>`
    select ${payments.of('p')}
      from (select distinct merchant_id, id
              from json_to_recordset(${rowSet(keys, ['merchantId', 'id'])}::text::json) as k (merchant_id bigint, id bigint)) k
     cross join lateral (
       select ${payments.columns} from payment t
        where ${ofMerchants('t', keys)} and t.merchant_id = k.merchant_id and t.transaction_id = k.id offset 0) p
     order by p.id`
  return rows.map((row) => ({ ...row, splits: row.splits?.map(fromStored) ?? null }))
}

export const selectPaymentsByKey = async (
  tx: Tx,
  keys: readonly Pick<PaymentRow, 'merchantId' | 'id'>[],
): Promise<PaymentRow[]> =>
  (await payments.select(tx, keys)).map((row) => ({ ...row, splits: row.splits?.map(fromStored) ?? null }))

const FOUND_MAX = 20

/** Finds the transactions that were paid under a rail's reference, which banks call a session id. */
export const findPaidUnder = (db: Db, merchantId: bigint, railReference: string): Promise<TransactionKey[]> =>
  db<TransactionKey[]>`
    select distinct merchant_id, transaction_id as id from payment
     where merchant_id = ${merchantId} and rail_reference = ${railReference} limit ${FOUND_MAX}`

/** The maximum number of payments found by a reference. Several are found only if partners use the same one. */
const NAMESAKES_MAX = 10

/** A payment that was found by a partner's reference. */
export type NamedPayment = Pick<
  PaymentRow,
  'merchantId' | 'id' | 'transactionId' | 'partner' | 'bankCode' | 'accountNumber'
>

/**
 * Finds payments of any merchant by their references, since partners know only the reference. The query searches each
 * merchant's part of the unique index. A separate index would cost a write per payment and hardly ever be read.
 */
export const findPaymentsUnder = (db: Db, railReferences: readonly string[]): Promise<NamedPayment[]> =>
  db<NamedPayment[]>`
    -- over all merchants: who owns a reference
    select p.merchant_id, p.id, p.transaction_id, p.partner, p.bank_code, p.account_number
      from ${EVERY_MERCHANT} m
      join payment p on p.merchant_id = m.id and p.rail_reference = any(${railReferences}::text[])
     limit ${NAMESAKES_MAX}`

const paymentList = listing(payments, { idFormat: 'standard', method: 'payerAccountNumber' })

/**
 * Finds the newest transactions that were paid from an account number up to a time. If the search stopped early, also
 * returns how far back it went.
 */
export async function findPaidFrom(
  db: Db,
  merchantId: bigint,
  accountNumber: string,
  to?: Date,
): Promise<{ readonly keys: readonly TransactionKey[]; readonly searchedBackTo: Date | undefined }> {
  const filter = { method: accountNumber, to }
  const { rows, searchedBackTo } = await paymentList(db, merchantId, filter, { size: FOUND_MAX })
  return { keys: rows.map((row) => ({ merchantId, id: row.transactionId })), searchedBackTo }
}

/** Finds the newest payments by cards whose numbers end with these digits, up to a time. */
export const findPaidByCard = (
  db: Db,
  merchantId: bigint,
  last4: string,
  to: Date | undefined,
  place: PlaceInList,
): Promise<ListPage<Row<typeof payments>>> =>
  paymentList(db, merchantId, { to }, place, sql`card is not null and card ->> 'last4' = ${last4}`)

/** Reads a transaction's rejected payments whose ids are in a range, oldest first. */
export const selectRejectedOf = (
  db: Db,
  { merchantId, id }: TransactionKey,
  from: bigint,
  to: bigint,
): Promise<RejectedPaymentRow[]> =>
  db<RejectedPaymentRow[]>`
    select ${rejectedPayments.columns} from rejected_payment
     where merchant_id = ${merchantId} and transaction_id = ${id} and id >= ${from} and id < ${to}
     order by id limit ${FOUND_MAX}`
