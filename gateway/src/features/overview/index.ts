export { overviewFeature } from './feature.ts'
export { overviewQuestions } from './ledger-questions.ts'
export { masked } from './masking.ts'
export { forgetSums } from './repository.ts'
