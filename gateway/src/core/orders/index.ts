export { forgotten, isOrderOpen, orderQuestions, type WithOrder, withOrder } from './ledger-questions.ts'
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
  newOrder,
  type OrderDefinition,
  type Orders,
  type OrdersOf,
  type OrderWork,
  openOrders,
  placeOrders,
  release,
  releaseForCaller,
  takeOrder,
  withdraw,
} from './orders.ts'
export { askAgain, countOrders, findOrder, selectUnresolved } from './repository.ts'
export { ASK_AFTER_SECONDS, QUESTIONS_MAX } from './schedule.ts'
