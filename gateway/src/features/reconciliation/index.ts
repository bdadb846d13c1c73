export { AGES, ageOf } from './ages.ts'
export { heldByPartner } from './clearing-entries.ts'
export { checkDay, closeDays } from './day-balance.ts'
export { type DayRow, type Explained, lastClosed, selectDays } from './day-repository.ts'
export { type By, decide, explain, joining, statementCreditSweep } from './decide.ts'
export { type DecisionRow, type Resolution, selectDecisions } from './decision-repository.ts'
export type { EntryRow } from './entry-repository.ts'
export { type Exception, findExceptions } from './exceptions.ts'
export { reconciliationFeature } from './feature.ts'
export {
  importFile,
  importStatements,
  putStatementAccount,
  requireAccount,
} from './import.ts'
export { countExceptions, countItems, type ItemRow, selectExceptions } from './item-repository.ts'
export { costOf, METHODS, marginOf, putPartnerPrice, wrongFees } from './margin.ts'
export { matchPartner } from './match.ts'
export { REASONS, type Reason } from './matching.ts'
export { type PartnerPrice, selectPrices } from './price-repository.ts'
export {
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectBalances,
  selectFiles,
  selectLastDays,
} from './statement-repository.ts'
