// Webhook handling without the API client, for small edge functions.
export type { EventType, KoboEvent } from './api.ts'
export { type HeaderSource, InvalidSignature, type VerifyOptions, verifyEvent } from './verify-event.ts'
export {
  type EventHandler,
  expressEvents,
  fastifyEvents,
  fetchEvents,
  honoEvents,
  nextEvents,
} from './webhook-handlers.ts'
