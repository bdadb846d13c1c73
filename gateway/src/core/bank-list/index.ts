export type { Bank } from './bank.ts'
export { BankError, FILE_BYTES_MAX, HEADER, readBanks } from './csv.ts'
export { bankName, findBank, findOfferedBank, findUssdBank, knownBanks, offeredBanks, setBankList } from './list.ts'
export { type BankRow, cacheBanks, importBanks, renameBank, selectBanks, setBankOffered } from './store.ts'
