export { openSecondPerson } from './actions.ts'
export { approvalFeature } from './feature.ts'
export {
  type Facts,
  openPayouts,
  type Payout,
  type PayoutDefinition,
  type PayoutKey,
  type Payouts,
  WAITING,
} from './payouts.ts'
export { type ApprovalGate, AUTHORIZE_SECONDS_MAX, approvalGate, type Gate, gateOf, type Maker } from './policy.ts'
export { countWaiting, endRequests, findRequest, insertRequests, type RequestRow } from './repository.ts'
export { requestFor } from './request.ts'
export { rejectedBy } from './service.ts'
