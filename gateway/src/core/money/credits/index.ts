export {
  type ConflictRow,
  countConflicts,
  creditOf,
  dismissConflict,
  endTaking,
  keepConflicts,
  sealedConflicts,
  selectConflicts,
  selectTaking,
  takeConflict,
} from './conflicts.ts'
export { costQuestions, keepCosts, selectCredited } from './costs.ts'
export {
  type Decided,
  type Decisions,
  decisionsOf,
  type MoneyName,
  namesakesOf,
  openMemory,
  outcomeOf,
  selectDecisions,
  type ToldMoney,
} from './told.ts'
