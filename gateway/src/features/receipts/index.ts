export { receiptFeature } from './feature.ts'
export { type ReceiptFacts, signReceipt } from './statement.ts'
export { VERIFIER_PATH, verifierRoutes } from './verifier.ts'
