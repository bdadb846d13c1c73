export { refundFeature } from './feature.ts'
export { refundQuestions } from './ledger-questions.ts'
export { refundTraces } from './person-repository.ts'
