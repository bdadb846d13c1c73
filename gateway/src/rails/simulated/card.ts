import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { toNairaText } from '../../kernel/money.ts'
import type { CardRail, CardRefundOutcome, ChargeOutcome, ChargeRequest, FoundCharge } from '../card.ts'
import type { SimulatedBook, SimulatedEntry } from './book.ts'

/** The sandbox's cards by number. Any other number that passes Luhn's check is approved, and is not reusable. */
const CARDS: Readonly<Record<string, Kind>> = {
  '4111111111111111': 'reusable',
  '5060995994247093': 'otp',
  '4000000000000002': '3ds',
  '5399838383838381': 'insufficient funds',
  '4242424242424242': 'silent',
}
type Kind = 'reusable' | 'otp' | '3ds' | 'insufficient funds' | 'silent'
/** Cards on file all have money. So that a renewal can fail too, the kobo of its amount decide: the networks' own codes. */
const AMOUNTS: Readonly<Record<string, Kind>> = { '51': 'insufficient funds', '68': 'silent' }
const PIN = '1234'
const OTP = '123456'

/** How long the simulated issuer waits for its card holder, in seconds of business time. */
const HOLDER_SECONDS = 600

const CHARGES = 'card'
const REFUNDS = 'card refund'

/** What the issuer remembers of a charge. Never a number, CVV, PIN or OTP. */
export type ChargeFacts =
  | { readonly state: 'approved'; readonly reusable: boolean }
  | { readonly state: 'declined'; readonly reason: string }
  | { readonly state: 'otp' }
  | ChallengeFacts
  /** Approved, but the answer gets lost. */
  | { readonly state: 'silent' }
  /** Someone asked about it before it came. */
  | { readonly state: 'never seen' }

/** The issuer asks its card holder. */
export interface ChallengeFacts {
  readonly state: '3ds'
  readonly wrongOtps: number
}

export interface World {
  readonly clock: Clock
  readonly book: SimulatedBook
}

/** The charge as the issuer knows it now: one that waits for its holder is over after a while. */
export async function readCharge({ clock, book }: World, reference: string): Promise<ChargeFacts | undefined> {
  const entry = await book.read(CHARGES, reference)
  return entry === undefined ? undefined : factsNow(entry, clock.now())
}

/** Answers false where the charge is no longer as it was before. */
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

/** The sandbox's card network and all its issuers. */
export function simulatedCardRail(world: World): CardRail {
  const { clock, book } = world
  /** Writes unless the reference is known; answers what is known of it then. */
  const keep = async (reference: string, facts: ChargeFacts): Promise<ChargeFacts> =>
    factsNow(await book.keep(CHARGES, reference, facts, clock.now()), clock.now())

  return {
    charge: async (request) => {
      const facts = await keep(request.reference, decide(request))
      return facts.state === 'silent' ? { kind: 'unknown' } : outcomeOf(request.reference, facts)
    },

    authorizeOtp: async ({ reference, otp }) => {
      const facts = await readCharge(world, reference)
      if (facts === undefined) return { kind: 'declined', reason: 'No such charge' }
      if (facts.state !== 'otp') return outcomeOf(reference, facts)
      if (!isOtp(otp)) return { kind: 'wrong otp' }
      await replaceCharge(world, reference, facts, APPROVED) // where it had changed, then to this
      return outcomeOf(reference, APPROVED)
    },

    find: async (reference): Promise<FoundCharge> => {
      // Where nothing stands yet, a charge that is still on its way is declined from now on: what is answered here stays true.
      const facts = await keep(reference, { state: 'never seen' })
      return facts.state === 'never seen' ? { kind: 'not found' } : outcomeOf(reference, facts)
    },

    refund: async ({ reference, chargeReference, amount }) => {
      const charge = await readCharge(world, chargeReference)
      if (charge?.state !== 'approved' && charge?.state !== 'silent')
        return { kind: 'refused', reason: 'No such charge was approved' }
      const facts = { chargeReference, amount: toNairaText(amount) }
      await book.keep(REFUNDS, reference, facts, clock.now())
      return charge.state === 'silent' ? { kind: 'unknown' } : REFUNDED
    },

    findRefund: async (reference) =>
      (await book.read(REFUNDS, reference)) === undefined ? { kind: 'not found' } : REFUNDED,
  }
}

const REFUNDED: CardRefundOutcome = { kind: 'refunded' }

/** Where the issuer asks its card holder. */
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
    case 'never seen':
      return { kind: 'declined', reason: 'The charge came too late' }
  }
}

export const APPROVED: ChargeFacts = { state: 'approved', reusable: true }
export const declined = (reason: string): ChargeFacts => ({ state: 'declined', reason })

/** How the issuer of a card takes a charge. A PIN that is given must be right; none is asked for. */
function decide({ card, initiator, amount }: ChargeRequest): ChargeFacts {
  if (card.pin !== null && card.pin.reveal() !== PIN) return declined('Incorrect PIN')
  const kind = (initiator === 'MERCHANT' ? AMOUNTS[String(amount % 100n)] : undefined) ?? CARDS[card.number.reveal()]
  if (kind === 'insufficient funds') return declined('Insufficient funds')
  if (kind === 'silent') return { state: 'silent' }
  // With a card on file there is no holder to ask.
  if (kind === 'reusable' || initiator === 'MERCHANT') return APPROVED
  if (kind === undefined) return { state: 'approved', reusable: false }
  return kind === 'otp' ? { state: 'otp' } : { state: '3ds', wrongOtps: 0 }
}
