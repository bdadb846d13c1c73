export { bankTransferErrors } from './errors.ts'
export { bankTransferFeature } from './feature.ts'
export { showPaymentAccount } from './routes.ts'
export {
  type AssignAccount,
  assignAccounts,
  assignThrough,
  type BankTransferLane,
} from './service.ts'
export { ussdText } from './ussd.ts'
