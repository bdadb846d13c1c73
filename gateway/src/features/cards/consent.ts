import type { SAVE_CARD_TEXTS } from '@kobo/contract'

/**
 * The consent to store a card. `none`: it is not stored. `merchant`: the merchant's server charges it and has the
 * holder's consent. `on-file`: the card is already stored. `unasked`: from before consent was recorded. Any other value
 * is the version of the text that the payer agreed to on the checkout. The attempt records when and where it was given.
 */
export type Consent = 'none' | 'merchant' | 'on-file' | 'unasked' | (typeof SAVE_CARD_TEXTS)[number]
