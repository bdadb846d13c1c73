import type { getCheckout, Reply } from '@kobo/contract'
import type { CardFacts } from '../transactions/index.ts'
import { meaningOf } from './declines-told.ts'
import { isUnderWay } from './machine.ts'
import { WRONG_OTPS_MAX } from './outcome.ts'
import type { AttemptRow } from './repository.ts'
import { issuersPage } from './show.ts'

export type ShownCard = NonNullable<Reply<typeof getCheckout>['card']>

/** How far paying by card has come, as the payer's page shows it. */
export interface PageCard {
  /** Whether a card was charged whose issuer has not answered yet. */
  readonly isUnderWay: boolean
  readonly shown: ShownCard | null
}

/** How far the attempts of one transaction, oldest first, have come. */
export function pageCard(attempts: readonly AttemptRow[], publicUrl: string): PageCard {
  const underWay = attempts.find(({ status }) => isUnderWay(status))
  const latest = underWay ?? attempts.at(-1)
  return {
    isUnderWay: underWay !== undefined,
    shown: latest === undefined ? null : showAttempt(latest, publicUrl),
  }
}

function showAttempt(attempt: AttemptRow, publicUrl: string): ShownCard | null {
  const { status, reference, otpTries, reason, channel } = attempt
  const card = nameOf(attempt.card)
  if (isUnderWay(status)) return { ...card, step: 'IN_PROGRESS' }
  if (status === 'DECLINED') return { ...card, step: 'DECLINED', decline: meaningOf(reason ?? '') }
  // Whom the merchant's own page asks is not asked here too.
  if (channel !== 'WEB_SDK') return null
  if (status === 'OTP_REQUIRED')
    return { ...card, step: 'CODE', tokenId: reference, triesLeft: WRONG_OTPS_MAX - otpTries }
  return status === 'SECURE_3D_REQUIRED'
    ? { ...card, step: 'BANK', redirectUrl: issuersPage(attempt, publicUrl) }
    : null
}

/** The card that paid. */
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
