import type { DebitStatus, MandateStatus } from '@kobo/contract'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import { type Fragment, sql } from '../../platform/sql.ts'

export interface MandateRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly mandateCode: string
  readonly mandateReference: string
  readonly contractCode: string
  readonly status: MandateStatus
  readonly customerName: string
  readonly customerEmailAddress: string
  readonly customerPhoneNumber: string
  readonly customerAddress: string
  readonly customerAccountNumber: string
  readonly customerAccountBankCode: string
  readonly customerAccountName: string
  readonly mandateDescription: string
  readonly redirectUrl: string | null
  readonly autoRenew: boolean
  readonly customerCancellation: boolean
  readonly mandateAmount: Kobo | null
  readonly debitAmount: Kobo | null
  readonly period: number
  readonly startsAt: Date
  readonly endsAt: Date
  /** What the PENDING and PAID debits sum to, of all periods. */
  readonly debited: Kobo
  readonly tokenBankCode: string
  readonly tokenAccountNumber: string
  readonly createdAt: Date
  readonly authorizationEndsAt: Date
  readonly instructAt: Date | null
  readonly cancelRequestedAt: Date | null
}

/** Money that a customer paid to authorise a mandate: kept, or sent back for a reason. */
export interface TokenRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly mandateId: bigint
  readonly railReference: string
  readonly amount: Kobo
  readonly payerName: string | null
  readonly payerAccountNumber: string | null
  readonly payerBankCode: string | null
  readonly reason: string | null
  readonly receivedAt: Date
}

export interface DebitRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly mandateId: bigint
  readonly period: number
  readonly transactionId: bigint
  readonly transactionReference: string
  readonly paymentReference: string
  readonly amount: Kobo
  readonly narration: string
  readonly status: DebitStatus
  readonly reason: string | null
  readonly createdAt: Date
  readonly askAt: Date | null
}

/** Names a mandate from within. */
export interface MandateKey {
  readonly merchantId: bigint
  readonly id: bigint
}

const COLUMNS = sql`
  merchant_id, id, mandate_code, mandate_reference, contract_code, status, customer_name, customer_email_address,
  customer_phone_number, customer_address, customer_account_number, customer_account_bank_code, customer_account_name,
  mandate_description, redirect_url, auto_renew, customer_cancellation, mandate_amount, debit_amount, period, starts_at,
  ends_at, debited, token_bank_code, token_account_number, created_at, authorization_ends_at, instruct_at,
  cancel_requested_at`

/** Inserts a mandate whose reference is new; answers whether it was. */
export async function insertMandate(tx: Tx, row: MandateRow): Promise<boolean> {
  const { count } = await tx`
    insert into mandate (${COLUMNS})
    select ${COLUMNS} from json_populate_recordset(null::mandate, ${rowSet([row])}::text::json)
        on conflict (merchant_id, mandate_reference) do nothing`
  return count === 1
}

/** Locks a mandate until the database transaction ends: two debits cannot both take what is left. */
export async function lockMandate(
  tx: Tx,
  merchantId: bigint,
  by: { readonly mandateCode: string } | { readonly id: bigint },
): Promise<MandateRow | undefined> {
  const [row] = await tx<MandateRow[]>`
    select ${COLUMNS} from mandate
     where merchant_id = ${merchantId}
       and ${'id' in by ? sql`id = ${by.id}` : sql`mandate_code = ${by.mandateCode}`}
       for update`
  return row
}

const KEY = ['merchantId', 'id'] as const

/** Locks mandates in one order for all. */
export const lockMandates = (tx: Tx, keys: readonly MandateKey[]): Promise<MandateRow[]> =>
  tx<MandateRow[]>`
    select ${COLUMNS} from mandate
     where (merchant_id, id) in (
       select k.merchant_id, k.id
         from json_to_recordset(${rowSet(keys, KEY)}::text::json) as k (merchant_id bigint, id bigint))
     order by merchant_id, id
       for update`

/** Locks mandates of which something is due and that nobody else is working on. */
export const lockDueMandates = (tx: Tx, at: Date, limit: number): Promise<MandateRow[]> =>
  tx<MandateRow[]>`
    select ${COLUMNS} from mandate
     where due_at <= ${at}
     order by due_at
     limit ${limit}
       for update skip locked`

/** When something falls due next. Mandates that renew themselves more often than so many seconds are not waited for. */
export async function nextMandateDue(db: Db, periodSecondsMin: number): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(due_at) as due from mandate
     where due_at is not null
       and (not auto_renew or due_at <> ends_at or ends_at - starts_at >= ${periodSecondsMin} * interval '1 second')`
  return row?.due ?? undefined
}

const CHANGING = [
  'merchantId',
  'id',
  'status',
  'period',
  'startsAt',
  'endsAt',
  'debited',
  'instructAt',
  'cancelRequestedAt',
] as const

/** Writes what may change of mandates. */
export async function updateMandates(tx: Tx, rows: readonly MandateRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update mandate m
       set status = c.status, period = c.period, starts_at = c.starts_at, ends_at = c.ends_at, debited = c.debited,
           instruct_at = c.instruct_at, cancel_requested_at = c.cancel_requested_at
      from json_populate_recordset(null::mandate, ${rowSet(rows, CHANGING)}::text::json) c
     where m.merchant_id = c.merchant_id and m.id = c.id`
}

/** Takes mandates whose instruction is to be mailed, until a time at which it is tried again. */
export const takeToInstruct = (tx: Tx, at: Date, until: Date, limit: number): Promise<MandateRow[]> =>
  tx<MandateRow[]>`
    update mandate set instruct_at = ${until}
     where (merchant_id, id) in (
       select merchant_id, id from mandate
        where instruct_at <= ${at}
        order by instruct_at
        limit ${limit}
          for update skip locked)
    returning ${COLUMNS}`

export async function findMandate(db: Db, { merchantId, id }: MandateKey): Promise<MandateRow | undefined> {
  const [row] = await db<MandateRow[]>`
    select ${COLUMNS} from mandate where merchant_id = ${merchantId} and id = ${id}`
  return row
}

/** The mandates that have one of these references, oldest first. */
export const selectByReference = (db: Db, merchantId: bigint, references: readonly string[]): Promise<MandateRow[]> =>
  db<MandateRow[]>`
    select ${COLUMNS} from mandate
     where merchant_id = ${merchantId} and mandate_reference = any(${references})
     order by id`

export interface MandateFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly customerEmail?: string | undefined
  readonly mandateStatus?: MandateStatus | undefined
}

const matching = (merchantId: bigint, { from, to, customerEmail, mandateStatus }: MandateFilter): Fragment => sql`
  where merchant_id = ${merchantId}
    ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and created_at <= ${to}`}
    ${customerEmail === undefined ? sql`` : sql`and lower(customer_email_address) = lower(${customerEmail})`}
    ${mandateStatus === undefined ? sql`` : sql`and status = ${mandateStatus}`}`

/** A page of a merchant's mandates, newest first. */
export const selectMandates = (
  db: Db,
  merchantId: bigint,
  filter: MandateFilter,
  limit: number,
  offset: number,
): Promise<MandateRow[]> =>
  db<MandateRow[]>`
    select ${COLUMNS} from mandate ${matching(merchantId, filter)} order by id desc limit ${limit} offset ${offset}`

export async function countMandates(db: Db, merchantId: bigint, filter: MandateFilter): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from mandate ${matching(merchantId, filter)}`
  return Number(row?.count ?? 0n)
}

/** What was decided before about payments of tokens: null where the money was kept, else why it went back. */
export async function decidedTokens(
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly railReference: string }[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx<{ merchantId: bigint; railReference: string; reason: string | null }[]>`
    select t.merchant_id, t.rail_reference, t.reason
      from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, rail_reference text)
      join mandate_token t on t.merchant_id = k.merchant_id and t.rail_reference = k.rail_reference`
  return new Map(rows.map(({ merchantId, railReference, reason }) => [`${merchantId} ${railReference}`, reason]))
}

export async function insertTokens(tx: Tx, rows: readonly TokenRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into mandate_token select * from json_populate_recordset(null::mandate_token, ${rowSet(rows)}::text::json)`
}

/** Inserts a debit. Its payment reference is new, since its transaction's is. */
export async function insertDebit(tx: Tx, row: DebitRow): Promise<void> {
  await tx`insert into debit select * from json_populate_recordset(null::debit, ${rowSet([row])}::text::json)`
}

export async function lockDebit(tx: Tx, { merchantId, id }: MandateKey): Promise<DebitRow | undefined> {
  const [row] = await tx<DebitRow[]>`
    select * from debit where merchant_id = ${merchantId} and id = ${id} for update`
  return row
}

export async function updateDebit(tx: Tx, { merchantId, id, status, reason, askAt }: DebitRow): Promise<void> {
  await tx`
    update debit set status = ${status}, reason = ${reason}, ask_at = ${askAt}
     where merchant_id = ${merchantId} and id = ${id}`
}

/** Takes debits whose outcome is to be asked for, until a time at which they are asked for again. */
export const takeToAsk = (tx: Tx, at: Date, until: Date, limit: number): Promise<DebitRow[]> =>
  tx<DebitRow[]>`
    update debit set ask_at = ${until}
     where (merchant_id, id) in (
       select merchant_id, id from debit
        where ask_at <= ${at}
        order by ask_at
        limit ${limit}
          for update skip locked)
    returning *`

export async function nextDebitToAsk(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`select min(ask_at) as due from debit where ask_at is not null`
  return row?.due ?? undefined
}

/** A debit by the merchant's reference, with its mandate's code. */
export async function findDebit(
  db: Db,
  merchantId: bigint,
  paymentReference: string,
): Promise<(DebitRow & { readonly mandateCode: string }) | undefined> {
  const [row] = await db<(DebitRow & { mandateCode: string })[]>`
    select d.*, m.mandate_code
      from debit d
      join mandate m on m.merchant_id = d.merchant_id and m.id = d.mandate_id
     where d.merchant_id = ${merchantId} and d.payment_reference = ${paymentReference}`
  return row
}
