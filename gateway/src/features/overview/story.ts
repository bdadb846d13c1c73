import type { getTransactionStory, Reply } from '@kobo/contract'
import type { Merchant } from '../../core/merchants/index.ts'
import { selectAttempts as selectDeliveries, selectToldOf, type ToldEvent } from '../../core/messages/outbox/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { type BookedJournal, selectBooked } from '../../core/money/ledger/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { type Kobo, toNaira, toNairaForPeople } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import { type AttemptRow, selectAttempts } from '../cards/index.ts'
import { type DisputeRow, disputeJournalKeys, selectDisputesOf } from '../disputes/index.ts'
import { type RefundRow, refundJournalKeys, selectRefundsOf } from '../refunds/index.ts'
import { findSettlementOf, type SettlementRow } from '../settlements/index.ts'
import {
  collectionKey,
  findTransaction,
  type PaymentRow,
  type RejectedPaymentRow,
  selectPayments,
  selectRejectedOf,
  type TransactionRow,
  transactionErrors,
} from '../transactions/index.ts'
import * as show from './show.ts'

type Story = Reply<typeof getTransactionStory>
type Line = Story['timeline'][number]

/** Money that comes after a transaction is over is sent back; so long it is looked for. */
const LATE_SECONDS = 604_800

/** All that is known of a transaction. */
interface Facts {
  readonly transaction: TransactionRow
  readonly payments: readonly PaymentRow[]
  readonly rejected: readonly RejectedPaymentRow[]
  readonly attempts: readonly AttemptRow[]
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
  readonly settlement: SettlementRow | undefined
}

/** The whole story of a transaction. */
export async function readStory(db: Db, merchant: Merchant, transactionReference: string): Promise<Story> {
  const transaction = await findTransaction(db, merchant.id, { transactionReference })
  if (transaction === undefined) throw transactionErrors.notFound()
  const [payments, attempts, refunds, disputes, settlement, rejected] = await Promise.all([
    selectPayments(db, [transaction]),
    selectAttempts(db, [transaction]),
    selectRefundsOf(db, transaction),
    selectDisputesOf(db, transaction),
    findSettlementOf(db, merchant.id, transaction.id),
    selectRejectedOf(
      db,
      transaction,
      firstIdAt(transaction.createdAt),
      firstIdAt(secondsAfter(transaction.expiresAt, LATE_SECONDS)),
    ),
  ])
  const facts = { transaction, payments, rejected, attempts, refunds, disputes, settlement }
  const [events, journals] = await Promise.all([
    selectToldOf(db, merchant.id, transactionReference, momentsOf(facts)),
    selectBooked(db, merchant.id, [
      ...payments.map(collectionKey),
      ...refunds.flatMap(refundJournalKeys),
      ...disputes.flatMap(disputeJournalKeys),
    ]),
  ])
  const deliveries = await selectDeliveries(
    db,
    merchant.id,
    events.map(({ id }) => id),
  )
  const deliveriesOf = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return {
    ...showFacts(facts),
    timeline: timelineOf(facts, events),
    events: events.map((event) => ({
      ...pick(show.event(event), 'id', 'eventType', 'status', 'createdOn'),
      deliveries: (deliveriesOf.get(event.id) ?? []).map(({ at, url, status, milliseconds, error, resent }) => ({
        at: at.toISOString(),
        url,
        status,
        milliseconds,
        error,
        resent,
      })),
    })),
    journal: journals.map(showJournal),
  }
}

const pick = <T extends object, K extends keyof T>(of: T, ...keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, of[key]])) as Pick<T, K>

/** When something was told of a transaction. */
const momentsOf = ({ payments, rejected, refunds, disputes, settlement }: Facts): readonly Date[] => [
  ...[...payments, ...rejected].map(({ receivedAt }) => receivedAt),
  ...refunds.flatMap(({ completedAt }) => completedAt ?? []),
  ...disputes.flatMap(({ openedAt, evidenceAt, endedAt }) => [openedAt, evidenceAt ?? [], endedAt ?? []].flat()),
  ...(settlement?.completedAt == null ? [] : [settlement.completedAt]),
]

const cardText = ({ maskedPan, cardType }: { readonly maskedPan: string; readonly cardType: string }): string =>
  `${cardType} ${maskedPan}`

function showFacts({ transaction, payments, attempts, refunds, settlement }: Facts) {
  return {
    transaction: show.transaction(transaction),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.openedAt.toISOString(),
      status: attempt.status,
      amount: toNaira(attempt.amount),
      card: cardText(attempt.card),
      reason: attempt.reason,
    })),
    payments: payments.map((payment) => ({
      at: payment.receivedAt.toISOString(),
      method: payment.method,
      amount: toNaira(payment.amount),
      fee: toNaira(payment.fee),
      sessionId: payment.railReference,
      payerName: payment.payerName,
      payerAccountNumber: payment.payerAccountNumber,
      payerBankName: payment.payerBankCode === null ? null : (findBank(payment.payerBankCode)?.name ?? null),
      accountNumber: payment.accountNumber,
      card: payment.card === null ? null : cardText(payment.card),
    })),
    refunds: refunds.map((refund) => ({
      refundReference: refund.refundReference,
      status: refund.status,
      amount: toNaira(refund.amount),
      reason: refund.refundReason,
      createdOn: refund.createdAt.toISOString(),
    })),
    settlement:
      settlement === undefined
        ? null
        : {
            settlementReference: settlement.settlementReference,
            status: settlement.status,
            settledOn: settlement.settledAt.toISOString(),
          },
  }
}

const METHOD_WORDS: Readonly<Record<PaymentRow['method'], string>> = {
  ACCOUNT_TRANSFER: 'by bank transfer',
  CARD: 'by card',
  DIRECT_DEBIT: 'by direct debit',
  CASH: 'in cash',
}

/** How a dispute ended, in a sentence. */
const DISPUTE_ENDS: Readonly<Partial<Record<DisputeRow['status'], string>>> = {
  WON: 'The dispute was won: what was held is yours again',
  LOST: 'The dispute was lost: what was held went back',
  ACCEPTED: 'The dispute was accepted: what was held went back',
}

/** What happened, oldest first, each in a sentence. */
function timelineOf({ transaction, ...facts }: Facts, events: readonly ToldEvent[]): Line[] {
  const line = (at: Date, what: Line['what'], text: string) => ({ at, what, text })
  const naira = (amount: Kobo): string => toNairaForPeople(amount)
  const { status, completedAt } = transaction
  const lines = [
    line(transaction.createdAt, 'ASKED', `${naira(transaction.payable)} was asked for`),
    ...facts.attempts.map(({ openedAt, status, reason, amount }) =>
      status === 'DECLINED'
        ? line(openedAt, 'CARD_DECLINED', `A card was declined: ${reason ?? 'no reason was given'}`)
        : line(openedAt, 'CARD_CHARGED', `A card was charged with ${naira(amount)}`),
    ),
    ...facts.payments.map(({ receivedAt, amount, fee, method }) =>
      line(receivedAt, 'PAID', `${naira(amount)} arrived ${METHOD_WORDS[method]}; the fee on it is ${naira(fee)}`),
    ),
    ...facts.rejected.map(({ receivedAt, amount, reason }) =>
      line(receivedAt, 'SENT_BACK', `${naira(amount)} arrived and was sent back: ${reason}`),
    ),
    ...(completedAt !== null && (status === 'EXPIRED' || status === 'CANCELLED')
      ? [line(completedAt, status, status === 'EXPIRED' ? 'Its time was over' : 'It was cancelled')]
      : []),
    ...facts.refunds.flatMap(({ createdAt, completedAt: ended, amount, comment }) => [
      line(createdAt, 'REFUND_ASKED', `A refund of ${naira(amount)} was asked for`),
      ...(ended === null ? [] : [line(ended, 'REFUND_ENDED', comment)]),
    ]),
    ...facts.disputes.flatMap(({ openedAt, endedAt, amount, reason, status: how }) => [
      line(openedAt, 'DISPUTED', `${naira(amount)} was disputed: ${reason}`),
      ...(endedAt === null ? [] : [line(endedAt, 'DISPUTE_ENDED', DISPUTE_ENDS[how] ?? '')]),
    ]),
    ...(facts.settlement === undefined
      ? []
      : [
          line(
            facts.settlement.settledAt,
            'SETTLED',
            `It was settled as part of ${facts.settlement.settlementReference}`,
          ),
        ]),
    ...events.map(({ createdAt, eventType }) =>
      line(createdAt, 'EVENT_TOLD', `Your server was to be told: ${eventType}`),
    ),
  ]
  return lines
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, what, text }) => ({ at: at.toISOString(), what: what as Line['what'], text }))
}

/** What accounts are, to somebody who keeps no books. */
const ACCOUNT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^clearing\/card\b/, 'the card network'],
  [/^clearing\/cash\b/, 'the agents'],
  [/^clearing\//, 'the bank'],
  [/^fees\//, 'our fees'],
  [/^payable\//, 'what is owed to a sub account'],
  [/^payable$/, 'what is owed to you'],
  [/^wallet\//, 'your wallet'],
  [/^in-flight\/dispute$/, 'what is in dispute'],
  [/^in-flight\//, 'what is under way'],
  [/^debt$/, 'what you owe us'],
  [/^reserve$/, 'your reserve'],
]
const wordsOf = (account: string): string => ACCOUNT_WORDS.find(([pattern]) => pattern.test(account))?.[1] ?? account

const showJournal = ({ memo, postedAt, moves }: BookedJournal): Story['journal'][number] => ({
  at: postedAt.toISOString(),
  memo,
  moves: moves.map(({ from, to, amount }) => ({
    amount: toNaira(amount),
    from,
    to,
    text: `${toNairaForPeople(amount)} went from ${wordsOf(from)} to ${wordsOf(to)}`,
  })),
})
