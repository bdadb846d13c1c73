export { signOnFeature } from './feature.ts'
export { openProviders } from './providers.ts'
