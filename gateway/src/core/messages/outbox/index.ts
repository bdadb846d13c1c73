export {
  countRequeueableDeliveries,
  requeueDeliveries,
  requeueDelivery,
  type ShownDelivery,
  selectBacklog,
  selectDeliveries,
  selectDeliveriesBefore,
  selectEndpointAttempts,
} from './additional-log.ts'
export { additionalQueue, deleteDeliveries } from './additional-repository.ts'
export { dropBodies, replaceBodies, selectBodies } from './bodies.ts'
export { openDeliveries } from './deliveries.ts'
export { emit, emitTest, emitTestTo, type OutgoingEvent } from './emit.ts'
export { healthOf } from './health.ts'
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
  type StoredEvent,
  selectEndpoints,
  selectPausedEndpoints,
  selectPlainEndpoints,
  selectUndelivered,
  setEndpoint,
} from './repository.ts'
export { serviceSignature, signatureHeaders } from './signature.ts'
export { outboxSweeps } from './sweeps.ts'
