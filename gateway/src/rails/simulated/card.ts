import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { randomDigits } from '../../kernel/ids.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import type { CardRail, CardRefundOutcome, ChargeOutcome, ChargeRequest, FoundCharge } from '../card.ts'
import { queriedEntry, type SimulatedBook, type SimulatedEntry, wasReportedNotFound } from './book.ts'

/** The sandbox's cards by number. Any other valid number is approved and not reusable. */
export const CARDS: Readonly<Record<string, Kind>> = {
  '4111111111111111': 'reusable',
  '5060995994247093': 'otp',
  '4000000000000002': '3ds',
  '5399838383838381': 'insufficient funds',
  '4242424242424242': 'silent',
}
export type Kind = 'reusable' | 'otp' | '3ds' | 'insufficient funds' | 'silent'
/** Charges of stored cards succeed, unless the kobo part of the amount equals a response code of the card networks. */
const AMOUNTS: Readonly<Record<string, Kind>> = { '51': 'insufficient funds', '68': 'silent' }
const PIN = '1234'
const OTP = '123456'

/** How long the simulated issuer waits for the card holder, in seconds of business time. */
const HOLDER_SECONDS = 600

const CHARGES = 'card'
const REFUNDS = 'card refund'

/** The issuer's record of a charge. It contains no card number, CVV, PIN or OTP. */
export type ChargeFacts =
  | { readonly state: 'approved'; readonly reusable: boolean }
  | { readonly state: 'declined'; readonly reason: string }
  | { readonly state: 'otp' }
  | ChallengeFacts
  /** Approved, but the response to this call is lost. A later query returns the approval. */
  | { readonly state: 'silent'; readonly call: string }

/** The issuer challenges the card holder. */
export interface ChallengeFacts {
  readonly state: '3ds'
  readonly wrongOtps: number
}

/** The issuer's record of a refund. */
type RefundFacts =
  | { readonly state: 'refunded'; readonly chargeReference: string; readonly amount: string }
  /** Refunded, but the response to this call is lost. */
  | { readonly state: 'silent'; readonly call: string; readonly chargeReference: string; readonly amount: string }
  | { readonly state: 'refused'; readonly reason: string }

export interface World {
  readonly clock: Clock
  readonly book: SimulatedBook
}

/** The current state of a charge. An expired challenge counts as declined. */
export async function readCharge({ clock, book }: World, reference: string): Promise<ChargeFacts | undefined> {
  const entry = await book.read(CHARGES, reference)
  return entry === undefined || wasReportedNotFound(entry) ? undefined : factsNow(entry, clock.now())
}

/** Replaces a charge; returns false if it has changed. */
export const replaceCharge = (
  { book }: World,
  reference: string,
  before: ChargeFacts,
  facts: ChargeFacts,
): Promise<boolean> => book.replace(CHARGES, reference, before, facts)

export const isOtp = (otp: Hidden<string>): boolean => otp.reveal() === OTP

function factsNow({ facts, at }: SimulatedEntry, now: Date): ChargeFacts {
  const known = facts as ChargeFacts
  if (now.getTime() < at.getTime() + HOLDER_SECONDS * 1_000) return known
  if (known.state === 'otp') return { state: 'declined', reason: 'The OTP has expired' }
  return known.state === '3ds' ? { state: 'declined', reason: 'Authentication timed out' } : known
}

/** The sandbox's card network and issuers. */
export function simulatedCardRail(world: World): CardRail {
  const { clock, book } = world
  return {
    charge: async (request) => {
      const at = clock.now()
      const decided = decide(request)
      const entry = await book.keep(CHARGES, request.reference, decided, at)
      if (wasReportedNotFound(entry)) return { kind: 'declined', reason: 'The charge came too late' }
      const facts = factsNow(entry, at)
      return isLost(facts, decided) ? { kind: 'unknown' } : outcomeOf(request.reference, facts)
    },

    authorizeOtp: async ({ reference, otp }) => {
      const facts = await readCharge(world, reference)
      if (facts === undefined) return { kind: 'declined', reason: 'No such charge' }
      if (facts.state !== 'otp') return outcomeOf(reference, facts)
      if (!isOtp(otp)) return { kind: 'wrong otp' }
      await replaceCharge(world, reference, facts, APPROVED) // a concurrent change can only have been the same approval
      return outcomeOf(reference, APPROVED)
    },

    find: async (reference): Promise<FoundCharge> => {
      const at = clock.now()
      const entry = await queriedEntry(book, CHARGES, reference, at)
      return entry === undefined ? { kind: 'not found' } : outcomeOf(reference, factsNow(entry, at))
    },

    refund: async ({ reference, chargeReference, amount }) => {
      const decided = decideRefund(await readCharge(world, chargeReference), chargeReference, amount)
      const entry = await book.keep(REFUNDS, reference, decided, clock.now())
      if (wasReportedNotFound(entry)) return { kind: 'refused', reason: 'The refund came too late' }
      const facts = entry.facts as RefundFacts
      return isLost(facts, decided) ? { kind: 'unknown' } : refundOutcomeOf(facts)
    },

    findRefund: async (reference) => {
      const entry = await queriedEntry(book, REFUNDS, reference, clock.now())
      return entry === undefined ? { kind: 'not found' } : refundOutcomeOf(entry.facts as RefundFacts)
    },
  }
}

/** Whether this call created a silent charge or refund: then its response is lost. */
const isLost = (facts: ChargeFacts | RefundFacts, decided: ChargeFacts | RefundFacts): boolean =>
  facts.state === 'silent' && decided.state === 'silent' && facts.call === decided.call

const newCall = (): string => randomDigits(12)

const refundOutcomeOf = (facts: RefundFacts): CardRefundOutcome =>
  facts.state === 'refused' ? { kind: 'refused', reason: facts.reason } : { kind: 'refunded' }

/** Approved charges are refunded. For a card that loses responses, the response to the refund is lost too. */
function decideRefund(charge: ChargeFacts | undefined, chargeReference: string, amount: Kobo): RefundFacts {
  const facts = { chargeReference, amount: toNairaText(amount) }
  if (charge?.state === 'approved') return { state: 'refunded', ...facts }
  if (charge?.state === 'silent') return { state: 'silent', call: newCall(), ...facts }
  return { state: 'refused', reason: 'No such charge was approved' }
}

/** The issuer's challenge page. */
const challengePath = (reference: string): string => `/sandbox/3ds/${reference}`

function outcomeOf(reference: string, facts: ChargeFacts): ChargeOutcome {
  switch (facts.state) {
    case 'approved':
      return { kind: 'approved', reusable: facts.reusable }
    case 'silent':
      return { kind: 'approved', reusable: false }
    case 'declined':
      return { kind: 'declined', reason: facts.reason }
    case 'otp':
      return { kind: 'otp required', message: 'Enter the OTP sent to your phone' }
    case '3ds':
      return { kind: '3ds required', acsUrl: challengePath(reference), method: 'GET' }
  }
}

export const APPROVED: ChargeFacts = { state: 'approved', reusable: true }
export const declined = (reason: string): ChargeFacts => ({ state: 'declined', reason })

/** The issuer's decision. No PIN is required, but a given one must be correct. */
function decide({ card, initiator, amount }: ChargeRequest): ChargeFacts {
  if (card.pin !== null && card.pin.reveal() !== PIN) return declined('Incorrect PIN')
  const kind = (initiator === 'MERCHANT' ? AMOUNTS[String(amount % 100n)] : undefined) ?? CARDS[card.number.reveal()]
  if (kind === 'insufficient funds') return declined('Insufficient funds')
  if (kind === 'silent') return { state: 'silent', call: newCall() }
  // If the merchant charges a stored card, its holder is not there to answer a challenge.
  if (kind === 'reusable' || initiator === 'MERCHANT') return APPROVED
  if (kind === undefined) return { state: 'approved', reusable: false }
  return kind === 'otp' ? { state: 'otp' } : { state: '3ds', wrongOtps: 0 }
}
