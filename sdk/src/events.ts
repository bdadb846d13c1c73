// Receiving events without the calls: for a function at the edge that does nothing else.
export type { EventType, KoboEvent } from './api.ts'
export {
  type EventHandler,
  expressEvents,
  fastifyEvents,
  fetchEvents,
  honoEvents,
  nextEvents,
} from './receivers.ts'
export { type HeaderSource, NotGenuine, type VerifyOptions, verifyEvent } from './verify-event.ts'
