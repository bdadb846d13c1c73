/** The id of Kobo itself, which owns the accounts for money whose merchant is unknown. No merchant has this id. */
export const HOUSE = 0n
