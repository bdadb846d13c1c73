export {
  type FeeBearer,
  type FeeStep,
  type FeeTerms,
  feeDue,
  feeOfCustomer,
  feeOn,
  payableFor,
  shareAndFlat,
} from './fee.ts'
export {
  collectionTerms,
  type Price,
  type PriceStep,
  type Prices,
  priceFault,
  priceOf,
  priceOn,
  SERVICES,
  type Service,
} from './price.ts'
export { insertPrice, selectOwnPrices, selectStandardPrices } from './repository.ts'
