import type { BeneficiaryType, SettlementStatus } from '@kobo/contract'
import type { Destination } from '../../core/merchants/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, type Tx, waitForLocks } from '../../platform/postgres/db.ts'
import { listing } from '../../platform/postgres/list-search.ts'
import { type CountedPage, type RequestedPage, selectPage } from '../../platform/postgres/pagination.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { TransactionKey } from '../transactions/index.ts'
import type { PayoutStatus } from './machine.ts'

export const settlements = table('settlement', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  settlementReference: column<string>(),
  contractCode: column<string>(),
  currencyCode: column<string>(),
  /** The merchant's share, less debt repayments and reserve. */
  amount: column<Kobo>(),
  debtRepaid: column<Kobo>(),
  reserved: column<Kobo>(),
  transactionsCount: column<number>(),
  destination: column<'WALLET' | 'BANK'>(),
  destinationBankCode: column<string>(),
  destinationAccountNumber: column<string>(),
  destinationAccountName: column<string>(),
  status: column<SettlementStatus>(),
  settledAt: column<Date>(),
  completedAt: column<Date | null>(),
})
export type SettlementRow = Row<typeof settlements>

export const settlementList = listing(settlements, { idFormat: 'standard', status: 'status', amount: 'amount' })
type SettlementKey = Pick<SettlementRow, 'merchantId' | 'id'>

/** Transactions of settlements, and the merchant's share of each. */
const items = table('settlement_item', ['merchantId', 'transactionId'], {
  merchantId: column<bigint>(),
  transactionId: column<bigint>(),
  settlementId: column<bigint>(),
  share: column<Kobo>(),
  fee: column<Kobo>(),
})
export type ItemRow = Row<typeof items>

/** Settlement payouts to bank accounts. */
export const payouts = table('settlement_payout', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  settlementId: column<bigint>(),
  beneficiaryType: column<BeneficiaryType>(),
  /** The merchant's code, or the sub account's. */
  beneficiaryCode: column<string>(),
  amount: column<Kobo>(),
  status: column<PayoutStatus>(),
  /** The destination, set again with each attempt. */
  bankCode: column<string>(),
  accountNumber: column<string>(),
  accountName: column<string>(),
  /** The inter-bank reference, once the payout has arrived. */
  sessionId: column<string | null>(),
  /** Why the last attempt failed. */
  failure: column<string | null>(),
  completedAt: column<Date | null>(),
})
export type PayoutRow = Row<typeof payouts>
type PayoutKey = Pick<PayoutRow, 'merchantId' | 'id'>

const SETTLING_LOCK = 20_260_307

/** Lets one process settle at a time, so that transactions with the same due time share a settlement. */
export const lockSettling = async (tx: Tx): Promise<void> => {
  waitForLocks(tx)
  await tx`select pg_advisory_xact_lock(${SETTLING_LOCK})`
}

export const insertSettlements = (tx: Tx, rows: readonly SettlementRow[]): void => settlements.insert(tx, rows)
export const insertItems = (tx: Tx, rows: readonly ItemRow[]): void => items.insert(tx, rows)
export const insertPayouts = (tx: Tx, rows: readonly PayoutRow[]): void => payouts.insert(tx, rows)

export const selectPayoutsByKey = (db: Db | Tx, keys: readonly PayoutKey[]): Promise<PayoutRow[]> =>
  payouts.select(db, keys)
export const selectSettlementsByKey = (db: Db, keys: readonly SettlementKey[]): Promise<SettlementRow[]> =>
  settlements.select(db, keys)

const PAYOUT_REFERENCE = /^KFST(\d{1,18})(?:~\d+)?$/

/**
 * Finds the session ids of payouts that arrived at the given time, by the references of their orders. An earlier
 * attempt that came back had another session id.
 */
export async function selectPayoutSessions(
  db: Db | Tx,
  keys: readonly { readonly merchantId: bigint; readonly reference: string; readonly postedAt: Date }[],
): Promise<readonly { readonly merchantId: bigint; readonly reference: string; readonly sessionId: string }[]> {
  const tries = keys.flatMap((key) => {
    const [, id] = PAYOUT_REFERENCE.exec(key.reference) ?? []
    return id === undefined ? [] : [{ ...key, id: BigInt(id) }]
  })
  const rows = await payouts.select(db, tries)
  return tries.flatMap(({ merchantId, id, reference, postedAt }) => {
    const row = rows.find((one) => one.merchantId === merchantId && one.id === id)
    const isThisTry = row?.completedAt?.getTime() === postedAt.getTime()
    return row?.sessionId && isThisTry ? [{ merchantId, reference, sessionId: row.sessionId }] : []
  })
}

export const lockPayouts = (tx: Tx, keys: readonly PayoutKey[]): Promise<PayoutRow[]> => payouts.lock(tx, keys)

export const setDestination = (
  tx: Tx,
  payout: PayoutRow,
  { bankCode, accountNumber, accountName }: Destination,
): void =>
  payouts.update(
    tx,
    [{ ...payout, bankCode, accountNumber, accountName }],
    ['bankCode', 'accountNumber', 'accountName'],
  )

export const updatePayouts = (tx: Tx, rows: readonly PayoutRow[]): void =>
  payouts.update(tx, rows, ['status', 'sessionId', 'failure', 'completedAt'])

export async function findSettlement(
  db: Db | Tx,
  merchantId: bigint,
  settlementReference: string,
): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select ${settlements.columns} from settlement
     where merchant_id = ${merchantId} and settlement_reference = ${settlementReference}`
  return row
}

/** Finds a settlement by the session id of one of its payouts, the merchant's or a sub account's. */
export async function findSettlementOfSession(
  db: Db,
  merchantId: bigint,
  sessionId: string,
): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select ${settlements.of('s')}
      from settlement_payout p
      join settlement s on s.merchant_id = p.merchant_id and s.id = p.settlement_id
     where p.merchant_id = ${merchantId} and p.session_id = ${sessionId}
     limit 1`
  return row
}

export const lockSettlement = async (tx: Tx, key: SettlementKey): Promise<SettlementRow | undefined> =>
  (await settlements.lock(tx, [key]))[0]

export const updateSettlement = (tx: Tx, row: SettlementRow): void =>
  settlements.update(
    tx,
    [row],
    ['status', 'completedAt', 'destinationBankCode', 'destinationAccountNumber', 'destinationAccountName'],
  )

/** Returns a page of a merchant's settlements, newest first. */
export const selectSettlements = (
  db: Db,
  merchantId: bigint,
  page: RequestedPage,
): Promise<CountedPage<SettlementRow>> => selectPage(db, settlements, sql`merchant_id = ${merchantId}`, page)

/** Returns the keys of a page of a settlement's transactions, newest first. */
export const selectItems = (
  db: Db | Tx,
  { merchantId, id }: SettlementKey,
  limit: number,
  offset: number,
): Promise<TransactionKey[]> =>
  db<TransactionKey[]>`
    select merchant_id, transaction_id as id
      from settlement_item
     where merchant_id = ${merchantId} and settlement_id = ${id}
     order by transaction_id desc
     limit ${limit} offset ${offset}`

/** The merchant's share of a settlement, its fee, and the bank's reference of the merchant's payout. */
export interface SettledSum extends SettlementKey {
  readonly gross: Kobo
  readonly fee: Kobo
  readonly sessionId: string | null
}

export async function selectSettledSums(db: Db | Tx, keys: readonly SettlementKey[]): Promise<readonly SettledSum[]> {
  if (keys.length === 0) return []
  return db<SettledSum[]>`
    select k.merchant_id, k.id, i.gross, i.fee, p.session_id
      from ${settlements.set(keys, ['merchantId', 'id'])} k
     cross join lateral (
       select coalesce(sum(share), 0)::bigint as gross, coalesce(sum(fee), 0)::bigint as fee
         from settlement_item i
        where ${ofMerchants('i', keys)} and i.merchant_id = k.merchant_id and i.settlement_id = k.id) i
      left join lateral (
       select session_id from settlement_payout p
        where ${ofMerchants('p', keys)} and p.merchant_id = k.merchant_id and p.settlement_id = k.id
          and p.beneficiary_type = 'MERCHANT'
        limit 1) p on true`
}

export async function findSettlementOf(
  db: Db,
  merchantId: bigint,
  transactionId: bigint,
): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select ${settlements.of('s')}
      from settlement_item i
      join settlement s on s.merchant_id = i.merchant_id and s.id = i.settlement_id
     where i.merchant_id = ${merchantId} and i.transaction_id = ${transactionId}`
  return row
}

/** Returns the payouts of a settlement to some sub accounts. */
export const selectPayouts = (
  db: Db,
  { merchantId, id }: SettlementKey,
  subAccountCodes: readonly string[],
): Promise<PayoutRow[]> =>
  db<PayoutRow[]>`
    select ${payouts.columns} from settlement_payout
     where merchant_id = ${merchantId} and settlement_id = ${id}
       and beneficiary_type = 'SUB_ACCOUNT' and beneficiary_code = any(${subAccountCodes})`

/** Counts a merchant's failed payouts that are due for another attempt, only those to `beneficiary` if given. */
export async function countFailedPayouts(
  db: Db | Tx,
  merchantId: bigint,
  beneficiary?: Pick<PayoutRow, 'beneficiaryType' | 'beneficiaryCode'>,
): Promise<number> {
  const ofBeneficiary =
    beneficiary === undefined
      ? sql`true`
      : sql`beneficiary_type = ${beneficiary.beneficiaryType} and beneficiary_code = ${beneficiary.beneficiaryCode}`
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count
      from settlement_payout
     where merchant_id = ${merchantId} and status = 'DUE' and failure is not null and ${ofBeneficiary}`
  return row?.count ?? 0
}
