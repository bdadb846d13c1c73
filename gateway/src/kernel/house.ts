/** Kobo itself as the owner of accounts: it holds money whose merchant is unknown. No merchant has this id. */
export const HOUSE = 0n
