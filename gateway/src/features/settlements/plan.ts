import type { Destination } from '../../core/merchants/index.ts'
import type { Debts } from '../../core/money/debts.ts'
import type { Journal } from '../../core/money/ledger/index.ts'
import { type LotRow, type ReserveTerms, reserved } from '../../core/money/reserve/index.ts'
import { INSTANT } from '../../core/money/settlement-cycle/index.ts'
import { income, type Parts } from '../../core/money/splits.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { randomCode } from '../../kernel/ids.ts'
import { add, type Kobo, subtract, sum, ZERO } from '../../kernel/money.ts'
import type { Payment, Transaction, TransactionRecord } from '../transactions/index.ts'
import { settlementJournal, settlementKey } from './journals.ts'
import type { ItemRow, PayoutRow, SettlementRow } from './repository.ts'
import {
  bearersOf,
  type Incomes,
  NOTHING_WITHHELD,
  paidOut,
  perTransaction,
  type Withheld,
  type Withholding,
  type Withholdings,
} from './withholding.ts'

/** A settlement and everything that follows from it. */
export interface Planned {
  readonly settlement: SettlementRow
  readonly records: readonly TransactionRecord[]
  readonly items: readonly ItemRow[]
  readonly payouts: readonly PayoutRow[]
  /** The reserve withheld; undefined if none is. */
  readonly lot: LotRow | undefined
  /** How the debt repayment and the reserve are divided among the beneficiaries. */
  readonly withholdings: Withholdings
  readonly journal: Journal
}

/** A contract's current settlement destination. */
export interface SettlementTerms extends Destination {
  readonly merchantCode: string
  readonly destination: 'WALLET' | 'BANK'
}

/** A sub account's bank account, and the recipients of its settlement reports. */
export interface PaidSubAccount extends Destination {
  readonly settlementReportEmails: readonly string[]
}

export interface Terms {
  readonly contract: (transaction: Transaction) => SettlementTerms | undefined
  readonly subAccount: (merchantId: bigint, code: string) => PaidSubAccount | undefined
  /** Repays the merchant's debts with at most the given amount, under a journal key; returns the amount used. */
  readonly repay: Debts['repay']
  readonly reserve: (merchantId: bigint) => ReserveTerms | undefined
}

/** Returns the shares of a transaction, as posted with its payments. */
export function partsOf(
  { amountPaid, fee }: Pick<Transaction, 'amountPaid' | 'fee'>,
  payments: readonly Payment[],
): Parts {
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

/** Returns one transaction's share of the amount that a settlement withheld from all its transactions. */
export function withheldFromOne(
  withheld: Withheld,
  records: readonly TransactionRecord[],
  transactionId: bigint,
): Withholdings {
  const all = records
    .toSorted((a, b) => (a.transaction.id < b.transaction.id ? -1 : 1))
    .map(({ transaction, payments }) => ({ id: transaction.id, incomes: incomesIn(partsOf(transaction, payments)) }))
  const index = all.findIndex(({ id }) => id === transactionId)
  const one = all[index]?.incomes
  invariant(one !== undefined, 'a settlement has its transaction')
  const { merchant, subAccounts } = bearersOf(withheld, totalOf(all.map(({ incomes }) => incomes)))
  const ofOne = (bears: Withheld, incomeOf: (incomes: Incomes) => Kobo): Withholding => {
    const parts = perTransaction(
      bears,
      all.map(({ incomes }) => incomeOf(incomes)),
    )
    return parts[index] ?? { income: incomeOf(one), ...NOTHING_WITHHELD }
  }
  return {
    merchant: ofOne(merchant, (incomes) => incomes.merchant),
    subAccounts: new Map(
      [...one.subAccounts.keys()].map((code) => [
        code,
        ofOne(subAccounts.get(code) ?? NOTHING_WITHHELD, (incomes) => incomes.subAccounts.get(code) ?? ZERO),
      ]),
    ),
  }
}

const incomesIn = ({ merchant, subAccounts }: Parts): Incomes => ({
  merchant: income(merchant),
  subAccounts: new Map(subAccounts.map((part) => [part.subAccountCode, income(part)])),
})

function totalOf(all: readonly Incomes[]): Incomes {
  const subAccounts = new Map<string, Kobo>()
  for (const one of all)
    for (const [code, amount] of one.subAccounts) subAccounts.set(code, add(subAccounts.get(code) ?? ZERO, amount))
  return { merchant: sum(all.map(({ merchant }) => merchant)), subAccounts }
}

/**
 * Plans the settlements of due transactions: one per contract and due time, or one per transaction that settles
 * instantly. All writes follow from this plan.
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
  const parted = records.map(({ transaction, payments }) => ({ transaction, parts: partsOf(transaction, payments) }))
  const items = parted.map(({ transaction, parts }) => ({
    merchantId,
    transactionId: transaction.id,
    settlementId: id,
    ...parts.merchant,
  }))
  const incomes = totalOf(parted.map(({ parts }) => incomesIn(parts)))
  const settlementReference = randomCode(20)
  const { lot, withheld } = withhold({ merchantId, id, settlementReference }, incomes, terms, at)
  const withholdings = bearersOf(withheld, incomes)
  const amount = paidOut(withholdings.merchant)
  const isComplete = contract.destination === 'WALLET' || amount === 0n
  const settlement: SettlementRow = {
    merchantId,
    id,
    settlementReference,
    contractCode,
    currencyCode,
    amount,
    ...withheld,
    transactionsCount: records.length,
    destination: contract.destination,
    destinationBankCode: contract.bankCode,
    destinationAccountNumber: contract.accountNumber,
    destinationAccountName: contract.accountName,
    status: isComplete ? 'COMPLETED' : 'PENDING',
    settledAt: at,
    completedAt: isComplete ? at : null,
  }
  const payouts = [...withholdings.subAccounts].flatMap(([code, withholding]) => {
    const subAccount = terms.subAccount(merchantId, code)
    invariant(subAccount !== undefined, 'a sub account is never deleted')
    const due = paidOut(withholding)
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
    withholdings,
    journal: settlementJournal(settlement, withholdings),
  }
}

const DAY_SECONDS = 86_400

/**
 * Withholds a part of everything collected, sub accounts' shares included: first the merchant's debts are repaid, then
 * a percentage is reserved until its release time.
 */
function withhold(
  named: Pick<SettlementRow, 'merchantId' | 'id' | 'settlementReference'>,
  { merchant, subAccounts }: Incomes,
  { repay, reserve }: Terms,
  at: Date,
): { readonly withheld: Withheld } & Pick<Planned, 'lot'> {
  const { merchantId, id } = named
  const collected = add(merchant, sum(subAccounts.values()))
  const debtRepaid = repay(merchantId, collected, settlementKey(named))
  const terms = reserve(merchantId)
  const toReserve = reserved(terms, collected, subtract(collected, debtRepaid))
  return {
    withheld: { debtRepaid, reserved: toReserve },
    lot:
      terms === undefined || toReserve === 0n
        ? undefined
        : {
            merchantId,
            id,
            amount: toReserve,
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
