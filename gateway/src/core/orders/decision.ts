import type { Db, Tx } from '../../platform/db.ts'
import { column, type Row, table } from '../../platform/table.ts'
import { audit } from '../security/audit.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { OrderPurpose, OrderRow } from './order.ts'
import { lockUnresolved } from './repository.ts'

/** What became of an order, as a person found out at its partner. */
export const VERDICTS = ['succeeded', 'failed'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What the partner told with it, by name. */
export type Told = Readonly<Record<string, string>>

export type DecisionState = 'PROPOSED' | 'CONFIRMED' | 'CARRIED_OUT' | 'MOOT'

/** What people decided about an order for which they were called: one proposes it, another confirms it. */
export const decisions = table('order_decision', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  orderId: column<bigint>(),
  /** The order's at the time: sent again under another one, it is another question. */
  reference: column<string>(),
  verdict: column<Verdict>(),
  told: column<Told>(),
  proposedBy: column<string>(),
  proposedBecause: column<string>(),
  proposedAt: column<Date>(),
  confirmedBy: column<string | null>(),
  confirmedBecause: column<string | null>(),
  confirmedAt: column<Date | null>(),
  state: column<DecisionState>(),
  endedAt: column<Date | null>(),
})
export type DecisionRow = Row<typeof decisions>

interface Meaning {
  /** What follows, for who has to decide. */
  readonly follows: string
  /** What the partner must have told with it. */
  readonly needs: readonly string[]
}

const meaning = (follows: string, ...needs: readonly string[]): Meaning => ({ follows, needs })

/** What each verdict means for each purpose. */
export const MEANINGS: Readonly<Record<OrderPurpose, Readonly<Record<Verdict, Meaning>>>> = {
  transfer: {
    succeeded: meaning('The money is with the receiver; the transfer is SUCCESS.', 'sessionId'),
    failed: meaning('The money is in the wallet again; the transfer is FAILED, or REVERSED where it had arrived.'),
  },
  'settlement-payout': {
    succeeded: meaning('The money is in the bank account; the payout is COMPLETED.', 'sessionId'),
    failed: meaning('It is paid out once more at the next time of its cycle, under a new reference.'),
  },
  refund: {
    succeeded: meaning('The customer has the money; the refund, or this part of it, is COMPLETED.'),
    failed: meaning('The money is in the wallet again; the refund, or this part of it, is FAILED.'),
  },
  'card-charge': {
    succeeded: meaning('The card was charged: the payment is taken, or sent back where it comes too late.'),
    failed: meaning('The card was not charged; the payment is FAILED.'),
  },
  'card-reversal': {
    succeeded: meaning('The money is back on the card.'),
    failed: meaning('The network did not send it back: a person must, by other means.'),
  },
  debit: {
    succeeded: meaning('The customer’s account was debited: the payment is taken.', 'sessionId'),
    failed: meaning('Nothing was debited; the payment is FAILED, and the mandate has the amount again.'),
  },
  vend: {
    succeeded: meaning('The biller has the money; the bill is paid, with what was told (token, pin, …).'),
    failed: meaning('The money is in the wallet again; the bill payment is FAILED.'),
  },
  return: {
    succeeded: meaning('The payer has the money; it is owed no longer.'),
    failed: meaning('The money is still owed to the payer, and waits for a person to say where to.'),
  },
}

/** What a merchant is told where a person found out that nothing was carried out. Why we know stays with us. */
export const NOT_CARRIED_OUT = 'It was not carried out'

/** What a person says of an order. */
export interface Word {
  readonly verdict: Verdict
  readonly told: Told
  readonly by: string
  readonly because: string
}

/** What came of it. Where nothing was written, why. */
export type Said =
  | { readonly kind: 'proposed' | 'confirmed'; readonly decision: DecisionRow }
  | { readonly kind: 'nobody called' | 'own proposal' | 'decided already' }
  | { readonly kind: 'untold'; readonly names: readonly string[] }

/**
 * Takes down what a person says of an order for which a person is called. Where another has said the same, it is decided,
 * and any node carries it out. Whoever says otherwise than the one before begins anew.
 */
export async function decide(unit: UnitOfWork, reference: string, word: Word): Promise<Said> {
  const order = await lockUnresolved(unit.tx, reference)
  if (order === undefined) return { kind: 'nobody called' }
  const names = order.concludedAt === null ? MEANINGS[order.purpose][word.verdict].needs : []
  const missing = names.filter((name) => word.told[name] === undefined)
  if (missing.length > 0) return { kind: 'untold', names: missing }
  const before = await findOpen(unit.tx, order)
  if (before?.state === 'CONFIRMED' && before.reference === reference) return { kind: 'decided already' }
  if (before !== undefined && isSame(before, order, word)) {
    if (isSamePerson(before.proposedBy, word.by)) return { kind: 'own proposal' }
    const { by: confirmedBy, because: confirmedBecause } = word
    const decision: DecisionRow = { ...before, state: 'CONFIRMED', confirmedBy, confirmedBecause, confirmedAt: unit.at }
    decisions.update(unit.tx, [decision], ['state', 'confirmedBy', 'confirmedBecause', 'confirmedAt'])
    auditWord(unit, 'order.confirm', decision, word)
    return { kind: 'confirmed', decision }
  }
  if (before !== undefined) endDecisions(unit, [before], 'MOOT')
  const decision = proposal(unit, order, word)
  decisions.insert(unit.tx, [decision])
  auditWord(unit, 'order.propose', decision, word)
  return { kind: 'proposed', decision }
}

const proposal = ({ ids, at }: UnitOfWork, order: OrderRow, word: Word): DecisionRow => ({
  merchantId: order.merchantId,
  id: ids.id(),
  orderId: order.id,
  reference: order.reference,
  verdict: word.verdict,
  told: word.told,
  proposedBy: word.by,
  proposedBecause: word.because,
  proposedAt: at,
  confirmedBy: null,
  confirmedBecause: null,
  confirmedAt: null,
  state: 'PROPOSED',
  endedAt: null,
})

/** However a name is written, it is one pair of eyes. */
const isSamePerson = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isSame = (before: DecisionRow, { reference }: OrderRow, { verdict, told }: Word): boolean =>
  before.reference === reference &&
  before.verdict === verdict &&
  Object.keys(before.told).length === Object.keys(told).length &&
  Object.entries(told).every(([name, value]) => before.told[name] === value)

/** What is told may be worth money, as a token is: the audit has its names alone. */
const auditWord = (unit: UnitOfWork, act: string, decision: DecisionRow, { by, because, verdict, told }: Word): void =>
  audit(unit, {
    merchantId: decision.merchantId,
    act,
    actor: 'command line',
    reference: decision.reference,
    details: { decision: String(decision.id), by, because, verdict, told: Object.keys(told) },
  })

const DECISIONS_SHOWN_MAX = 100

/** What was decided about an order, the newest first. */
export const decisionsAbout = (db: Db, { merchantId, id }: OrderRow): Promise<DecisionRow[]> =>
  db<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${merchantId} and order_id = ${id} order by id desc limit ${DECISIONS_SHOWN_MAX}`

async function findOpen(tx: Tx, order: OrderRow): Promise<DecisionRow | undefined> {
  const [row] = await tx<DecisionRow[]>`
    select ${decisions.columns} from order_decision
     where merchant_id = ${order.merchantId} and order_id = ${order.id} and state in ('PROPOSED', 'CONFIRMED')`
  return row
}

/** Ends decisions that are open, and writes down how. */
export function endDecisions(unit: UnitOfWork, open: readonly DecisionRow[], state: 'CARRIED_OUT' | 'MOOT'): void {
  if (open.length === 0) return
  const ended = open.map((decision): DecisionRow => ({ ...decision, state, endedAt: unit.at }))
  decisions.update(unit.tx, ended, ['state', 'endedAt'])
  audit(
    unit,
    ...ended.map(({ merchantId, reference, id, verdict }) => ({
      merchantId,
      act: state === 'MOOT' ? 'order.decision.moot' : 'order.decision.carry-out',
      actor: 'worker' as const,
      reference,
      details: { decision: String(id), verdict },
    })),
  )
}
