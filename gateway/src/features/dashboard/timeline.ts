import type { getTransactionTimeline, Reply } from '@kobo/contract'
import { findBank } from '../../core/bank-list/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import {
  type SentEvent,
  selectAttempts as selectDeliveries,
  selectSentEvents,
} from '../../core/messages/outbox/index.ts'
import { type PostedJournal, selectPosted } from '../../core/money/ledger/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { firstIdAt } from '../../kernel/ids.ts'
import { add, formatNaira, type Kobo, larger, subtract, sum, toNaira, ZERO } from '../../kernel/money.ts'
import { type AttemptRow, selectAttempts } from '../cards/index.ts'
import { type DisputeRow, disputeJournalKeys, selectDisputesOf } from '../disputes/index.ts'
import { isRefundable, type RefundRow, refundJournalKeys, selectRefundsOf } from '../refunds/index.ts'
import { findSettlementOf, type SettlementRow } from '../settlements/index.ts'
import {
  type CheckoutLinks,
  collectionPosting,
  type Payment,
  type Transaction,
  transactionErrors,
  transactionReads,
  transactionRules,
} from '../transactions/index.ts'
import type { Reader } from './lists.ts'
import * as show from './show.ts'

type Timeline = Reply<typeof getTransactionTimeline>
type Entry = Timeline['timeline'][number]

/** Money that arrives after a transaction's end is returned; the timeline looks for it this long. */
const LATE_SECONDS = 604_800

/** Everything known about a transaction. */
interface Facts {
  readonly transaction: Transaction
  readonly payments: readonly Payment[]
  readonly rejected: Awaited<ReturnType<typeof transactionReads.rejectedPayments>>
  readonly attempts: readonly AttemptRow[]
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
  readonly settlement: SettlementRow | undefined
}

/** Reads the full timeline of a transaction by our reference or the merchant's. */
export async function readTimeline(
  { db, merchant, at }: Reader,
  links: CheckoutLinks,
  reference: string,
): Promise<Timeline> {
  const transaction =
    (await transactionReads.find(db, merchant.id, { transactionReference: reference })) ??
    (await transactionReads.find(db, merchant.id, { paymentReference: reference }))
  if (transaction === undefined) throw transactionErrors.notFound()
  const { transactionReference } = transaction
  const [payments, attempts, refunds, disputes, settlement, rejected] = await Promise.all([
    transactionReads.payments(db, [transaction]),
    selectAttempts(db, [transaction]),
    selectRefundsOf(db, transaction),
    selectDisputesOf(db, transaction),
    findSettlementOf(db, merchant.id, transaction.id),
    transactionReads.rejectedPayments(
      db,
      transaction,
      firstIdAt(transaction.createdAt),
      firstIdAt(secondsAfter(transaction.expiresAt, LATE_SECONDS)),
    ),
  ])
  const facts = { transaction, payments, rejected, attempts, refunds, disputes, settlement }
  const [events, journals] = await Promise.all([
    selectSentEvents(db, merchant.id, transactionReference, momentsOf(facts)),
    selectPosted(db, merchant.id, [
      ...payments.map(collectionPosting.key),
      ...refunds.flatMap(refundJournalKeys),
      ...disputes.flatMap(disputeJournalKeys),
    ]),
  ])
  const notes = await transactionReads.notes(db, transaction)
  const deliveries = await selectDeliveries(
    db,
    merchant.id,
    events.map(({ id }) => id),
  )
  const deliveriesOf = Map.groupBy(deliveries, ({ eventId }) => eventId)
  return {
    ...showFacts(facts),
    checkoutUrl: transactionRules.checkOpen(transaction, at) === undefined ? links.urlOf(transactionReference) : null,
    receiptUrl: transaction.amountPaid > 0n ? `${links.urlOf(transactionReference)}/receipt.pdf` : null,
    refundable: refundableOf(facts, merchant, at),
    timeline: timelineOf(facts, events),
    notes: notes.map(({ createdAt, author, text }) => ({ at: createdAt.toISOString(), author, text })),
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

/** Returns the times at which events about the transaction were created. */
const momentsOf = ({ payments, rejected, refunds, disputes, settlement }: Facts): readonly Date[] => [
  ...[...payments, ...rejected].map(({ receivedAt }) => receivedAt),
  ...refunds.flatMap(({ completedAt }) => completedAt ?? []),
  ...disputes.flatMap(({ openedAt, evidenceAt, endedAt }) => [openedAt, evidenceAt ?? [], endedAt ?? []].flat()),
  ...(settlement?.completedAt == null ? [] : [settlement.completedAt]),
]

const cardText = ({ maskedPan, cardType }: { readonly maskedPan: string; readonly cardType: string }): string =>
  `${cardType} ${maskedPan}`

const refundedOf = (refunds: readonly RefundRow[], statuses: readonly RefundRow['status'][]): Kobo =>
  sum(refunds.filter(({ status }) => statuses.includes(status)).map(({ amount }) => amount))

/** Returns the amount that can still be refunded and the fee for all of it, or why nothing can be refunded. */
function refundableOf({ payments, refunds, disputes }: Facts, { prices }: Merchant, at: Date): Timeline['refundable'] {
  const disputed = sum(disputes.filter(({ status }) => status !== 'WON').map((dispute) => dispute.amount))
  const taken = add(refundedOf(refunds, ['PENDING', 'COMPLETED']), disputed)
  const paid = sum(payments.filter(isRefundable).map((payment) => payment.amount))
  const amount = larger(subtract(paid, taken), ZERO)
  if (amount > ZERO)
    return { amount: toNaira(amount), fee: toNaira(priceOn(prices, 'refund', amount, at)), problem: null }
  const [first] = payments
  const problem =
    first === undefined
      ? 'It has not been paid'
      : paid === ZERO
        ? `Payments ${METHOD_WORDS[first.method]} cannot be refunded`
        : disputed > ZERO
          ? 'The payment is in dispute'
          : 'It has been fully refunded'
  return { amount: 0, fee: 0, problem }
}

/** Returns each sub account's share of the payments. */
function splitsOf(payments: readonly Payment[]): Timeline['splits'] {
  const parts = payments.flatMap(({ splits }) => splits ?? [])
  return [...Map.groupBy(parts, ({ subAccountCode }) => subAccountCode)].map(([subAccountCode, all]) => {
    const [share, fee] = [sum(all.map((part) => part.share)), sum(all.map((part) => part.fee))]
    return { subAccountCode, share: toNaira(share), fee: toNaira(fee), income: toNaira(subtract(share, fee)) }
  })
}

function showFacts({ transaction, payments, attempts, refunds, disputes, settlement }: Facts) {
  return {
    transaction: show.transaction(transaction, refundedOf(refunds, ['COMPLETED'])),
    totalPayable: toNaira(transaction.payable),
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
    splits: splitsOf(payments),
    metaData: Object.entries(transaction.metaData).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    disputes: disputes.map((dispute) => ({
      id: String(dispute.id),
      disputeReference: dispute.reference,
      status: dispute.status,
      amount: toNaira(dispute.amount),
      createdOn: dispute.openedAt.toISOString(),
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

const METHOD_WORDS: Readonly<Record<Payment['method'], string>> = {
  ACCOUNT_TRANSFER: 'by bank transfer',
  CARD: 'by card',
  DIRECT_DEBIT: 'by direct debit',
  CASH: 'in cash',
}

/** The outcome of a dispute, in a sentence. */
const DISPUTE_ENDS: Readonly<Partial<Record<DisputeRow['status'], string>>> = {
  WON: 'Dispute won: the held amount was released to you',
  LOST: 'Dispute lost: the held amount was returned to the customer',
  ACCEPTED: 'Dispute accepted: the held amount was returned to the customer',
}

/** Returns the timeline, oldest entry first, with a sentence for each entry. */
function timelineOf({ transaction, ...facts }: Facts, events: readonly SentEvent[]): Entry[] {
  const line = (at: Date, what: Entry['what'], text: string) => ({ at, what, text })
  const naira = (amount: Kobo): string => formatNaira(amount)
  const { status, completedAt } = transaction
  const lines = [
    line(transaction.createdAt, 'ASKED', `Payment of ${naira(transaction.payable)} requested`),
    ...facts.attempts.map(({ openedAt, status, reason, amount }) =>
      status === 'DECLINED'
        ? line(openedAt, 'CARD_DECLINED', `Card declined: ${reason ?? 'no reason given'}`)
        : line(openedAt, 'CARD_CHARGED', `Card charged ${naira(amount)}`),
    ),
    ...facts.payments.map(({ receivedAt, amount, fee, method }) =>
      line(receivedAt, 'PAID', `${naira(amount)} received ${METHOD_WORDS[method]} (fee ${naira(fee)})`),
    ),
    ...facts.rejected.map(({ receivedAt, amount, reason }) =>
      line(receivedAt, 'SENT_BACK', `${naira(amount)} received and returned: ${reason}`),
    ),
    ...(completedAt !== null && (status === 'EXPIRED' || status === 'CANCELLED')
      ? [line(completedAt, status, status === 'EXPIRED' ? 'Expired' : 'Cancelled')]
      : []),
    ...facts.refunds.flatMap(({ createdAt, completedAt: ended, amount, comment }) => [
      line(createdAt, 'REFUND_ASKED', `Refund of ${naira(amount)} requested`),
      ...(ended === null ? [] : [line(ended, 'REFUND_ENDED', comment)]),
    ]),
    ...facts.disputes.flatMap(({ openedAt, endedAt, amount, reason, status: how }) => [
      line(openedAt, 'DISPUTED', `${naira(amount)} disputed: ${reason}`),
      ...(endedAt === null ? [] : [line(endedAt, 'DISPUTE_ENDED', DISPUTE_ENDS[how] ?? '')]),
    ]),
    ...(facts.settlement === undefined
      ? []
      : [line(facts.settlement.settledAt, 'SETTLED', `Settled in ${facts.settlement.settlementReference}`)]),
    ...events.map(({ createdAt, eventType, status: delivery }) =>
      line(
        createdAt,
        'EVENT_TOLD',
        delivery === 'NOT_SENT' ? `No webhook URL is set for ${eventType}` : `Webhook created: ${eventType}`,
      ),
    ),
  ]
  return lines
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, what, text }) => ({ at: at.toISOString(), what: what as Entry['what'], text }))
}

/** Ledger accounts in everyday words. */
const ACCOUNT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^clearing\/card\b/, 'the card network'],
  [/^clearing\/cash\b/, 'the agents'],
  [/^clearing\//, 'the bank'],
  [/^fees\//, 'Kobo’s fees'],
  [/^payable\//, 'the sub account’s unsettled balance'],
  [/^payable$/, 'your unsettled balance'],
  [/^wallet\//, 'your wallet'],
  [/^in-flight\/dispute$/, 'disputed funds'],
  [/^in-flight\//, 'funds in transit'],
  [/^debt$/, 'your debt to Kobo'],
  [/^reserve$/, 'your reserve'],
]
const wordsOf = (account: string): string => ACCOUNT_WORDS.find(([pattern]) => pattern.test(account))?.[1] ?? account

const showJournal = ({ memo, postedAt, moves }: PostedJournal): Timeline['journal'][number] => ({
  at: postedAt.toISOString(),
  memo,
  moves: moves.map(({ from, to, amount }) => ({
    amount: toNaira(amount),
    from,
    to,
    text: `${formatNaira(amount)} moved from ${wordsOf(from)} to ${wordsOf(to)}`,
  })),
})
