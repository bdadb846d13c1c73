export { subAccountFeature } from './feature.ts'
