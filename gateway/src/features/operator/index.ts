export { operatorFeature } from './feature.ts'
export { approveSamePayout, type RequestedPayout, requestPayout } from './final-payout.ts'
