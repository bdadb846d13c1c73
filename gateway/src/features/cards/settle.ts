import type { Vault } from '../../core/vault.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db.ts'
import {
  type Arrival,
  type CardFacts,
  checkOpen,
  declined,
  lockTransactions,
  type PaymentRow,
  receiveMoney,
  selectPayments,
  type TransactionRow,
  updateTransactions,
} from '../transactions/index.ts'
import { approved, consequence, type Outcome, reversing } from './outcome.ts'
import { type AttemptRow, selectAttempts, updateAttempts, updateUnheard } from './repository.ts'

/** What the network said of an attempt. */
export interface CardOutcome {
  readonly attempt: AttemptRow
  /** As it was when the attempt was opened, where the caller has opened it just now. */
  readonly transaction?: TransactionRow
  readonly outcome: Outcome
  /** The card's number, where the caller has it. */
  readonly cardNumber: Hidden<string> | null
}

/** An attempt after its outcome was written down, and its transaction as it was before any money. */
export interface Settled {
  readonly attempt: AttemptRow
  readonly transaction: TransactionRow
}

interface Tools {
  readonly ids: IdSource
  readonly vault: Vault
}

/** An attempt whose money has arrived. */
interface Paying {
  readonly attempt: AttemptRow
  readonly transaction: TransactionRow
  readonly reusable: boolean
  readonly cardNumber: Hidden<string> | null
}

const TOO_LATE = 'The transaction was over before the card was approved; the money goes back to the card'

const keyOf = ({ transactionId, number }: AttemptRow): string => `${transactionId} ${number}`

/** Whether all that its outcome depends on was read when the attempt was opened, and will prove when it is written. */
export const isFresh = ({ attempt, transaction, outcome }: CardOutcome): boolean =>
  transaction?.amountPaid === 0n && attempt.status === 'CHARGING' && outcome.kind === 'approved'

/**
 * Writes down a set of outcomes in one database transaction: attempts move on, declined transactions fail, money that is
 * approved goes through the door for money in, or back where that no longer takes it. An outcome told twice changes nothing.
 * Those that are trusted are taken as they were opened; where one has changed since, all fails as outdated.
 */
export async function settleOutcomes(
  tx: Tx,
  { ids, vault }: Tools,
  at: Date,
  outcomes: readonly CardOutcome[],
  trusted: ReadonlySet<CardOutcome>,
): Promise<Settled[]> {
  const { transactions, attempts } = await readAll(tx, outcomes, trusted)
  const unlocked = new Set([...trusted].map(({ attempt }) => attempt.transactionId))
  const changed = new Set<AttemptRow>()
  const touched = new Map<bigint, TransactionRow>()
  const paying: Paying[] = []
  const change = (before: AttemptRow, attempt: AttemptRow): void => {
    attempts.set(keyOf(attempt), attempt)
    changed.delete(before)
    changed.add(attempt)
  }

  for (const { attempt: told, outcome, cardNumber } of outcomes) {
    const attempt = attempts.get(keyOf(told))
    const row = transactions.get(told.transactionId)
    invariant(attempt !== undefined && row !== undefined, 'an attempt and its transaction stay')
    const transaction = calledBy(attempt, row)
    if (transaction !== row) touch(transaction)
    const follows = consequence(attempt, outcome, at)
    if (follows.kind === 'money') {
      const isOpen = checkOpen(transaction, at) === undefined
      change(attempt, isOpen ? approved(attempt, at) : reversing(attempt, TOO_LATE, at))
      paying.push({ attempt, transaction, reusable: follows.reusable && isOpen, cardNumber })
    }
    if (follows.kind === 'moved') {
      change(attempt, holding(vault, follows.attempt, cardNumber))
      const failed = follows.attempt.status === 'DECLINED' ? declined(transaction) : undefined
      if (failed !== undefined) touch(failed)
    }
  }

  function touch(transaction: TransactionRow): void {
    transactions.set(transaction.id, transaction)
    touched.set(transaction.id, transaction)
  }

  const tokens = await putOnFile(tx, vault, at, paying)
  // What money changes is written with the money.
  for (const { transaction } of paying) touched.delete(transaction.id)
  updateTransactions(tx, [...touched.values()])
  const isUnheard = ({ transactionId }: AttemptRow): boolean => unlocked.has(transactionId)
  updateUnheard(tx, [...changed].filter(isUnheard))
  updateAttempts(
    tx,
    [...changed].filter((attempt) => !isUnheard(attempt)),
  )
  const arrivals = paying.map((one) => arrivalOf(one.attempt, tokens.get(one) ?? null))
  // An attempt that may still be approved has brought no money yet, so nothing was decided about its reference before.
  const known = {
    transactions: [...transactions.values()],
    unlocked,
    decided: new Map(),
    payments: await earlierPayments(tx, paying),
  }
  const answers = await receiveMoney(tx, ids, at, arrivals, known)
  for (const [index, { attempt }] of paying.entries())
    invariant(
      (answers[index]?.kind === 'accepted') === (attempts.get(keyOf(attempt))?.status === 'APPROVED'),
      'money of an attempt is kept when the attempt says so',
    )
  return outcomes.map(({ attempt }) => ({
    attempt: attempts.get(keyOf(attempt)) as AttemptRow,
    transaction: transactions.get(attempt.transactionId) as TransactionRow,
  }))
}

/** Reads and locks what outcomes are about; takes what is trusted as it is told. */
async function readAll(tx: Tx, outcomes: readonly CardOutcome[], trusted: ReadonlySet<CardOutcome>) {
  const keys = outcomes.flatMap((outcome) =>
    trusted.has(outcome) ? [] : { merchantId: outcome.attempt.merchantId, id: outcome.attempt.transactionId },
  )
  const [locked, rows] =
    keys.length === 0 ? [[], []] : await Promise.all([lockTransactions(tx, keys), selectAttempts(tx, keys)])
  const opened = [...trusted].flatMap(({ transaction }) => transaction ?? [])
  return {
    transactions: new Map([...opened, ...locked].map((row) => [row.id, row])),
    attempts: new Map([...[...trusted].map(({ attempt }) => attempt), ...rows].map((row) => [keyOf(row), row])),
  }
}

/** Mostly none: a card pays the whole. */
const earlierPayments = async (tx: Tx, paying: readonly Paying[]): Promise<readonly PaymentRow[]> => {
  const partlyPaid = paying.flatMap(({ transaction }) => (transaction.amountPaid > 0n ? transaction : []))
  return partlyPaid.length === 0 ? [] : selectPayments(tx, partlyPaid)
}

/** Once the merchant's server has charged a card, this is no longer the hosted checkout's payment. */
const calledBy = ({ channel }: AttemptRow, transaction: TransactionRow): TransactionRow =>
  channel === 'API_NOTIFICATION' && transaction.productType === 'WEB_SDK'
    ? { ...transaction, productType: 'API_NOTIFICATION' }
    : transaction

/** While the holder is asked, the number is kept for the vault, encrypted; in no other state. */
function holding(vault: Vault, attempt: AttemptRow, cardNumber: Hidden<string> | null): AttemptRow {
  if (cardNumber === null || (attempt.status !== 'OTP_REQUIRED' && attempt.status !== 'SECURE_3D_REQUIRED'))
    return attempt
  return { ...attempt, heldNumber: vault.hold(attempt.reference, cardNumber) }
}

const arrivalOf = (
  { merchantId, transactionId, reference, amount, card }: AttemptRow,
  cardToken: string | null,
): Arrival => ({
  merchantId,
  transactionId,
  receipt: {
    railReference: reference,
    method: 'CARD',
    amount,
    payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
    bankCode: null,
    accountNumber: null,
    card: factsOf(card, cardToken),
  },
})

const factsOf = (card: AttemptRow['card'], cardToken: string | null): CardFacts => ({
  ...card,
  reusable: cardToken !== null,
  cardToken,
  supportsTokenization: cardToken !== null,
})

/** The tokens of the cards that may be charged again: those they have, or new ones. */
async function putOnFile(
  tx: Tx,
  vault: Vault,
  at: Date,
  paying: readonly Paying[],
): Promise<ReadonlyMap<Paying, string>> {
  const tokens = new Map<Paying, string>()
  const fresh = paying.flatMap((one) => {
    const { attempt, transaction, reusable } = one
    if (attempt.cardToken !== null) tokens.set(one, attempt.cardToken)
    const number = attempt.cardToken === null && reusable ? numberOf(vault, one) : null
    if (number === null) return []
    const { merchantId, fingerprint } = attempt
    const { expMonth: expiryMonth, expYear: expiryYear } = attempt.card
    const { customerEmail } = transaction
    return { one, card: { merchantId, fingerprint, number, expiryMonth, expiryYear, customerEmail } }
  })
  if (fresh.length === 0) return tokens
  const cards = fresh.map(({ card }) => card)
  const kept = await vault.keep(tx, at, cards)
  for (const [index, { one }] of fresh.entries()) tokens.set(one, kept[index] as string)
  return tokens
}

const numberOf = (vault: Vault, { attempt, cardNumber }: Paying): Hidden<string> | null =>
  cardNumber ?? (attempt.heldNumber === null ? null : vault.release(attempt.reference, attempt.heldNumber))
