export { type Mapping, PLAIN, readMapping } from './mapping.ts'
export { readStatements } from './read.ts'
export { FILE_BYTES_MAX, readDay, type Statement, StatementError, type StatementLine } from './statement.ts'
