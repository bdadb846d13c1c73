export { sandboxFeature } from './feature.ts'
