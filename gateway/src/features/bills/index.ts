export { billFeature } from './feature.ts'
export { findVend, type VendRow, vendList } from './repository.ts'
