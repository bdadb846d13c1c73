export {
  type AccountPurpose,
  accountKey,
  accountName,
  accountsOf,
  countNumbers,
  findAccounts,
  findEarlierAccounts,
  type GivenAccount,
  isGiven,
  NOBODYS,
  renameAccounts,
  restNumbers,
  type VirtualAccount,
} from './accounts.ts'
export { checkCell, WrongCell } from './cell.ts'
export { closeAccounts } from './close.ts'
export { accountErrors } from './errors.ts'
export { type IssuedNumber, type Issuing, openIssuing, type WantedNumber } from './issue.ts'
export { capacityOf, ofCell, restedBefore } from './mint.ts'
export { openVirtualAccounts, type VirtualAccounts, type WantedAccount } from './open.ts'
export { closeIssued } from './request-repository.ts'
export {
  type AccountSource,
  type AccountSources,
  accountSources,
  addSource,
  CHECK_DIGIT_RULES,
  type CheckDigitRule,
  isPrefixSource,
  keepSources,
  SourceError,
  seedSandboxSources,
  selectSources,
  setSourceUsed,
} from './sources.ts'
