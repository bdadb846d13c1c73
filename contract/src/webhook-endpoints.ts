import Type from 'typebox'
import { OVERLAP_HOURS_MAX } from './dashboard/keys.ts'
import { NoBody } from './envelope.ts'
import { EventId } from './event-log.ts'
import { EVENTS, type EventType } from './events.ts'
import { nullable, optional, Url, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { endpointRefusals, settingRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

/** The maximum number of a merchant's additional endpoints. */
export const WEBHOOK_ENDPOINTS_MAX = 10
const DESCRIPTION_LENGTH_MAX = 120

const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[] as readonly [EventType, ...EventType[]]

const EventTypes = Type.Array(words(EVENT_TYPES), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  examples: [['SUCCESSFUL_TRANSACTION']],
})
const Description = Type.String({ maxLength: DESCRIPTION_LENGTH_MAX, examples: ['Accounting'] })
const SecretKey = Type.String({ description: 'key that signs this endpoint’s events; shown only here' })
const Moment = Type.String({ examples: ['2026-03-01T09:30:00.000Z'] })

export const WebhookEndpoint = Type.Object({
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  eventTypes: nullable(Type.Array(Type.String(), { description: 'types of events that it receives; null for all' })),
  isPaused: Type.Boolean(),
  pausedOn: nullable(Moment),
  createdOn: Moment,
  oldSecretValidUntil: nullable(
    Type.String({
      description: 'end of the time in which Kobo also signs with the replaced secret key; null if there is none',
    }),
  ),
  lastDeliveredOn: nullable(Type.String({ description: 'last delivery, to the minute' })),
  waiting: Type.Integer({ description: 'undelivered events, counted up to 10000' }),
  oldestWaitingOn: nullable(Type.String({ description: 'creation of the oldest undelivered event' })),
  attemptCount: Type.Integer({ description: 'delivery attempts for the newest 100 events' }),
  deliveredCount: Type.Integer({ description: 'how many of these attempts were successful' }),
  medianMilliseconds: nullable(Type.Integer({ description: 'median time to a response' })),
  failures: Type.Array(
    Type.Object({
      eventId: Type.String(),
      at: Moment,
      status: nullable(Type.Integer()),
      error: nullable(Type.String()),
      milliseconds: Type.Integer(),
    }),
    { description: 'last failed attempts, newest first' },
  ),
})

const CHANGES = { permission: 'settings', person: 'developer.manage', fresh: true } as const
const BY_ID = { params: Type.Object({ id: EventId }) }

export const listWebhookEndpoints = route({
  method: 'GET',
  path: '/api/v1/merchant/webhook-endpoints',
  summary: 'List your additional webhook endpoints with their health, oldest first',
  description: 'The webhook URLs of your settings are not listed.',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  reply: Type.Array(WebhookEndpoint),
})

export const createWebhookEndpoint = route({
  ...CHANGES,
  method: 'POST',
  path: '/api/v1/merchant/webhook-endpoints',
  summary: 'Add a webhook endpoint with its own secret key, which is shown only once',
  description: `It receives events created from now on, in addition to the webhook URLs of your settings. You may have ${WEBHOOK_ENDPOINTS_MAX}. You get an email.`,
  body: Type.Object({ url: Url, description: optional(Description), eventTypes: optional(EventTypes) }),
  reply: Type.Object({ secretKey: SecretKey, endpoint: WebhookEndpoint }),
  refusals: [settingRefusals.notAllowed, endpointRefusals.tooManyEndpoints],
})

export const changeWebhookEndpoint = route({
  ...CHANGES,
  ...BY_ID,
  method: 'PUT',
  path: '/api/v1/merchant/webhook-endpoints/:id',
  summary: 'Update, pause or resume an additional webhook endpoint',
  description:
    'Fields that you leave out stay unchanged; `eventTypes` null means all types. Events of a paused endpoint wait until you resume it. You get an email.',
  body: Type.Object(
    {
      url: Type.Optional(Url),
      description: Type.Optional(Description),
      eventTypes: optional(EventTypes),
      isPaused: Type.Optional(Type.Boolean()),
    },
    { 'x-not-lenient': true },
  ),
  reply: WebhookEndpoint,
  refusals: [settingRefusals.notAllowed, endpointRefusals.unknownEndpoint],
})

export const rotateWebhookSecret = route({
  ...CHANGES,
  ...BY_ID,
  method: 'POST',
  path: '/api/v1/merchant/webhook-endpoints/:id/secret',
  summary: 'Replace an additional webhook endpoint’s secret key, shown only once',
  description:
    'During `overlapHours`, Kobo signs with both keys: `webhook-signature` has a signature by each, and `service-signature` has the one by the old key. You get an email.',
  body: Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX, examples: [24] }) }),
  reply: Type.Object({ secretKey: SecretKey, oldValidUntil: Moment }),
  refusals: [endpointRefusals.unknownEndpoint],
})

export const removeWebhookEndpoint = route({
  ...CHANGES,
  ...BY_ID,
  method: 'DELETE',
  path: '/api/v1/merchant/webhook-endpoints/:id',
  summary: 'Remove an additional webhook endpoint',
  description: 'It receives no more events, not even those that already wait. You get an email.',
  reply: NoBody,
  refusals: [endpointRefusals.unknownEndpoint],
})

export const webhookEndpoints = group({
  title: 'Webhook endpoints',
  text: 'Webhook endpoints in addition to the URLs of your settings, each with its own event types, secret key and pause. A Kobo extension; Monnify’s API has no such paths.',
  routes: {
    listWebhookEndpoints,
    createWebhookEndpoint,
    changeWebhookEndpoint,
    rotateWebhookSecret,
    removeWebhookEndpoint,
  },
  refusals: endpointRefusals,
})
