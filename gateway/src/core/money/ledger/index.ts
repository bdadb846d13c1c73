export { accounts, walletOf } from './accounts.ts'
export { type Journal, type Move, movesAboveZero, spread } from './journal.ts'
export { moneyOf, post, postNew } from './post.ts'
export { askLedger, isClean, type LedgerQuestion, type LedgerVerdict, WRONG_SHOWN_MAX } from './verify.ts'
