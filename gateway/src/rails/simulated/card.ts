import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { toNairaText } from '../../kernel/money.ts'
import type { CardRail, CardRefundOutcome, ChargeOutcome, ChargeRequest, FoundCharge, OtpOutcome } from '../card.ts'
import type { SimulatedBook, SimulatedEntry } from './book.ts'

type Kind = 'reusable' | 'otp' | '3ds' | 'insufficient funds' | 'silent'

/** The sandbox's cards by number. Any other number that passes Luhn's check is approved, and is not reusable. */
const CARDS: Readonly<Record<string, Kind>> = {
  '4111111111111111': 'reusable',
  '5060995994247093': 'otp',
  '4000000000000002': '3ds',
  '5399838383838381': 'insufficient funds',
  '4242424242424242': 'silent',
}
/** Cards on file all succeed, so that a renewal can fail too the kobo of its amount decide: the networks' own codes. */
const AMOUNTS: Readonly<Record<string, Kind>> = { '51': 'insufficient funds', '68': 'silent' }
const PIN = '1234'
const OTP = '123456'

/** How long the simulated issuer waits for its card holder, in seconds of business time. */
const HOLDER_SECONDS = 600
/** Charges that were answered at once are remembered by the process alone: so many of them. */
const REMEMBERED_MAX = 10_000

const CHARGES = 'card'
const REFUNDS = 'card refund'

/** What the issuer knows of a charge that was not settled at once. Never a number, CVV, PIN or OTP. */
export type ChargeFacts =
  | { readonly state: 'silent' }
  | { readonly state: 'otp' }
  | ChallengeFacts
  | { readonly state: 'approved' }
  | { readonly state: 'declined'; readonly reason: string }

export interface ChallengeFacts {
  readonly state: '3ds'
  readonly merchantName: string
  /** Naira. */
  readonly amount: string
  readonly currencyCode: string
  readonly last4: string
  readonly wrongOtps: number
}

export const isOtp = (otp: Hidden<string>): boolean => otp.reveal() === OTP

export const readCharge = async (
  { clock, book }: World,
  reference: string,
): Promise<{ readonly facts: ChargeFacts; readonly isOver: boolean } | undefined> => {
  const entry = await book.read(CHARGES, reference)
  return entry === undefined ? undefined : { facts: entry.facts as ChargeFacts, isOver: isOver(clock, entry) }
}

export const writeCharge = ({ clock, book }: World, reference: string, facts: ChargeFacts): Promise<void> =>
  book.write(CHARGES, reference, facts, clock.now())

const isOver = (clock: Clock, { at }: SimulatedEntry): boolean =>
  clock.now().getTime() >= at.getTime() + HOLDER_SECONDS * 1_000

export interface World {
  readonly clock: Clock
  readonly book: SimulatedBook
}

/** Where the issuer asks its card holder. */
export const challengePath = (reference: string): string => `/sandbox/3ds/${reference}`

/** The sandbox's card network and all its issuers. */
export function simulatedCardRail(world: World): CardRail {
  const answered = new Map<string, ChargeOutcome>()

  function remember(reference: string, outcome: ChargeOutcome): ChargeOutcome {
    const [oldest] = answered.keys()
    if (answered.size >= REMEMBERED_MAX && oldest !== undefined) answered.delete(oldest)
    answered.set(reference, outcome)
    return outcome
  }

  /** What is settled later outlives the process. */
  async function note(reference: string, facts: ChargeFacts, outcome: ChargeOutcome): Promise<ChargeOutcome> {
    await writeCharge(world, reference, facts)
    return remember(reference, outcome)
  }

  async function find(reference: string): Promise<FoundCharge> {
    const charge = await readCharge(world, reference)
    if (charge === undefined) return answered.get(reference) ?? { kind: 'not found' }
    const { facts, isOver } = charge
    switch (facts.state) {
      case 'silent':
        return { kind: 'approved', reusable: false }
      case 'approved':
        return { kind: 'approved', reusable: true }
      case 'declined':
        return { kind: 'declined', reason: facts.reason }
      case 'otp':
        return isOver ? { kind: 'declined', reason: 'The OTP has expired' } : OTP_REQUIRED
      case '3ds':
        return isOver ? { kind: 'declined', reason: 'Authentication timed out' } : challenged(reference)
    }
  }

  return {
    charge: async (request) => {
      const { reference } = request
      if (answered.has(reference)) {
        const found = await find(reference)
        if (found.kind !== 'not found') return found
      }
      const { facts, outcome } = decide(request)
      return facts === undefined ? remember(reference, outcome) : note(reference, facts, outcome)
    },
    authorizeOtp: async ({ reference, otp }): Promise<OtpOutcome> => {
      const found = await find(reference)
      if (found.kind === 'not found') return { kind: 'declined', reason: 'No such charge' }
      if (found.kind !== 'otp required') return found
      return isOtp(otp)
        ? note(reference, { state: 'approved' }, { kind: 'approved', reusable: true })
        : { kind: 'wrong otp' }
    },
    find,
    refund: async ({ reference, chargeReference, amount }) => {
      const before = await world.book.read(REFUNDS, reference)
      if (before !== undefined) return REFUNDED
      await world.book.write(REFUNDS, reference, { chargeReference, amount: toNairaText(amount) }, world.clock.now())
      const charge = await readCharge(world, chargeReference)
      return charge?.facts.state === 'silent' ? { kind: 'unknown' } : REFUNDED
    },
    findRefund: async (reference) =>
      (await world.book.read(REFUNDS, reference)) === undefined ? { kind: 'not found' } : REFUNDED,
  }
}

const REFUNDED: CardRefundOutcome = { kind: 'refunded' }
const OTP_REQUIRED: ChargeOutcome = { kind: 'otp required', message: 'Enter the OTP sent to your phone' }
const challenged = (reference: string): ChargeOutcome => ({
  kind: '3ds required',
  acsUrl: challengePath(reference),
  method: 'GET',
})
const declined = (reason: string): Decision => ({ outcome: { kind: 'declined', reason } })

interface Decision {
  readonly outcome: ChargeOutcome
  /** Set where more is to come. */
  readonly facts?: ChargeFacts
}

/** How the issuer of a card answers. A PIN that is given must be right; none is asked for. */
function decide({ reference, card, initiator, merchantName, amount, currencyCode }: ChargeRequest): Decision {
  const number = card.number.reveal()
  if (card.pin !== null && card.pin.reveal() !== PIN) return declined('Incorrect PIN')
  const kind = (initiator === 'MERCHANT' ? AMOUNTS[String(amount % 100n)] : undefined) ?? CARDS[number]
  if (kind === 'insufficient funds') return declined('Insufficient funds')
  if (kind === 'silent') return { facts: { state: 'silent' }, outcome: { kind: 'unknown' } }
  // With a card on file there is no holder to ask.
  if (kind === 'reusable' || initiator === 'MERCHANT') return { outcome: { kind: 'approved', reusable: true } }
  if (kind === undefined) return { outcome: { kind: 'approved', reusable: false } }
  if (kind === 'otp') return { facts: { state: 'otp' }, outcome: OTP_REQUIRED }
  const last4 = number.slice(-4)
  return {
    facts: { state: '3ds', merchantName, amount: toNairaText(amount), currencyCode, last4, wrongOtps: 0 },
    outcome: challenged(reference),
  }
}
