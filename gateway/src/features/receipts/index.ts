export { receiptFeature } from './feature.ts'
export { type ProofDeps, receiptProver } from './proof.ts'
export { verifierRoutes } from './verifier.ts'
