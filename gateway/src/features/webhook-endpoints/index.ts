export { webhookEndpointFeature } from './feature.ts'
