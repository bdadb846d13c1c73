export { sandboxFeature } from './feature.ts'
export { LOOPBACK } from './settings.ts'
