export { refundFeature } from './feature.ts'
export { refundQuestions } from './ledger-questions.ts'
export { refundBeganInPast, refundEndedInPast, writePastRefunds } from './past.ts'
export { refundTraces } from './person-repository.ts'
