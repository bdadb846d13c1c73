export { reserveChecks } from './ledger-checks.ts'
export {
  insertLots,
  type LotRow,
  lockLots,
  type ReserveTerms,
  reserved,
  reserveTermsOf,
  takeFromLots,
} from './lots.ts'
export { reserveSweep } from './release.ts'
