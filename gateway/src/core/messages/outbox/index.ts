export { dropBodies, type EventBody, replaceBodies, selectBodies } from './bodies.ts'
export { type Delivery, openDelivery } from './delivery.ts'
export { emit, emitTest, type OutgoingEvent } from './emit.ts'
export { type HistoryDelivery, type HistoryEvent, writeEventHistory } from './history.ts'
export {
  countAttempts,
  countEvents,
  countGivenUp,
  countRequeueable,
  type EventFilter,
  type EventRow,
  eventList,
  requeueEvent,
  requeueEvents,
  type SentEvent,
  selectAttempts,
  selectEvents,
  selectEventsAfter,
  selectEventsBefore,
  selectNewestAttempts,
  selectSentEvents,
} from './log-repository.ts'
export { countUndelivered, oldestQueued } from './queue-repository.ts'
export {
  type AttemptRow,
  deleteAttempts,
  nextEventDue,
  type StoredEvent,
  selectEndpoints,
  selectPausedEndpoints,
  selectPlainEndpoints,
  selectUndelivered,
  setEndpoint,
} from './repository.ts'
export { serviceSignature, signatureHeaders } from './signature.ts'
export { outboxSweeps } from './sweeps.ts'
