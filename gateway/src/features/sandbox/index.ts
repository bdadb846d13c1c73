export {
  type Credentials,
  createDemoMerchant,
  demoSignInLink,
  ensureDemoMerchant,
  readCredentials,
} from './demo.ts'
export { sandboxFeature } from './feature.ts'
export { type Random, seededRandom } from './random.ts'
