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
  type CreditName,
  type Decided,
  type Decisions,
  decisionsOf,
  namesakesOf,
  openMemory,
  outcomeOf,
  type ReportedCredit,
  selectDecisions,
} from './credit-names.ts'
