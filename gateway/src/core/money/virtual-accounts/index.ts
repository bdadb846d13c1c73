export {
  type AccountPurpose,
  accountKey,
  accountName,
  accountsOf,
  closeAccounts,
  countNumbers,
  findAccounts,
  type GivenAccount,
  isGiven,
  NOBODYS,
  renameAccounts,
  restNumbers,
  type VirtualAccount,
  type WantedAccount,
} from './accounts.ts'
export { capacityOf, restedBefore } from './mint.ts'
export { accountErrors, openVirtualAccounts, type VirtualAccounts } from './open.ts'
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
