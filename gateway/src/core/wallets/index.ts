export { insufficientBalance } from './errors.ts'
export { type WalletEntryRow, type WalletRow, walletBalances } from './repository.ts'
export { type Counterparty, openWallets, type WalletAct, type WalletKey, type Wallets } from './wallets.ts'
