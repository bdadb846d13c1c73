import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import type { FoundCharge, OtpOutcome } from '../../rails/card.ts'
import { type AttemptTrigger, cardAttemptMachine } from './machine.ts'
import { ASK_AFTER_SECONDS } from './open.ts'
import type { AttemptRow } from './repository.ts'

export const WRONG_OTPS_MAX = 5
/** When a holder who has not given the OTP is given up on: the network is asked then. */
const OTP_SECONDS = 600

export type Outcome = FoundCharge | OtpOutcome

/** What follows from an outcome for an attempt. Pure: all that is written follows from this. */
export type Consequence =
  /** Its money is to be taken in, if the transaction still takes it. */
  | { readonly kind: 'money'; readonly reusable: boolean }
  /** The attempt as it is now; where it was declined, so is the transaction. */
  | { readonly kind: 'moved'; readonly attempt: AttemptRow }
  | { readonly kind: 'nothing' }

const NOTHING: Consequence = { kind: 'nothing' }

export function consequence(attempt: AttemptRow, outcome: Outcome, at: Date): Consequence {
  switch (outcome.kind) {
    case 'approved':
      if (can(attempt, 'approve')) return { kind: 'money', reusable: outcome.reusable }
      // Approved, though we had been told otherwise, or had asked for something else meanwhile.
      return can(attempt, 'reverse')
        ? { kind: 'moved', attempt: reversing(attempt, 'The charge came too late', at) }
        : NOTHING
    case 'declined':
      return declined(attempt, outcome.reason, at)
    case 'not found':
      return declined(attempt, 'The charge did not reach the card network', at)
    case 'unknown':
      return can(attempt, 'hearNothing') ? move(attempt, 'hearNothing', { askAt: inAWhile(at) }) : NOTHING
    case 'wrong otp':
      if (!can(attempt, 'askForOtp')) return NOTHING
      return attempt.otpTries >= WRONG_OTPS_MAX
        ? declined(attempt, 'Too many wrong OTPs', at)
        : move(attempt, 'askForOtp', { askAt: otpEnds(attempt) })
    case 'otp required':
      if (attempt.cardToken !== null) return declined(attempt, HOLDER_AWAY, at)
      return can(attempt, 'askForOtp') ? move(attempt, 'askForOtp', { askAt: otpEnds(attempt) }) : NOTHING
    case '3ds required':
      if (attempt.cardToken !== null) return declined(attempt, HOLDER_AWAY, at)
      return can(attempt, 'askHolder')
        ? move(attempt, 'askHolder', { acsUrl: outcome.acsUrl, acsMethod: outcome.method, askAt: inAWhile(at) })
        : NOTHING
  }
}

const HOLDER_AWAY = 'The issuer asks for the card holder'

const can = ({ status }: AttemptRow, trigger: AttemptTrigger): boolean =>
  next(cardAttemptMachine, status, trigger) !== undefined

/** The attempt after a trigger, with all that goes along. */
export function after(attempt: AttemptRow, trigger: AttemptTrigger, changes: Partial<AttemptRow> = {}): AttemptRow {
  const status = next(cardAttemptMachine, attempt.status, trigger)
  invariant(status !== undefined, `an attempt that is ${attempt.status} can ${trigger}`)
  return { ...attempt, ...changes, status }
}

const move = (attempt: AttemptRow, trigger: AttemptTrigger, changes: Partial<AttemptRow>): Consequence => ({
  kind: 'moved',
  attempt: after(attempt, trigger, changes),
})

/** Final: nothing is asked any more, and no number is held. */
const ended = (at: Date): Partial<AttemptRow> => ({ askAt: null, heldNumber: null, settledAt: at })

function declined(attempt: AttemptRow, reason: string, at: Date): Consequence {
  if (can(attempt, 'decline')) return move(attempt, 'decline', { ...ended(at), reason })
  // Superseded, and now nothing can come of it any more.
  return attempt.status === 'SUPERSEDED' ? { kind: 'moved', attempt: { ...attempt, ...ended(at), reason } } : NOTHING
}

export const approved = (attempt: AttemptRow, at: Date): AttemptRow => after(attempt, 'approve', ended(at))

/** Its money goes back; the network is asked about that until it has gone. */
export const reversing = (attempt: AttemptRow, reason: string, at: Date): AttemptRow =>
  after(attempt, 'reverse', { ...ended(at), reason, askAt: inAWhile(at) })

const inAWhile = (at: Date): Date => secondsAfter(at, ASK_AFTER_SECONDS)
const otpEnds = ({ openedAt }: AttemptRow): Date => secondsAfter(openedAt, OTP_SECONDS)
