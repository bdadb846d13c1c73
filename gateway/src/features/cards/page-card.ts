import type { getCheckout, Reply } from '@kobo/contract'
import type { CardFacts } from './card.ts'
import { meaningOf } from './decline-messages.ts'
import { isInProgress } from './machine.ts'
import { WRONG_OTPS_MAX } from './outcome.ts'
import type { AttemptRow } from './repository.ts'
import { issuersPage } from './show.ts'

export type ShownCard = NonNullable<Reply<typeof getCheckout>['card']>

/** The progress of a card payment, as the checkout page shows it. */
export interface PageCard {
  /** Whether a charge was sent and the issuer has not responded yet. */
  readonly isUnderWay: boolean
  readonly shown: ShownCard | null
}

/** Returns the progress of one transaction's attempts, which are given oldest first. */
export function pageCard(attempts: readonly AttemptRow[], publicUrl: string): PageCard {
  const underWay = attempts.find(({ status }) => isInProgress(status))
  const latest = underWay ?? attempts.at(-1)
  return {
    isUnderWay: underWay !== undefined,
    shown: latest === undefined ? null : showAttempt(latest, publicUrl),
  }
}

function showAttempt(attempt: AttemptRow, publicUrl: string): ShownCard | null {
  const { status, reference, otpTries, reason, channel } = attempt
  const card = nameOf(attempt.card)
  if (isInProgress(status)) return { ...card, step: 'IN_PROGRESS' }
  if (status === 'DECLINED') return { ...card, step: 'DECLINED', decline: meaningOf(reason ?? '') }
  // A challenge that the merchant's own page shows is not shown here again.
  if (channel !== 'WEB_SDK') return null
  if (status === 'OTP_REQUIRED')
    return { ...card, step: 'CODE', tokenId: reference, triesLeft: WRONG_OTPS_MAX - otpTries }
  return status === 'SECURE_3D_REQUIRED'
    ? { ...card, step: 'BANK', redirectUrl: issuersPage(attempt, publicUrl) }
    : null
}

export const paidCard = (card: CardFacts): ShownCard => ({ ...nameOf(card), step: 'PAID' })

const BRANDS: Readonly<Record<string, string>> = { VERVE: 'Verve', VISA: 'Visa', MASTERCARD: 'Mastercard' }

const nameOf = ({ cardType, last4 }: Pick<CardFacts, 'cardType' | 'last4'>) => ({
  brand: BRANDS[cardType] ?? '',
  last4,
  tokenId: null,
  triesLeft: null,
  redirectUrl: null,
  decline: null,
})
