export { type Customer, customerOf, ERASED_CARD, type Identifiers } from './customer.ts'
export {
  type CustomerData,
  type CustomerRecord,
  idList,
  type TransactionCustomerData,
} from './customer-data.ts'
export { type Erased, eraseCustomer, StillOpen } from './erase.ts'
