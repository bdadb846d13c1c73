export { dropBodies, type EventBody, replaceBodies, selectBodies } from './bodies.ts'
export { type Delivery, openDelivery } from './delivery.ts'
export { emit, type OutgoingEvent } from './emit.ts'
export { countUndelivered, oldestInLine } from './line-repository.ts'
export {
  countAgain,
  countEvents,
  countGivenUp,
  type EventFilter,
  type EventRow,
  eventList,
  requeueEvent,
  requeueEvents,
  selectAttempts,
  selectEvents,
  selectEventsAfter,
  selectEventsBefore,
  selectToldOf,
  type ToldEvent,
} from './log-repository.ts'
export { type PastDelivery, type PastEvent, tellPast } from './past.ts'
export {
  type AttemptRow,
  forgetAttempts,
  nextEventDue,
  type StoredEvent,
  selectEndpoints,
  selectPausedReceivers,
  selectPlainReceivers,
  selectUndelivered,
  setEndpoint,
} from './repository.ts'
export { serviceSignature, signatureHeaders } from './signature.ts'
export { outboxSweeps } from './sweeps.ts'
