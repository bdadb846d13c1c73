export { insufficientBalance } from './errors.ts'
export { type HistoryWallet, openHistoryWallet, writeHistoryLines } from './history.ts'
export { walletChecks } from './ledger-checks.ts'
export {
  type Balances,
  bvnContext,
  type CustomerWalletRow,
  findWallet,
  findWalletNumber,
  findWalletsOf,
  insertWallet,
  sealedWallets,
  selectBalances,
  selectCustomerWallets,
  updateCustomers,
  type WalletFilter,
  type WalletKey,
  type WalletName,
  type WalletRow,
  walletBalances,
  walletNumbers,
} from './repository.ts'
export { balancesOfPeriod, selectStatement, statementList, type WalletEntryRow } from './statement.ts'
export { openWallets, type WalletAct, type Wallets } from './wallets.ts'
