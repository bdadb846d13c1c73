export { accounts, HOUSE, RAILS, type Rail, walletOf } from './accounts.ts'
export { BALANCES, FOLD_MAX, foldChanges } from './balances.ts'
export { type BookedJournal, selectBooked } from './booked.ts'
export { type ClearingEntry, heldAt, selectClearing } from './clearing.ts'
export { firstJournal, type HourOfMoves, sumHours } from './hours.ts'
export { type Journal, type Move, movesAboveZero, spread } from './journal.ts'
export { movesOf, movesWithin } from './moves.ts'
export { type PartnerBalances, partnerBalances } from './partners.ts'
export { type DatedJournal, isPosted, moneyOf, post, postNew, postPast } from './post.ts'
export { acts } from './proof/acts.ts'
export { afresh, type Checkpoints, forgetProof, inDatabase, inFile } from './proof/checkpoint.ts'
export { canKeep, markClean, readLastClean } from './proof/last-clean.ts'
export {
  isClean,
  type LedgerVerdict,
  type ProofOptions,
  type ProofProgress,
  prove,
  type Questions,
  type Together,
  type Wrong,
} from './proof/prove.ts'
export {
  FINDINGS_TOLD_MAX,
  type Finding,
  ID_MAX,
  type JournalKey,
  type JournalOwner,
  NOTHING,
  type Owned,
  ownedBy,
  type Range,
  type RowQuestion,
  ranged,
  type StateQuestion,
  type Told,
  within,
  withoutRows,
} from './proof/question.ts'
