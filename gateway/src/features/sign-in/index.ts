export { signInFeature } from './feature.ts'
