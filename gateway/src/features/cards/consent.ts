import type { SAVE_CARD_TEXTS } from '@kobo/contract'

/**
 * The consent to store a card: none; the merchant's, whose server charges it with its holder's consent; the payer's
 * own, by the version of the text on the checkout. `on-file` is a card that is already stored, `unasked` is from before
 * consent was recorded. The attempt documents when, for which payment and where.
 */
export type Consent = 'none' | 'merchant' | 'on-file' | 'unasked' | (typeof SAVE_CARD_TEXTS)[number]
