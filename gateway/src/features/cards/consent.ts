import type { SAVE_CARD_TEXTS } from '@kobo/contract'

/**
 * By whose word a card may be put on file: nobody's; the merchant's, whose server charges it and has its holder's consent;
 * the payer's own, by the version of the text on the checkout. `on-file` is one that is there already, `unasked` of before
 * anybody was asked. The attempt is the record of it: it tells when, for which payment and where.
 */
export type Consent = 'none' | 'merchant' | 'on-file' | 'unasked' | (typeof SAVE_CARD_TEXTS)[number]
