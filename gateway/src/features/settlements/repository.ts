import type { BeneficiaryType, SettlementStatus } from '@kobo/contract'
import type { SettlementCycle } from '../../core/settlement-cycle/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { type Db, rowSet, type Tx } from '../../platform/db.ts'
import type { TransactionRow } from '../transactions/index.ts'
import type { PayoutStatus } from './machine.ts'

export interface SettlementRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly settlementReference: string
  readonly contractCode: string
  readonly currencyCode: string
  /** The merchant's part. */
  readonly amount: Kobo
  readonly transactionsCount: number
  readonly destination: 'WALLET' | 'BANK'
  readonly destinationBankCode: string
  readonly destinationAccountNumber: string
  readonly destinationAccountName: string
  readonly status: SettlementStatus
  readonly settledAt: Date
  readonly completedAt: Date | null
}

/** A transaction in its settlement, and the merchant's part of it. */
export interface ItemRow {
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly settlementId: bigint
  readonly share: Kobo
  readonly fee: Kobo
}

/** Money of a settlement that goes to a bank account. */
export interface PayoutRow {
  readonly merchantId: bigint
  readonly id: bigint
  readonly settlementId: bigint
  readonly beneficiaryType: BeneficiaryType
  readonly beneficiaryCode: string
  readonly amount: Kobo
  readonly status: PayoutStatus
  readonly tries: number
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
  readonly sessionId: string | null
  readonly failure: string | null
  readonly dueAt: Date | null
  readonly completedAt: Date | null
}

/** A bank account, and the name that the bank has for it. */
export interface Destination {
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
}

/** Where a contract settles to now. */
export interface SettlementTerms extends Destination {
  readonly merchantId: bigint
  readonly contractCode: string
  readonly merchantCode: string
  readonly destination: 'WALLET' | 'BANK'
}

/** Where contracts settle to: the merchant's wallet, or a bank account. */
export const selectTerms = (
  tx: Tx,
  keys: readonly { readonly merchantId: bigint; readonly contractCode: string }[],
  walletBankCode: string,
): Promise<SettlementTerms[]> =>
  tx<SettlementTerms[]>`
    select c.merchant_id, c.code as contract_code, m.code as merchant_code, c.settlement_destination as destination,
           case c.settlement_destination when 'BANK' then c.settlement_bank_code else ${walletBankCode} end as bank_code,
           case c.settlement_destination when 'BANK' then c.settlement_account_number else m.wallet_account_number end as account_number,
           case c.settlement_destination when 'BANK' then c.settlement_account_name else m.name end as account_name
      from contract c
      join merchant m on m.id = c.merchant_id
     where (c.merchant_id, c.code) in (
       select merchant_id, contract_code
         from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, contract_code text))`

/** The bank accounts of sub accounts, deleted ones too. */
export const selectSubAccountDestinations = (
  db: Db | Tx,
  keys: readonly { readonly merchantId: bigint; readonly code: string }[],
): Promise<(Destination & { merchantId: bigint; code: string })[]> =>
  db<(Destination & { merchantId: bigint; code: string })[]>`
    select s.merchant_id, s.code, s.bank_code, s.account_number, s.account_name
      from sub_account s
     where (s.merchant_id, s.code) in (
       select merchant_id, code from json_to_recordset(${rowSet(keys)}::text::json) as k (merchant_id bigint, code text))`

export async function insertSettlements(tx: Tx, rows: readonly SettlementRow[]): Promise<void> {
  await tx`insert into settlement select * from json_populate_recordset(null::settlement, ${rowSet(rows)}::text::json)`
}

export async function insertItems(tx: Tx, rows: readonly ItemRow[]): Promise<void> {
  await tx`insert into settlement_item select * from json_populate_recordset(null::settlement_item, ${rowSet(rows)}::text::json)`
}

export async function insertPayouts(tx: Tx, rows: readonly PayoutRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into settlement_payout select * from json_populate_recordset(null::settlement_payout, ${rowSet(rows)}::text::json)`
}

/** A payout with what is needed to send it: who sends, where to now, and when the cycle comes round. */
export interface DuePayout extends PayoutRow {
  readonly settlementReference: string
  readonly merchantName: string
  readonly walletAccountNumber: string
  readonly settlementCycle: SettlementCycle
  /** The bank account that the sub account or the contract has now. */
  readonly presentBankCode: string
  readonly presentAccountNumber: string
  readonly presentAccountName: string
  /** Whom the sub account wants to be told; nobody where it is the merchant's. */
  readonly reportEmails: readonly string[]
}

/** Locks payouts that are to be sent or asked about, and that nobody else is working on. */
export const lockDuePayouts = (tx: Tx, at: Date, limit: number): Promise<DuePayout[]> =>
  tx<DuePayout[]>`
    select p.*, s.settlement_reference, m.name as merchant_name, m.wallet_account_number,
           case c.settlement when 'INSTANT' then 'INSTANT' else c.settlement_time end as settlement_cycle,
           coalesce(a.bank_code, c.settlement_bank_code, p.bank_code) as present_bank_code,
           coalesce(a.account_number, c.settlement_account_number, p.account_number) as present_account_number,
           coalesce(a.account_name, c.settlement_account_name, p.account_name) as present_account_name,
           coalesce(a.settlement_report_emails, '{}') as report_emails
      from settlement_payout p
      join settlement s on s.merchant_id = p.merchant_id and s.id = p.settlement_id
      join contract c on c.merchant_id = s.merchant_id and c.code = s.contract_code
      join merchant m on m.id = p.merchant_id
      left join sub_account a
        on p.beneficiary_type = 'SUB_ACCOUNT' and a.merchant_id = p.merchant_id and a.code = p.beneficiary_code
     where p.due_at <= ${at}
     order by p.due_at
     limit ${limit}
       for update of p skip locked`

/** Locks one payout, as it is now. */
export async function lockPayout(tx: Tx, { merchantId, id }: PayoutRow): Promise<PayoutRow | undefined> {
  const [row] = await tx<PayoutRow[]>`
    select * from settlement_payout where merchant_id = ${merchantId} and id = ${id} for update`
  return row
}

/** What a sub account has of a transaction. */
export interface SubAccountIncome {
  readonly paymentReference: string
  readonly amount: Kobo
  readonly paidAt: Date
}

/** What a sub account has of the transactions of a settlement, as it was booked with their payments; oldest first. */
export const selectIncomes = (
  tx: Tx,
  { merchantId, settlementId, beneficiaryCode }: PayoutRow,
): Promise<SubAccountIncome[]> =>
  tx<SubAccountIncome[]>`
    select t.payment_reference, max(p.received_at) as paid_at,
           sum((part->>'share')::bigint - (part->>'fee')::bigint)::bigint as amount
      from settlement_item i
      join transaction t on t.merchant_id = i.merchant_id and t.id = i.transaction_id
      join payment p on p.merchant_id = i.merchant_id and p.transaction_id = i.transaction_id
     cross join json_array_elements(p.splits) part
     where i.merchant_id = ${merchantId} and i.settlement_id = ${settlementId}
       and part->>'subAccountCode' = ${beneficiaryCode}
     group by t.id, t.payment_reference
     order by t.id`

const PAYOUT_CHANGING = [
  'merchantId',
  'id',
  'status',
  'tries',
  'bankCode',
  'accountNumber',
  'accountName',
  'sessionId',
  'failure',
  'dueAt',
  'completedAt',
] as const

/** Writes what may change of payouts. */
export async function updatePayouts(tx: Tx, rows: readonly PayoutRow[]): Promise<void> {
  await tx`
    update settlement_payout p
       set status = c.status, tries = c.tries, bank_code = c.bank_code, account_number = c.account_number,
           account_name = c.account_name, session_id = c.session_id, failure = c.failure, due_at = c.due_at,
           completed_at = c.completed_at
      from json_populate_recordset(null::settlement_payout, ${rowSet(rows, PAYOUT_CHANGING)}::text::json) c
     where p.merchant_id = c.merchant_id and p.id = c.id`
}

export async function nextPayoutDue(db: Db): Promise<Date | undefined> {
  const [row] = await db<{ due: Date | null }[]>`
    select min(due_at) as due from settlement_payout where due_at is not null`
  return row?.due ?? undefined
}

export async function findSettlement(
  db: Db | Tx,
  merchantId: bigint,
  settlementReference: string,
): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select * from settlement where merchant_id = ${merchantId} and settlement_reference = ${settlementReference}`
  return row
}

export async function lockSettlement(tx: Tx, merchantId: bigint, id: bigint): Promise<SettlementRow | undefined> {
  const [row] = await tx<SettlementRow[]>`
    select * from settlement where merchant_id = ${merchantId} and id = ${id} for update`
  return row
}

export async function updateSettlement(tx: Tx, row: SettlementRow): Promise<void> {
  await tx`
    update settlement
       set status = ${row.status}, completed_at = ${row.completedAt}, destination_bank_code = ${row.destinationBankCode},
           destination_account_number = ${row.destinationAccountNumber}, destination_account_name = ${row.destinationAccountName}
     where merchant_id = ${row.merchantId} and id = ${row.id}`
}

/** A page of a merchant's settlements, newest first. */
export const selectSettlements = (
  db: Db,
  merchantId: bigint,
  limit: number,
  offset: number,
): Promise<SettlementRow[]> =>
  db<SettlementRow[]>`
    select * from settlement where merchant_id = ${merchantId} order by id desc limit ${limit} offset ${offset}`

export async function countSettlements(db: Db, merchantId: bigint): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`select count(*) from settlement where merchant_id = ${merchantId}`
  return Number(row?.count ?? 0n)
}

/** A page of the transactions of a settlement, newest first. */
export const selectSettledTransactions = (
  db: Db | Tx,
  { merchantId, id }: SettlementRow,
  limit: number,
  offset: number,
): Promise<TransactionRow[]> =>
  db<TransactionRow[]>`
    select t.*
      from settlement_item i
      join transaction t on t.merchant_id = i.merchant_id and t.id = i.transaction_id
     where i.merchant_id = ${merchantId} and i.settlement_id = ${id}
     order by i.transaction_id desc
     limit ${limit} offset ${offset}`

/** The settlement that a transaction is in. */
export async function findSettlementOf(
  db: Db,
  merchantId: bigint,
  transactionId: bigint,
): Promise<SettlementRow | undefined> {
  const [row] = await db<SettlementRow[]>`
    select s.*
      from settlement_item i
      join settlement s on s.merchant_id = i.merchant_id and s.id = i.settlement_id
     where i.merchant_id = ${merchantId} and i.transaction_id = ${transactionId}`
  return row
}

/** The payouts of a settlement to some sub accounts. */
export const selectPayouts = (
  db: Db,
  { merchantId, id }: SettlementRow,
  subAccountCodes: readonly string[],
): Promise<PayoutRow[]> =>
  db<PayoutRow[]>`
    select * from settlement_payout
     where merchant_id = ${merchantId} and settlement_id = ${id}
       and beneficiary_type = 'SUB_ACCOUNT' and beneficiary_code = any(${subAccountCodes})`
