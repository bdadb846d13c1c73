export { AGES, ageOf } from './ages.ts'
export { heldByPartner } from './clearing-entries.ts'
export { checkDay, closeDays, type DayBalance } from './day-balance.ts'
export { type DayRow, type Explained, lastClosed, selectDays } from './day-repository.ts'
export { type By, decide, explain, joining, type OperatorDecision, statementCreditSweep } from './decide.ts'
export { type DecisionRow, type Resolution, selectDecisions } from './decision-repository.ts'
export { type EntryRow, selectEntriesOf } from './entry-repository.ts'
export { type Exception, findExceptions } from './exceptions.ts'
export { reconciliationFeature } from './feature.ts'
export {
  type ImportResult,
  importFile,
  importStatements,
  type NewStatementAccount,
  type NewStatementFile,
  putStatementAccount,
  requireAccount,
} from './import.ts'
export { countExceptions, countItems, type ItemRow, type ItemState, selectExceptions } from './item-repository.ts'
export { costOf, type Margin, METHODS, marginOf, putPartnerPrice, type WrongFee, wrongFees } from './margin.ts'
export { type MatchResult, matchPartner } from './match.ts'
export { REASONS, type Reason } from './matching.ts'
export { type PartnerPrice, selectPrices } from './price-repository.ts'
export {
  type LineRow,
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectBalances,
  selectFiles,
  selectLastDays,
  selectLinesOf,
} from './statement-repository.ts'
