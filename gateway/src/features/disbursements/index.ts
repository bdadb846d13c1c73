export { unlockCodes } from './code-guard.ts'
export { disbursementFeature } from './feature.ts'
export { disbursementQuestions } from './ledger-questions.ts'
export { sealedTransfers } from './sealed.ts'
