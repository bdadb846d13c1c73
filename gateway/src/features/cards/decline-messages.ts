import type { CardDecline } from '@kobo/contract'

/**
 * The meanings of issuers' reasons. A reason contains words or a response code of ISO 8583, which connectors pass on
 * unchanged. The first match wins.
 */
const MEANINGS: readonly (readonly [CardDecline, RegExp])[] = [
  ['INSUFFICIENT_FUNDS', /insufficient|not sufficient|no funds|low balance|\b51\b/i],
  ['TOO_MANY_CODES', /too many wrong otps|otp.*(tries|attempts)/i],
  ['TOO_LATE', /too late|timed? ?out|otp has expired/i],
  ['NOT_CONFIRMED', /holder refused|authentication failed|not authenticated|otp|3-?d ?s/i],
  ['WRONG_PIN', /\bpin\b|\b(55|38|75)\b/i],
  ['WRONG_DETAILS', /cvv|cvc|security code|invalid card|card number|\b(14|82|N7)\b/i],
  ['EXPIRED_CARD', /expired card|card (has |is )?expired|\b(33|54)\b/i],
  ['SUSPECTED_FRAUD', /fraud|suspected|\b(34|59)\b/i],
  ['BLOCKED_CARD', /lost|stolen|blocked|restricted|hot card|pick ?up|inactive|\b(04|07|36|37|41|43|62)\b/i],
  ['LIMIT_EXCEEDED', /limit|exceeds|\b(61|65)\b/i],
  ['NOT_PERMITTED', /not permitted|not allowed|not enabled|\b(57|58)\b/i],
  ['ISSUER_AWAY', /unavailable|inoperative|did not reach|no response|malfunction|\b(91|96)\b/i],
]

/** Returns what an issuer's reason means for the payer. */
export const meaningOf = (reason: string): CardDecline =>
  MEANINGS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'OTHER'
