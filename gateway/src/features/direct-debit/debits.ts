import type { Merchant } from '../../core/merchants/index.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { spaced } from '../../kernel/dates.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import { add, type Kobo, subtract, toNairaText } from '../../kernel/money.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { DebitOrder, DebitOutcome } from '../../rails/debit.ts'
import type { Rails } from '../../rails/index.ts'
import {
  declined,
  draftTransaction,
  insertTransactions,
  lockTransactions,
  type NewTransaction,
  receiveMoney,
  type TransactionRow,
  updateTransactions,
} from '../transactions/index.ts'
import { directDebitErrors } from './errors.ts'
import { debitMachine } from './machine.ts'
import { moved } from './mandate.ts'
import {
  type DebitRow,
  findDebit,
  insertDebit,
  lockDebit,
  lockMandate,
  type MandateRow,
  updateDebit,
  updateMandates,
} from './repository.ts'
import { changeMandates, checkAmount } from './service.ts'

/** How long an unknown outcome is left alone at least, and at most. */
const ASK_SECONDS_MIN = 60
const ASK_SECONDS_MAX = 3_600
/** A debit ends when the bank has answered, however long that takes: its transaction must not be over before. */
const ANSWER_SECONDS_MAX = 10 * 365 * 86_400

export interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly rails: Pick<Rails, 'debit'>
  readonly pokeDelivery: () => void
}

/** A debit that a merchant asks for. */
export interface NewDebit {
  readonly mandateCode: string
  readonly paymentReference: string
  readonly amount: Kobo
  readonly narration: string
  readonly customerEmail: string
  readonly incomeSplitConfig: NewTransaction['incomeSplitConfig']
}

/** Accepts a debit, then sends it to the bank. Answers it as it was accepted: PENDING. */
export async function debitMandate(deps: Deps, merchant: Merchant, wanted: NewDebit): Promise<DebitRow> {
  checkAmount('debitAmount', wanted.amount)
  const { mandate, debit } = await inTransaction(deps.db, (tx) => accept(tx, deps, merchant, wanted))
  await settle(deps, debit, await deps.rails.debit.debit(orderOf(mandate, debit)))
  return debit
}

async function accept(
  tx: Tx,
  { clock, ids }: Deps,
  merchant: Merchant,
  wanted: NewDebit,
): Promise<{ readonly mandate: MandateRow; readonly debit: DebitRow }> {
  const mandate = await lockMandate(tx, merchant.id, wanted)
  if (mandate === undefined) throw directDebitErrors.unknownMandate()
  const at = clock.now()
  const transaction = draft(ids, at, merchant, mandate, wanted)
  // First of all, so that a reference used twice is called that, whatever else may be wrong the second time.
  if (!(await insertTransactions(tx, [transaction]))) throw directDebitErrors.duplicatePayment()
  const refused = whyNotDebited(mandate, wanted.amount, at)
  if (refused !== undefined) throw refused
  const debit: DebitRow = {
    merchantId: merchant.id,
    id: ids.id(),
    mandateId: mandate.id,
    period: mandate.period,
    transactionId: transaction.id,
    transactionReference: transaction.transactionReference,
    paymentReference: wanted.paymentReference,
    amount: wanted.amount,
    narration: wanted.narration,
    status: 'PENDING',
    reason: null,
    createdAt: at,
    askAt: secondsAfter(at, ASK_SECONDS_MIN),
  }
  await Promise.all([
    updateMandates(tx, [{ ...mandate, debited: add(mandate.debited, debit.amount) }]),
    insertDebit(tx, debit),
  ])
  return { mandate, debit }
}

/** The transaction that a debit is. The customer gave leave for this amount and no more, so the fee is the merchant's. */
function draft(ids: IdSource, at: Date, merchant: Merchant, mandate: MandateRow, wanted: NewDebit): TransactionRow {
  const contract = merchant.contracts.get(mandate.contractCode)
  if (contract === undefined) throw directDebitErrors.unknownContract()
  try {
    const transaction = draftTransaction({ ids, at }, merchant, {
      amount: wanted.amount,
      paymentReference: wanted.paymentReference,
      contractCode: contract.code,
      currencyCode: contract.currencyCode,
      customerName: mandate.customerName,
      customerEmail: wanted.customerEmail,
      paymentDescription: wanted.narration,
      redirectUrl: null,
      paymentMethods: ['DIRECT_DEBIT'],
      incomeSplitConfig: wanted.incomeSplitConfig,
      metaData: {},
      productType: 'DIRECT_DEBIT',
      expiresAt: secondsAfter(at, ANSWER_SECONDS_MAX),
    })
    return { ...transaction, feeBearer: 'MERCHANT', payable: transaction.amount }
  } catch (refused) {
    throw refused instanceof Refusal && refused.status === 422
      ? directDebitErrors.termsRefused(refused.message)
      : refused
  }
}

/** Why an amount cannot be debited under a mandate at a time; undefined where it can. */
export function whyNotDebited(mandate: MandateRow, amount: Kobo, at: Date): Refusal | undefined {
  const { status, startsAt, endsAt, debitAmount, mandateAmount, debited } = mandate
  if (status !== 'ACTIVE') return directDebitErrors.notActive(status)
  if (mandate.cancelRequestedAt !== null) return directDebitErrors.cancellationRequested()
  if (at < startsAt) return directDebitErrors.notStarted(spaced(startsAt))
  if (at >= endsAt) return directDebitErrors.ended(spaced(endsAt))
  if (debitAmount !== null && amount !== debitAmount)
    return directDebitErrors.notTheFixedAmount(toNairaText(debitAmount))
  const left = mandateAmount === null ? amount : subtract(mandateAmount, debited)
  return amount > left ? directDebitErrors.aboveWhatIsLeft(toNairaText(left)) : undefined
}

const orderOf = (mandate: MandateRow, debit: DebitRow): DebitOrder => ({
  reference: debit.transactionReference,
  mandateCode: mandate.mandateCode,
  accountNumber: mandate.customerAccountNumber,
  bankCode: mandate.customerAccountBankCode,
  amount: debit.amount,
  narration: debit.narration,
})

/** What the bank never got was not debited, and never will be. */
const NEVER_ARRIVED: DebitOutcome = { kind: 'declined', reason: 'The bank never received the debit', isStopped: false }

/** Asks the bank what became of a debit, and writes it down. */
export async function askAbout(deps: Deps, debit: DebitRow): Promise<void> {
  const found = await deps.rails.debit.findDebit(debit.transactionReference)
  await settle(deps, debit, found.kind === 'not found' ? NEVER_ARRIVED : found)
}

/** When a debit whose outcome is unknown is asked about again: after as long as it has waited, within bounds. */
export function askAgainAt({ createdAt }: Pick<DebitRow, 'createdAt'>, at: Date): Date {
  const waitedSeconds = (at.getTime() - createdAt.getTime()) / 1_000
  return secondsAfter(at, Math.min(Math.max(waitedSeconds, ASK_SECONDS_MIN), ASK_SECONDS_MAX))
}

/** Writes down what the bank said about a debit: the one door for the first answer and for all that are asked for later. */
async function settle({ db, clock, ids, pokeDelivery }: Deps, debit: DebitRow, outcome: DebitOutcome): Promise<void> {
  await inTransaction(db, async (tx) => {
    const mandate = await lockMandate(tx, debit.merchantId, { id: debit.mandateId })
    const present = await lockDebit(tx, debit)
    invariant(mandate !== undefined && present !== undefined, 'a debit and its mandate stay')
    if (present.status !== 'PENDING') return // another process had the answer first
    const at = clock.now()
    if (outcome.kind === 'unknown') await updateDebit(tx, { ...present, askAt: askAgainAt(present, at) })
    else if (outcome.kind === 'paid') await collect(tx, ids, at, mandate, present, outcome.sessionId)
    else await fail(tx, ids, at, mandate, present, outcome)
  })
  pokeDelivery()
}

async function collect(
  tx: Tx,
  ids: IdSource,
  at: Date,
  mandate: MandateRow,
  debit: DebitRow,
  sessionId: string,
): Promise<void> {
  const status = next(debitMachine, debit.status, 'pay')
  invariant(status !== undefined, 'a debit that is under way can be paid')
  await updateDebit(tx, { ...debit, status, askAt: null })
  const [kept] = await receiveMoney(tx, ids, at, [
    {
      merchantId: debit.merchantId,
      transactionId: debit.transactionId,
      receipt: {
        railReference: sessionId,
        method: 'DIRECT_DEBIT',
        amount: debit.amount,
        payer: {
          name: mandate.customerAccountName,
          accountNumber: mandate.customerAccountNumber,
          bankCode: mandate.customerAccountBankCode,
          bvn: null,
        },
        bankCode: null,
        accountNumber: null,
        card: null,
      },
    },
  ])
  invariant(kept?.kind === 'accepted', 'what was debited is kept')
}

async function fail(
  tx: Tx,
  ids: IdSource,
  at: Date,
  mandate: MandateRow,
  debit: DebitRow,
  { reason, isStopped }: Extract<DebitOutcome, { kind: 'declined' }>,
): Promise<void> {
  const status = next(debitMachine, debit.status, 'decline')
  const [transaction] = await lockTransactions(tx, [{ merchantId: debit.merchantId, id: debit.transactionId }])
  const after = transaction === undefined ? undefined : declined(transaction)
  invariant(status !== undefined && after !== undefined, 'a debit that is under way can be declined')
  // A debit is not tried again under its reference, so this transaction is over.
  await updateTransactions(tx, [{ ...after, completedAt: at }])
  await updateDebit(tx, { ...debit, status, reason, askAt: null })
  const freed = { ...mandate, debited: subtract(mandate.debited, debit.amount) }
  const suspended = isStopped ? moved(freed, 'suspend') : undefined
  if (suspended === undefined) await updateMandates(tx, [freed])
  else await changeMandates(tx, ids, at, [suspended])
}

/** A debit by the merchant's own reference. */
export async function getDebit(
  db: Db,
  merchantId: bigint,
  paymentReference: string,
): Promise<DebitRow & { readonly mandateCode: string }> {
  const debit = await findDebit(db, merchantId, paymentReference)
  if (debit === undefined) throw directDebitErrors.unknownDebit()
  return debit
}
