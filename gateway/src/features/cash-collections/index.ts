export { cashCollectionFeature } from './feature.ts'
