export { AGES, ageOf } from './ages.ts'
export { heldByPartner } from './books.ts'
export { type DayRow, type Explained, lastClosed, selectDays } from './day-repository.ts'
export { type By, decide, explain, join, statementCreditSweep, type Word } from './decide.ts'
export { type DecisionRow, selectDecisions, type Wanted } from './decision-repository.ts'
export { type EntryRow, selectEntriesOf } from './entry-repository.ts'
export { type Exception, findExceptions } from './exceptions.ts'
export { reconciliationFeature } from './feature.ts'
export {
  type AccountWanted,
  type Imported,
  importStatements,
  knownAccount,
  putStatementAccount,
  type StatementFileWanted,
} from './import.ts'
export { countItems, type ItemRow, type ItemState, selectExceptions } from './item-repository.ts'
export { reconciliationQuestions } from './ledger-questions.ts'
export { costOf, type Margin, METHODS, marginOf, putPartnerPrice, type WrongFee, wrongFees } from './margin.ts'
export { type Matched, matchPartner } from './match.ts'
export { REASONS, type Reason } from './matching.ts'
export { type PartnerPrice, selectPrices } from './price-repository.ts'
export { closeDays, type DayProof, proveDay } from './prove.ts'
export {
  type LineRow,
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectFiles,
  selectLastDays,
  selectLinesOf,
} from './statement-repository.ts'
