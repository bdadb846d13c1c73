export {
  type AccountPurpose,
  type AssignedAccount,
  accountKey,
  accountName,
  accountsOf,
  findAccounts,
  findEarlierAccounts,
  isAssigned,
  renameAccounts,
  restNumbers,
  UNASSIGNED,
  type VirtualAccount,
} from './accounts.ts'
export { checkCell, WrongCell } from './cell.ts'
export { closeAccounts, closeAllAccounts } from './close.ts'
export { accountErrors } from './errors.ts'
export { type IssuedNumber, type NumberRequest, openIssuing } from './issue.ts'
export { countLeft, countPrefix } from './numbers-left.ts'
export { type AccountToOpen, openVirtualAccounts, type VirtualAccounts } from './open.ts'
export { closeIssued } from './request-repository.ts'
export {
  type AccountSource,
  type AccountSources,
  accountSources,
  addSource,
  CHECK_DIGIT_RULES,
  type CheckDigitRule,
  cacheSources,
  isPrefixSource,
  SourceError,
  seedSandboxSources,
  selectSources,
  setSourceUsed,
} from './sources.ts'
