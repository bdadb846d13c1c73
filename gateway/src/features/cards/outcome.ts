import type { Conclusion } from '../../core/orders/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import type { FoundCharge, OtpOutcome } from '../../rails/card.ts'
import { type AttemptTrigger, cardAttemptMachine } from './machine.ts'
import type { AttemptRow } from './repository.ts'

export const WRONG_OTPS_MAX = 5
/** How long to wait for a card's holder. */
const HOLDER_SECONDS = 600
/** How often to query the issuer during a challenge at its page. */
const ASK_ISSUER_SECONDS = 30

export type Outcome = FoundCharge | OtpOutcome

/** The consequence of an outcome for an attempt. All writes follow from it. */
export type Consequence =
  /** The charge was approved: its money is received, if the transaction still takes it. */
  | { readonly kind: 'money'; readonly reusable: boolean }
  /** The attempt changes as given. If it was declined, the transaction fails too. */
  | { readonly kind: 'moved'; readonly attempt: AttemptRow }
  | { readonly kind: 'nothing' }

const NOTHING: Consequence = { kind: 'nothing' }

export function consequence(attempt: AttemptRow, outcome: Outcome, at: Date): Consequence {
  switch (outcome.kind) {
    case 'approved':
      if (can(attempt, 'approve')) return { kind: 'money', reusable: outcome.reusable }
      // The charge was approved after it was reported as declined, or after another charge replaced it.
      return can(attempt, 'reverse')
        ? { kind: 'moved', attempt: reversing(attempt, 'The charge came too late', at) }
        : NOTHING
    case 'declined':
      return declined(attempt, outcome.reason, at)
    case 'not found':
      return declined(attempt, 'The charge did not reach the card network', at)
    case 'unknown':
      return can(attempt, 'noResponse') ? move(attempt, 'noResponse') : NOTHING
    case 'wrong otp':
      if (!can(attempt, 'askForOtp')) return NOTHING
      return attempt.otpTries >= WRONG_OTPS_MAX
        ? declined(attempt, 'Too many wrong OTPs', at)
        : move(attempt, 'askForOtp')
    case 'otp required':
      if (attempt.cardToken !== null) return declined(attempt, HOLDER_AWAY, at)
      return can(attempt, 'askForOtp') ? move(attempt, 'askForOtp') : NOTHING
    case '3ds required':
      if (attempt.cardToken !== null) return declined(attempt, HOLDER_AWAY, at)
      return can(attempt, 'askFor3ds')
        ? move(attempt, 'askFor3ds', { acsUrl: outcome.acsUrl, acsMethod: outcome.method })
        : NOTHING
  }
}

/** Returns the next step of an attempt's order, which queries the network whenever the holder may have acted. */
export function conclusionOf(attempt: AttemptRow, at: Date): Conclusion {
  switch (attempt.status) {
    case 'CHARGING':
    case 'AUTHORIZING':
    case 'UNKNOWN':
      return { kind: 'unknown' }
    case 'OTP_REQUIRED':
      return askUntil(attempt, at, holderDeadline(attempt))
    case 'SECURE_3D_REQUIRED':
      return askUntil(attempt, at, secondsAfter(at, ASK_ISSUER_SECONDS))
    case 'SUPERSEDED':
      // A superseded charge cannot succeed by OTP any more, but the holder may still approve at the issuer's page.
      return attempt.settledAt !== null || attempt.acsUrl === null
        ? { kind: 'concluded' }
        : askUntil(attempt, at, secondsAfter(at, ASK_ISSUER_SECONDS))
    case 'APPROVED':
    case 'DECLINED':
    case 'REVERSING':
    case 'REVERSED':
    case 'REVERSAL_REFUSED':
      return { kind: 'concluded' }
  }
}

/** Waits for the holder for the longest time that any issuer allows. After that, the outcome is unknown. */
const askUntil = (attempt: AttemptRow, at: Date, askAt: Date): Conclusion =>
  at < holderDeadline(attempt) ? { kind: 'ask', at: askAt } : { kind: 'unknown' }

const holderDeadline = ({ openedAt }: AttemptRow): Date => secondsAfter(openedAt, HOLDER_SECONDS)

const HOLDER_AWAY = 'The issuer asks for the card holder'

const can = ({ status }: AttemptRow, trigger: AttemptTrigger): boolean =>
  next(cardAttemptMachine, status, trigger) !== undefined

/** Returns the attempt after a trigger, with further changes. */
export function after(attempt: AttemptRow, trigger: AttemptTrigger, changes: Partial<AttemptRow> = {}): AttemptRow {
  const status = next(cardAttemptMachine, attempt.status, trigger)
  invariant(status !== undefined, `a ${attempt.status} attempt can ${trigger}`)
  return { ...attempt, ...changes, status }
}

const move = (attempt: AttemptRow, trigger: AttemptTrigger, changes: Partial<AttemptRow> = {}): Consequence => ({
  kind: 'moved',
  attempt: after(attempt, trigger, changes),
})

/** Returns the changes of an attempt that is now final: its card number is no longer held. */
const ended = (at: Date): Partial<AttemptRow> => ({ heldNumber: null, settledAt: at })

function declined(attempt: AttemptRow, reason: string, at: Date): Consequence {
  if (can(attempt, 'decline')) return move(attempt, 'decline', { ...ended(at), reason })
  // The attempt was superseded, and is now final.
  return attempt.status === 'SUPERSEDED' ? { kind: 'moved', attempt: { ...attempt, ...ended(at), reason } } : NOTHING
}

export const approved = (attempt: AttemptRow, at: Date): AttemptRow => after(attempt, 'approve', ended(at))

/** Returns the attempt whose money is to be sent back to the card. */
export const reversing = (attempt: AttemptRow, reason: string, at: Date): AttemptRow =>
  after(attempt, 'reverse', { ...ended(at), reason })
