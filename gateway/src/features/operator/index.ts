export type { CommandKind } from './change-kinds.ts'
export { requestOrApprove } from './changes.ts'
export { proposeDispute, proposeDisputeEnd } from './disputes.ts'
export { operatorFeature } from './feature.ts'
export { proposePayout } from './final-payout.ts'
export {
  needsTwoOperators,
  proposeConflictDecision,
  proposePrice,
  proposeReturn,
  proposeSettings,
} from './proposals.ts'
export type { Proposal } from './request-change.ts'
