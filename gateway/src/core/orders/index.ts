export type { Concluded, Conclusion, OrderResponse } from './conclude.ts'
export {
  type DecisionRow,
  decide,
  decisionsAbout,
  findDecidedOrder,
  isProposer,
  queryByOperator,
  type ReportedDetails,
  selectOpenDecisions,
  type Vote,
} from './decisions.ts'
export { orderErrors } from './errors.ts'
export { forgotten, isOrderOpen, ofOrder, orderCheck, type WithOrder, withOrder } from './ledger-checks.ts'
export {
  type NewOrder,
  ORDER_PURPOSES,
  type OrderPurpose,
  type OrderRow,
  orders,
  referenceOfAttempt,
  subjectsById,
} from './order.ts'
export { type Orders, type OrdersOf, type OrderWork, openOrders } from './orders.ts'
export {
  leaseIdleOrder,
  leaseOrder,
  type OrderMaker,
  placeOrders,
  release,
  releaseForCaller,
  unroutedOrders,
  withdraw,
} from './place.ts'
export {
  countOrders,
  countUnresolved,
  findAmongAll,
  findOpenOrder,
  findOrder,
  findPendingOrder,
  oldestUnknown,
  selectUnresolved,
  selectWatched,
  selectWithoutOutcome,
} from './repository.ts'
export { QUERIES_MAX, QUERY_AFTER_SECONDS } from './schedule.ts'
export { decidableSince, isDecidable, NOT_CARRIED_OUT, verdictsOn } from './verdicts.ts'
