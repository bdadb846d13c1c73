export { overviewFeature } from './feature.ts'
export { overviewQuestions } from './ledger-questions.ts'
export { forgetSums } from './repository.ts'
