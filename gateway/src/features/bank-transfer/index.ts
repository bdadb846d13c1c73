export { bankTransferErrors } from './errors.ts'
export { bankTransferRoutes } from './routes.ts'
export { assignAccounts, type BankTransferLane, type PaymentAccount } from './service.ts'
export { ussdText } from './ussd.ts'
