export {
  askByPerson,
  type DecisionRow,
  decide,
  decisionsAbout,
  findDecidedOrder,
  isSamePerson,
  selectOpenDecisions,
  type Told,
  type Word,
} from './decision.ts'
export { orderErrors } from './errors.ts'
export { forgotten, isOrderOpen, ofOrder, orderQuestions, type WithOrder, withOrder } from './ledger-questions.ts'
export {
  type NewOrder,
  ORDER_PURPOSES,
  type OrderKey,
  type OrderPurpose,
  type OrderRow,
  type OrderState,
  orders,
} from './order.ts'
export {
  type Answered,
  type Concluded,
  type Conclusion,
  type OrderDefinition,
  type Orders,
  type OrdersOf,
  type OrderWork,
  openOrders,
} from './orders.ts'
export {
  type OrderMaker,
  placeOrders,
  release,
  releaseForCaller,
  takeIdleOrder,
  takeOrder,
  unroutedOrders,
  withdraw,
} from './place.ts'
export {
  countOrders,
  countUnresolved,
  findAmongAll,
  findOpenOrder,
  findOrder,
  oldestUnknown,
  selectUnresolved,
} from './repository.ts'
export { ASK_AFTER_SECONDS, QUESTIONS_MAX } from './schedule.ts'
export { NOT_CARRIED_OUT, type OfferedVerdict, verdictsOn } from './verdicts.ts'
