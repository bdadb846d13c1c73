export {
  type ConflictRow,
  countConflicts,
  creditOf,
  dismissConflict,
  endTaking,
  referenceBehind,
  sealedConflicts,
  selectConflicts,
  selectTakenReferences,
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
  storedReferences,
} from './credit-names.ts'
export type { CreditName, ReportedCredit } from './name-directory.ts'
