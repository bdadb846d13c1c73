export { reconciliationFeature } from './feature.ts'
export {
  type AccountWanted,
  type Imported,
  importStatements,
  knownAccount,
  putStatementAccount,
  type StatementFileWanted,
} from './import.ts'
export { type StatementAccount, type StatementFile, selectAccounts, selectFiles } from './statement-repository.ts'
