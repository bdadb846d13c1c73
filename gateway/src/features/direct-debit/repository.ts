import type { DebitStatus, MandateStatus } from '@kobo/contract'
import { ofShard, type Shard } from '../../core/shards/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, madeWithin, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Key, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'

/** A customer's permission to debit an account. */
export const mandates = table('mandate', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  mandateCode: column<string>(),
  mandateReference: column<string>(),
  contractCode: column<string>(),
  status: column<MandateStatus>(),
  customerName: column<string>(),
  customerEmailAddress: column<string>(),
  customerPhoneNumber: column<string>(),
  customerAddress: column<string>(),
  customerAccountNumber: column<string>(),
  customerAccountBankCode: column<string>(),
  customerAccountName: column<string>(),
  mandateDescription: column<string>(),
  redirectUrl: column<string | null>(),
  autoRenew: column<boolean>(),
  customerCancellation: column<boolean>(),
  mandateAmount: column<Kobo | null>(),
  debitAmount: column<Kobo | null>(),
  period: column<number>(),
  startsAt: column<Date>(),
  endsAt: column<Date>(),
  /** The sum of the PENDING and PAID debits, of all periods. */
  debited: column<Kobo>(),
  tokenBankCode: column<string>(),
  tokenAccountNumber: column<string>(),
  /** The amount that the customer pays from the mandated account to prove ownership. */
  tokenAmount: column<Kobo>(),
  createdAt: column<Date>(),
  authorizationEndsAt: column<Date>(),
  instructAt: column<Date | null>(),
  cancelRequestedAt: column<Date | null>(),
  /** The language of the mail to the customer; null is English. */
  language: column<string | null>(),
})
export type MandateRow = Row<typeof mandates>

export const mandateList = listing(mandates, {
  idFormat: 'standard',
  status: 'status',
  customer: { email: 'customerEmailAddress', name: 'customerName' },
})
/** The customers of mandates as a list: the newest mandate of each. */
export const mandateHolderList = listing(mandates, {
  idFormat: 'standard',
  customer: { email: 'customerEmailAddress', name: 'customerName' },
  isPerCustomer: true,
})
const mandatesByPhone = listing(mandates, { idFormat: 'standard', status: 'customerPhoneNumber' })
const mandatesByAccount = listing(mandates, { idFormat: 'standard', status: 'customerAccountNumber' })

/** Finds the newest mandates with one of these phone or account numbers. */
export async function findMandatesByNumber(
  db: Db,
  merchantId: bigint,
  numbers: readonly string[],
  size: number,
): Promise<readonly MandateRow[]> {
  const pages = await Promise.all(
    [mandatesByPhone, mandatesByAccount].map((list) => list(db, merchantId, { statuses: numbers }, { size })),
  )
  return pages.flatMap(({ rows }) => rows)
}
export type MandateKey = Key<typeof mandates>

/** Money that a customer paid to authorize a mandate: accepted, or sent back for a reason. */
export const tokens = table('mandate_token', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  mandateId: column<bigint>(),
  /** The partner that reported it. */
  partner: column<string>(),
  railReference: column<string>(),
  amount: column<Kobo>(),
  payerName: column<string | null>(),
  payerAccountNumber: column<string | null>(),
  payerBankCode: column<string | null>(),
  reason: column<string | null>(),
  receivedAt: column<Date>(),
})
export type TokenRow = Row<typeof tokens>

/** One debit under a mandate. */
export const debits = table('debit', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  mandateId: column<bigint>(),
  period: column<number>(),
  transactionId: column<bigint>(),
  transactionReference: column<string>(),
  paymentReference: column<string>(),
  amount: column<Kobo>(),
  narration: column<string>(),
  status: column<DebitStatus>(),
  reason: column<string | null>(),
  /** The bank's reference, once it is paid. */
  sessionId: column<string | null>(),
  createdAt: column<Date>(),
})
export type DebitRow = Row<typeof debits>

/** Inserts a mandate; returns whether its reference was new. */
export const insertMandate = async (tx: Tx, row: MandateRow): Promise<boolean> =>
  (await mandates.insertNew(tx, [row], sql`(merchant_id, mandate_reference)`)) === 1

/** Locks a mandate until the database transaction ends: two debits cannot both use the remaining amount. */
export async function lockMandate(
  tx: Tx,
  merchantId: bigint,
  by: { readonly mandateCode: string } | { readonly id: bigint },
): Promise<MandateRow | undefined> {
  const [row] = await tx<MandateRow[]>`
    select ${mandates.columns} from mandate
     where merchant_id = ${merchantId}
       and ${'id' in by ? sql`id = ${by.id}` : sql`mandate_code = ${by.mandateCode}`}
       for update`
  return row
}

/** Locks due mandates that no other process is working on. */
export const lockDueMandates = (tx: Tx, shard: Shard, at: Date, limit: number): Promise<MandateRow[]> =>
  tx<MandateRow[]>`
    select ${mandates.columns} from mandate m
     where ${ofShard(shard, 'm')} and due_at <= ${at}
     order by due_at
     limit ${limit}
       for update skip locked`

/** Returns when the next mandate is due. Renewals of mandates with a period shorter than the given one are ignored. */
export async function nextMandateDue(db: Db, periodSecondsMin: number): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    -- over all merchants: what is due
    select min(due_at) as due from mandate
     where due_at is not null
       and (not auto_renew or due_at <> ends_at or ends_at - starts_at >= ${periodSecondsMin} * interval '1 second')`
  return row?.due ?? undefined
}

const CHANGING = ['status', 'period', 'startsAt', 'endsAt', 'debited', 'instructAt', 'cancelRequestedAt'] as const

/** Writes the columns that may change. */
export const updateMandates = (tx: Tx, rows: readonly MandateRow[]): void => mandates.update(tx, rows, CHANGING)

/** Leases mandates whose instruction is to be mailed, until the time of the next attempt. */
export const leaseToInstruct = (tx: Tx, shard: Shard, at: Date, until: Date, limit: number): Promise<MandateRow[]> =>
  tx<MandateRow[]>`
    with taken as materialized (
      select merchant_id, id from mandate m
       where ${ofShard(shard, 'm')} and instruct_at <= ${at}
       order by instruct_at
       limit ${limit}
         for update skip locked)
    update mandate m set instruct_at = ${until}
     where ${ofShard(shard, 'm')} and (merchant_id, id) in (select merchant_id, id from taken)
    returning ${mandates.columns}`

/** Finds the mandates with one of these references, oldest first. */
export const selectByReference = (db: Db, merchantId: bigint, references: readonly string[]): Promise<MandateRow[]> =>
  db<MandateRow[]>`
    select ${mandates.columns} from mandate
     where merchant_id = ${merchantId} and mandate_reference = any(${references})
     order by id`

export interface MandateFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly customerEmail?: string | undefined
  readonly mandateStatus?: MandateStatus | undefined
}

/** Reads a page of a merchant's mandates, newest first. */
export const selectMandates = (
  db: Db,
  merchantId: bigint,
  { customerEmail, mandateStatus, ...period }: MandateFilter,
  page: RequestedPage,
): Promise<CountedPage<MandateRow>> =>
  selectPage(
    db,
    mandates,
    sql`
      merchant_id = ${merchantId} and ${madeWithin(period)}
      ${customerEmail === undefined ? sql`` : sql`and lower(customer_email_address) = lower(${customerEmail})`}
      ${mandateStatus === undefined ? sql`` : sql`and status = ${mandateStatus}`}`,
    page,
  )

export const insertTokens = (tx: Tx, rows: readonly TokenRow[]): void => tokens.insert(tx, rows)

/** Inserts a debit. Its payment reference is new, because its transaction was opened with the same reference. */
export const insertDebit = (tx: Tx, row: DebitRow): void => debits.insert(tx, [row])

/** Writes the columns that may change. */
export const updateDebits = (tx: Tx, rows: readonly DebitRow[]): void =>
  debits.update(tx, rows, ['status', 'reason', 'sessionId'])

export const selectDebits = (db: Db, keys: readonly Key<typeof debits>[]): Promise<DebitRow[]> =>
  db<DebitRow[]>`
    select ${debits.of('d')}
      from ${debits.set(keys, ['merchantId', 'id'])} k
      join debit d on d.merchant_id = k.merchant_id and d.id = k.id
     where ${ofMerchants('d', keys)}`

export const selectMandatesOf = (db: Db, rows: readonly DebitRow[]): Promise<MandateRow[]> =>
  db<MandateRow[]>`
    select ${mandates.of('m')}
      from (select distinct merchant_id, mandate_id from ${debits.set(rows, ['merchantId', 'mandateId'])}) k
      join mandate m on m.merchant_id = k.merchant_id and m.id = k.mandate_id
     where ${ofMerchants('m', rows)}`

/** Finds a debit by the merchant's reference, with its mandate's code. */
export async function findDebit(
  db: Db,
  merchantId: bigint,
  paymentReference: string,
): Promise<(DebitRow & { readonly mandateCode: string }) | undefined> {
  const [row] = await db<(DebitRow & { mandateCode: string })[]>`
    select ${debits.of('d')}, m.mandate_code
      from debit d
      join mandate m on m.merchant_id = d.merchant_id and m.id = d.mandate_id
     where d.merchant_id = ${merchantId} and d.payment_reference = ${paymentReference}`
  return row
}

/** Finds the mandate with this reference or code. */
export async function findMandateByEitherName(
  db: Db,
  merchantId: bigint,
  reference: string,
): Promise<MandateRow | undefined> {
  const [row] = await db<MandateRow[]>`
    select ${mandates.columns} from mandate where merchant_id = ${merchantId} and mandate_reference = ${reference}
    union
    select ${mandates.columns} from mandate where merchant_id = ${merchantId} and mandate_code = ${reference}
    limit 1`
  return row
}

/** Requests the cancellation of all open mandates of a merchant. */
export function cancelAll(tx: Tx, merchantId: bigint, at: Date): void {
  void tx`
    update mandate set cancel_requested_at = ${at}, instruct_at = null
     where merchant_id = ${merchantId} and due_at is not null and cancel_requested_at is null`
}
