export {
  type ConflictRow,
  countConflicts,
  creditOf,
  dismissConflict,
  endTaking,
  sealedConflicts,
  selectConflicts,
  selectTaking,
  storeConflicts,
  takeConflict,
} from './conflicts.ts'
export { costChecks, postCosts, selectCredited } from './costs.ts'
export {
  claimCredits,
  claimDecided,
  type Decided,
  type Decisions,
  earlierCredits,
  NO_DECISIONS,
  openMemory,
  outcomeOf,
} from './credit-names.ts'
export type { CreditName, ReportedCredit } from './name-directory.ts'
