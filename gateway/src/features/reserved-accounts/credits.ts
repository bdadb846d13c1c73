import type { RejectionReason } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import { claimCredits, openMemory, type ReportedCredit } from '../../core/money/credits/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { type Arrival, draftForTransfer, receive } from '../transactions/index.ts'
import { openSources } from './identity.ts'
import { isWithin, NO_USAGE, type Usage, withPayment } from './limits.ts'
import {
  type AccountState,
  addUsage,
  lockReservedAccounts,
  type ReservedAccountRow,
  selectAccountStates,
  type UsageRow,
} from './repository.ts'
import { isAllowed } from './sources.ts'

/** A credit on a number of a reserved account. */
export interface ReservedCredit {
  readonly merchant: Merchant
  readonly reservedAccountId: bigint
  readonly credit: InboundCredit
}

/**
 * Receives a batch of credits: each creates its own transaction, pays the open invoice, or goes back. The accounts are
 * locked first, so that parallel batches cannot exceed an account's daily limits.
 */
export async function receiveReservedCredits(
  unit: UnitOfWork,
  keyring: Keyring,
  credits: readonly ReservedCredit[],
): Promise<readonly CreditOutcome[]> {
  const { tx, at } = unit
  const keys = [...new Map(credits.map((one) => [one.reservedAccountId, keyOf(one)])).values()]
  const dayStart = startOfDay(at)
  // Sent together and run in this order: a query after the lock sees everything that was committed before it.
  const [locked, states, decisions] = await Promise.all([
    lockReservedAccounts(tx, keys),
    selectAccountStates(tx, keys, dayStart, at),
    claimCredits(tx, credits.map(reportedCreditOf)),
  ])
  const gate = openGate(keyring, states)
  const accounts = new Map(locked.map((row) => [row.id, row]))
  const memory = openMemory(decisions)
  const fresh = new Set<ReservedCredit>()
  const arrivals = credits.map((one): Arrival => {
    const account = accounts.get(one.reservedAccountId)
    invariant(account !== undefined, 'a number of a reserved account belongs to one')
    const reported = reportedCreditOf(one)
    if (memory.earlierDecision(reported) === undefined) {
      fresh.add(one)
      memory.remember(reported, null)
    }
    return arrivalOf(unit, one, account, fresh.has(one) ? gate.reasonToReject(account, one.credit) : undefined)
  })
  const outcomes = await receive(unit, arrivals, { decisions })
  const accepted = credits.filter((one, index) => fresh.has(one) && outcomes[index]?.kind === 'accepted')
  addUsage(tx, usageOf(accepted, dayStart))
  return outcomes
}

/** Returns a credit as a payment of the account's invoice, or as the payment of a new transaction. */
function arrivalOf(
  unit: UnitOfWork,
  { merchant, credit }: ReservedCredit,
  account: ReservedAccountRow,
  rejected: RejectionReason | undefined,
): Arrival {
  const receipt = { ...credit, method: 'ACCOUNT_TRANSFER', card: null } as const
  const { merchantId, invoiceTransactionId } = account
  if (account.type === 'INVOICE' && invoiceTransactionId !== null && rejected === undefined)
    return { merchantId, transactionId: invoiceTransactionId, receipt }
  const draft = draftForTransfer(unit, merchant, {
    amount: credit.amount,
    contractCode: account.contractCode,
    currencyCode: account.currencyCode,
    customerName: account.customerName,
    customerEmail: account.customerEmail,
    paymentDescription: account.accountName,
    agreedSplits: account.agreedSplits,
    metaData: account.metaData,
    productType: 'RESERVED_ACCOUNT',
    productReference: account.accountReference,
    reservedAccountId: account.id,
  })
  return { draft, receipt, rejected }
}

const keyOf = ({ merchant, reservedAccountId }: ReservedCredit) => ({ merchantId: merchant.id, id: reservedAccountId })
const reportedCreditOf = ({ merchant, credit }: ReservedCredit): ReportedCredit => ({
  ...credit,
  merchantId: merchant.id,
})

/** Decides credits one after the other: each accepted one counts toward the limits of the next. */
function openGate(keyring: Keyring, states: readonly AccountState[]) {
  const byAccount = new Map(states.map((state) => [state.id, state]))
  const usages = new Map<bigint, Usage>(states.map((state) => [state.id, state]))
  return {
    reasonToReject: (account: ReservedAccountRow, { payer, amount }: InboundCredit): RejectionReason | undefined => {
      const state = byAccount.get(account.id)
      if (account.deallocatedAt !== null) return 'ACCOUNT_INACTIVE'
      if (account.type === 'INVOICE' && state?.hasOpenInvoice !== true) return 'ACCOUNT_INACTIVE'
      const sources = account.restrictPaymentSource
        ? openSources(keyring, account, account.allowedPaymentSources)
        : undefined
      if (sources === null || (sources !== undefined && !isAllowed(sources, payer))) return 'PAYMENT_SOURCE_NOT_ALLOWED'
      const limits = limitsOf(state)
      const usage = usages.get(account.id) ?? NO_USAGE
      if (limits !== undefined && !isWithin(limits, usage, amount)) return 'LIMIT_EXCEEDED'
      usages.set(account.id, withPayment(usage, amount))
      return undefined
    },
  }
}

function limitsOf(state: AccountState | undefined) {
  const { singleTransactionValue, dailyTransactionValue, dailyTransactionVolume } = state ?? {}
  return singleTransactionValue == null || dailyTransactionValue == null || dailyTransactionVolume == null
    ? undefined
    : { singleTransactionValue, dailyTransactionValue, dailyTransactionVolume }
}

/** Returns what the accepted credits add to each account's usage of the day. */
function usageOf(accepted: readonly ReservedCredit[], dayStart: Date): readonly UsageRow[] {
  const byAccount = Map.groupBy(accepted, ({ reservedAccountId }) => reservedAccountId)
  return [...byAccount].map(([reservedAccountId, [first, ...more]]) => {
    invariant(first !== undefined, 'a group is not empty')
    const usage = [first, ...more].reduce((day, { credit }) => withPayment(day, credit.amount), NO_USAGE)
    return { merchantId: first.merchant.id, reservedAccountId, dayStart, ...usage }
  })
}
