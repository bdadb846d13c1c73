import type { RejectionReason } from '@kobo/contract'
import type { Keyring } from '../../core/keyring.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { INSTANT } from '../../core/settlement-cycle/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type Kobo, ZERO } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { type Arrival, type Birth, decidedBefore, receive, type TransactionRow } from '../transactions/index.ts'
import { openSources } from './identity.ts'
import { isWithin, NO_USAGE, type Usage, withPayment } from './limits.ts'
import {
  addUsage,
  lockReservedAccounts,
  type ReservedAccountRow,
  type Standing,
  selectStandings,
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
 * Takes a set of credits: each makes a transaction of its own, or pays the open invoice, or goes back. The accounts are
 * locked first, so that what was paid in on a day is added up one payment after the other.
 */
export async function receiveReservedCredits(
  tx: Tx,
  { ids, keyring }: { readonly ids: IdSource; readonly keyring: Keyring },
  at: Date,
  credits: readonly ReservedCredit[],
): Promise<readonly CreditOutcome[]> {
  const keys = [...new Map(credits.map((one) => [one.reservedAccountId, keyOf(one)])).values()]
  const dayStart = startOfDay(at)
  // Sent together and carried out in this order: what is asked after the lock sees all that was committed before it.
  const [locked, standings, decided] = await Promise.all([
    lockReservedAccounts(tx, keys),
    selectStandings(tx, keys, dayStart, at),
    decidedBefore(tx, credits.map(referenceOf)),
  ])
  const gate = openGate(keyring, standings)
  const accounts = new Map(locked.map((row) => [row.id, row]))
  const seen = new Set(decided.keys())

  const arrivals: Arrival[] = []
  const births: Birth[] = []
  const takes = credits.map((one): Take => {
    const account = accounts.get(one.reservedAccountId)
    invariant(account !== undefined, 'a number of a reserved account belongs to one')
    const reference = referenceText(one)
    const isNew = !seen.has(reference)
    seen.add(reference)
    const refused = isNew ? gate.refuse(account, one.credit) : undefined
    const receipt = { ...one.credit, method: 'ACCOUNT_TRANSFER', card: null } as const
    const { merchantId, invoiceTransactionId } = account
    if (account.type === 'INVOICE' && invoiceTransactionId !== null && refused === undefined)
      return {
        isNew,
        nth: arrivals.push({ merchantId, transactionId: invoiceTransactionId, receipt }) - 1,
        of: 'arrivals',
      }
    const transaction = transactionOf(ids, at, one.merchant, account, one.credit.amount)
    return { isNew, nth: births.push({ transaction, receipt, refused }) - 1, of: 'births' }
  })
  const received = await receive(tx, ids, at, { arrivals, births, decided })
  const outcomes = takes.map(({ of, nth }) => received[of][nth] as CreditOutcome)
  const kept = credits.filter((_, index) => takes[index]?.isNew === true && outcomes[index]?.kind === 'accepted')
  addUsage(tx, dayStart, usageOf(kept))
  return outcomes
}

/** Where the outcome of a credit is found. */
interface Take {
  /** Whether it was not told of before. */
  readonly isNew: boolean
  readonly of: 'arrivals' | 'births'
  readonly nth: number
}

const keyOf = ({ merchant, reservedAccountId }: ReservedCredit) => ({ merchantId: merchant.id, id: reservedAccountId })
const referenceOf = ({ merchant, credit }: ReservedCredit) => ({
  merchantId: merchant.id,
  railReference: credit.railReference,
})
const referenceText = ({ merchant, credit }: ReservedCredit): string => `${merchant.id} ${credit.railReference}`

/** Lets credits pass or tells why not, one after the other: what has passed counts for the next. */
function openGate(keyring: Keyring, standings: readonly Standing[]) {
  const byAccount = new Map(standings.map((standing) => [standing.id, standing]))
  const usages = new Map<bigint, Usage>(standings.map((standing) => [standing.id, standing]))
  return {
    refuse: (account: ReservedAccountRow, { payer, amount }: InboundCredit): RejectionReason | undefined => {
      const standing = byAccount.get(account.id)
      if (account.deallocatedAt !== null) return 'ACCOUNT_INACTIVE'
      if (account.type === 'INVOICE' && standing?.hasOpenInvoice !== true) return 'ACCOUNT_INACTIVE'
      const sources = account.restrictPaymentSource
        ? openSources(keyring, account, account.allowedPaymentSources)
        : undefined
      if (sources === null || (sources !== undefined && !isAllowed(sources, payer))) return 'PAYMENT_SOURCE_NOT_ALLOWED'
      const limits = limitsOf(standing)
      const usage = usages.get(account.id) ?? NO_USAGE
      if (limits !== undefined && !isWithin(limits, usage, amount)) return 'LIMIT_EXCEEDED'
      usages.set(account.id, withPayment(usage, amount))
      return undefined
    },
  }
}

function limitsOf(standing: Standing | undefined) {
  const { singleTransactionValue, dailyTransactionValue, dailyTransactionVolume } = standing ?? {}
  return singleTransactionValue == null || dailyTransactionValue == null || dailyTransactionVolume == null
    ? undefined
    : { singleTransactionValue, dailyTransactionValue, dailyTransactionVolume }
}

/** What the kept credits add to the day, by account. */
function usageOf(kept: readonly ReservedCredit[]): readonly UsageRow[] {
  const byAccount = Map.groupBy(kept, ({ reservedAccountId }) => reservedAccountId)
  return [...byAccount].map(([reservedAccountId, [first, ...more]]) => {
    invariant(first !== undefined, 'a group is not empty')
    const usage = [first, ...more].reduce((day, { credit }) => withPayment(day, credit.amount), NO_USAGE)
    return { merchantId: first.merchant.id, reservedAccountId, ...usage }
  })
}

/**
 * The transaction that a credit brings along. Nobody was asked to add a fee to it, so the fee is taken out of what came,
 * whoever bears it otherwise.
 */
function transactionOf(
  ids: IdSource,
  at: Date,
  merchant: Merchant,
  account: ReservedAccountRow,
  amount: Kobo,
): TransactionRow {
  const contract = merchant.contracts.get(account.contractCode)
  invariant(contract !== undefined, 'contracts are never removed')
  const { id, transactionReference } = ids.transaction()
  return {
    merchantId: merchant.id,
    id,
    transactionReference,
    paymentReference: transactionReference,
    contractCode: contract.code,
    status: 'PENDING',
    amount,
    payable: amount,
    currencyCode: account.currencyCode,
    paymentDescription: account.accountName,
    customerName: account.customerName,
    customerEmail: account.customerEmail,
    redirectUrl: null,
    paymentMethods: ['ACCOUNT_TRANSFER'],
    incomeSplitConfig: account.agreedSplits.length === 0 ? null : account.agreedSplits,
    metaData: account.metaData,
    productType: 'RESERVED_ACCOUNT',
    productReference: account.accountReference,
    feeBearer: 'MERCHANT',
    feeBasisPoints: contract.feeBasisPoints,
    feeCap: contract.feeCap,
    feeFlat: contract.feeFlat,
    underpayment: 'ACCEPT',
    createdAt: at,
    expiresAt: secondsAfter(at, contract.accountDurationSeconds),
    completedAt: null,
    amountPaid: ZERO,
    fee: ZERO,
    paymentMethod: null,
    paidAt: null,
    invoiceReference: null,
    settlementCycle: contract.settlement === INSTANT ? INSTANT : contract.settlementTime,
    settlesAt: null,
    reservedAccountId: account.id,
  }
}
