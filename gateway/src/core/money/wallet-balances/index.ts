export { insufficientBalance } from './errors.ts'
export type { Counterparty } from './events.ts'
export { walletQuestions } from './ledger-questions.ts'
export { openPastWallet, type PastWallet, writePastLines } from './past.ts'
export {
  bvnContext,
  type CustomerWalletRow,
  countCustomerWallets,
  findWalletNumber,
  findWalletsOf,
  insertWallet,
  sealedWallets,
  selectCustomerWallets,
  updateCustomers,
  type WalletFilter,
  type WalletKey,
  walletBalances,
  walletNumbers,
} from './repository.ts'
export { countStatement, selectStatement, type WalletEntryRow } from './statement.ts'
export { openWallets, type WalletAct, type Wallets } from './wallets.ts'
