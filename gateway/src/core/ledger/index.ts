export { accounts, walletOf } from './accounts.ts'
export { type Journal, type Move, movesAboveZero, spread } from './journal.ts'
export { post, postNew } from './post.ts'
export { isClean, type LedgerVerdict, verifyLedger } from './verify.ts'
