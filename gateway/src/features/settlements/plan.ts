import type { Destination } from '../../core/merchants/index.ts'
import type { Debts } from '../../core/money/debts.ts'
import type { Journal } from '../../core/money/ledger/index.ts'
import { type LotRow, type ReserveTerms, reserved } from '../../core/money/reserve/index.ts'
import { INSTANT } from '../../core/money/settlement-cycle/index.ts'
import { income, type Part, type SubAccountPart } from '../../core/money/splits.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { randomCode } from '../../kernel/ids.ts'
import { add, type Kobo, subtract, sum, ZERO } from '../../kernel/money.ts'
import type { Payment, Transaction, TransactionRecord } from '../transactions/index.ts'
import { settlementJournal, settlementKey } from './journals.ts'
import type { ItemRow, PayoutRow, SettlementRow } from './repository.ts'

/** A settlement and everything that follows from it. */
export interface Planned {
  readonly settlement: SettlementRow
  readonly records: readonly TransactionRecord[]
  readonly items: readonly ItemRow[]
  readonly payouts: readonly PayoutRow[]
  /** The reserve withheld; undefined if none is. */
  readonly lot: LotRow | undefined
  readonly journal: Journal
}

/** A contract's current settlement destination. */
export interface SettlementTerms extends Destination {
  readonly merchantCode: string
  readonly destination: 'WALLET' | 'BANK'
}

export interface Terms {
  readonly contract: (transaction: Transaction) => SettlementTerms | undefined
  readonly subAccount: (merchantId: bigint, code: string) => Destination | undefined
  /** Repays the merchant's debts with up to an amount, under a journal key; returns the amount used. */
  readonly repay: Debts['repay']
  readonly reserve: (merchantId: bigint) => ReserveTerms | undefined
}

/** The shares of a transaction, as posted with its payments. */
export function partsOf(
  { amountPaid, fee }: Pick<Transaction, 'amountPaid' | 'fee'>,
  payments: readonly Payment[],
): { readonly merchant: Part; readonly subAccounts: readonly SubAccountPart[] } {
  const booked = Map.groupBy(
    payments.flatMap(({ splits }) => splits ?? []),
    ({ subAccountCode }) => subAccountCode,
  )
  const subAccounts = [...booked].map(([subAccountCode, parts]) => ({
    subAccountCode,
    share: sum(parts.map(({ share }) => share)),
    fee: sum(parts.map((part) => part.fee)),
  }))
  return {
    merchant: {
      share: subtract(amountPaid, sum(subAccounts.map(({ share }) => share))),
      fee: subtract(fee, sum(subAccounts.map((part) => part.fee))),
    },
    subAccounts,
  }
}

/**
 * Makes settlements of due transactions: one per contract and due time, or one per transaction that settles instantly.
 * Pure except for new ids: everything written follows from it.
 */
export function planSettlements(
  unit: Pick<UnitOfWork, 'ids' | 'at'>,
  records: readonly TransactionRecord[],
  terms: Terms,
): readonly Planned[] {
  return [...Map.groupBy(records, groupOf).values()].map((group) => planOne(unit, group, terms))
}

const groupOf = ({ transaction }: TransactionRecord): string =>
  transaction.settlementCycle === INSTANT
    ? `${transaction.merchantId} ${transaction.id}`
    : `${transaction.merchantId} ${transaction.contractCode} ${transaction.settlesAt?.getTime()}`

function planOne(
  { ids, at }: Pick<UnitOfWork, 'ids' | 'at'>,
  records: readonly TransactionRecord[],
  terms: Terms,
): Planned {
  const [first] = records
  const contract = first === undefined ? undefined : terms.contract(first.transaction)
  invariant(first !== undefined && contract !== undefined, 'a transaction has a contract')
  const { merchantId, contractCode, currencyCode } = first.transaction
  const id = ids.id()
  const ofSubAccounts = new Map<string, Kobo>()
  let collected: Kobo = ZERO
  const items = records.map(({ transaction, payments }) => {
    const { merchant, subAccounts } = partsOf(transaction, payments)
    collected = add(collected, income(merchant))
    for (const part of subAccounts) {
      const { subAccountCode: code } = part
      ofSubAccounts.set(code, add(ofSubAccounts.get(code) ?? ZERO, income(part)))
    }
    return { merchantId, transactionId: transaction.id, settlementId: id, ...merchant }
  })
  const settlementReference = randomCode(20)
  const { lot, ...deducted } = deduct({ merchantId, id, settlementReference }, collected, terms, at)
  const { amount } = deducted
  const isComplete = contract.destination === 'WALLET' || amount === 0n
  const settlement: SettlementRow = {
    merchantId,
    id,
    settlementReference,
    contractCode,
    currencyCode,
    ...deducted,
    transactionsCount: records.length,
    destination: contract.destination,
    destinationBankCode: contract.bankCode,
    destinationAccountNumber: contract.accountNumber,
    destinationAccountName: contract.accountName,
    status: isComplete ? 'COMPLETED' : 'PENDING',
    settledAt: at,
    completedAt: isComplete ? at : null,
  }
  const payouts = [...ofSubAccounts].flatMap(([code, due]) => {
    const subAccount = terms.subAccount(merchantId, code)
    invariant(subAccount !== undefined, 'a sub account is never deleted')
    return due > 0n ? newPayout(ids, settlement, 'SUB_ACCOUNT', code, due, subAccount) : []
  })
  return {
    settlement,
    records,
    items,
    payouts: isComplete
      ? payouts
      : [newPayout(ids, settlement, 'MERCHANT', contract.merchantCode, amount, contract), ...payouts],
    lot,
    journal: settlementJournal(settlement, ofSubAccounts),
  }
}

const DAY_SECONDS = 86_400

/** Splits a merchant's income into debt repayment, reserve with its release time, and the rest to settle. */
function deduct(
  named: Pick<SettlementRow, 'merchantId' | 'id' | 'settlementReference'>,
  collected: Kobo,
  { repay, reserve }: Terms,
  at: Date,
): Pick<SettlementRow, 'amount' | 'debtRepaid' | 'reserved'> & Pick<Planned, 'lot'> {
  const { merchantId, id } = named
  const debtRepaid = repay(merchantId, collected, settlementKey(named))
  const left = subtract(collected, debtRepaid)
  const terms = reserve(merchantId)
  const kept = reserved(terms, collected, left)
  return {
    amount: subtract(left, kept),
    debtRepaid,
    reserved: kept,
    lot:
      terms === undefined || kept === 0n
        ? undefined
        : {
            merchantId,
            id,
            amount: kept,
            taken: ZERO,
            releasesAt: secondsAfter(at, terms.days * DAY_SECONDS),
            releasedAt: null,
            repaidDebts: ZERO,
          },
  }
}

const newPayout = (
  ids: UnitOfWork['ids'],
  { merchantId, id }: SettlementRow,
  beneficiaryType: PayoutRow['beneficiaryType'],
  beneficiaryCode: string,
  amount: Kobo,
  { bankCode, accountNumber, accountName }: Destination,
): PayoutRow => ({
  merchantId,
  id: ids.id(),
  settlementId: id,
  beneficiaryType,
  beneficiaryCode,
  amount,
  status: 'DUE',
  bankCode,
  accountNumber,
  accountName,
  sessionId: null,
  failure: null,
  completedAt: null,
})
