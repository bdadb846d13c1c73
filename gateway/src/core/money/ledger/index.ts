export { accounts, RAILS, type Rail, walletOf } from './accounts.ts'
export { BALANCES, FOLD_MAX, foldChanges } from './balances.ts'
export { type ClearingEntry, heldAt, selectClearing } from './clearing.ts'
export { firstJournal, type HourOfMoves, sumHours } from './hours.ts'
export { type Journal, type Move, movesAboveZero, spread } from './journal.ts'
export { movesOf, movesWithin } from './moves.ts'
export { type PartnerBalances, partnerBalances, type Safeguarding, safeguarding } from './partners.ts'
export { type DatedJournal, isPosted, moneyOf, post, postHistory, postNew } from './post.ts'
export { type PostedJournal, selectPosted } from './posted.ts'
export {
  FINDINGS_SHOWN_MAX,
  type Finding,
  ID_MAX,
  type JournalKey,
  type JournalOwner,
  type LedgerCheck,
  NOTHING,
  type Owned,
  ownedBy,
  type Range,
  type RowCheck,
  ranged,
  type StateCheck,
  within,
  withoutRows,
} from './verification/check.ts'
export {
  databaseCheckpoints,
  deleteCheckpoints,
  fileCheckpoints,
  ignoringPrevious,
} from './verification/checkpoint.ts'
export { canStoreResults, markClean, readLastClean } from './verification/last-clean.ts'
export { acts } from './verification/row-checks.ts'
export {
  isClean,
  type LedgerVerdict,
  type ShardScopes,
  type VerificationOptions,
  type VerificationProgress,
  verifyAllMerchants,
  type Wrong,
} from './verification/verify.ts'
