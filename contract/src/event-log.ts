import Type, { type TSchema } from 'typebox'
import { EVENT_KINDS, EVENTS } from './events.ts'
import { nullable, optional, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal, personalJson } from './personal-data.ts'
import { endpointRefusals, eventLogRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const EVENT_STATUSES = ['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

/** The type of a test event. It is no part of EVENTS, because nothing has happened. */
export const TEST_EVENT = 'TEST_EVENT'

const TestEventData = Type.Object({
  message: Type.String(),
  kind: Type.String(),
  reference: Type.String(),
  createdOn: Type.String(),
})

const BODY_SCHEMAS: ReadonlyMap<unknown, TSchema> = new Map([
  ...Object.entries(EVENTS).map(([eventType, { data: eventData, ...event }]): [string, TSchema] => [
    eventType,
    Type.Object({ eventData, ...('metaData' in event ? { metaData: event.metaData } : {}) }),
  ]),
  [TEST_EVENT, Type.Object({ eventData: TestEventData })],
])
const bodySchema = (body: unknown): TSchema | undefined =>
  BODY_SCHEMAS.get((body as { readonly eventType?: unknown } | null)?.eventType)

export const EventRecord = Type.Object({
  id: Type.String(),
  eventType: Type.String(),
  reference: Type.String(),
  status: words(EVENT_STATUSES),
  url: nullable(
    Type.String({ description: 'URL of the last attempt or, before the first, of the next; null if no URL is set' }),
  ),
  createdOn: Type.String(),
  nextAttemptOn: nullable(Type.String()),
  endpoints: Type.Array(
    Type.Object({
      endpointId: Type.String(),
      url: Type.String(),
      status: words(EVENT_STATUSES),
      nextAttemptOn: nullable(Type.String()),
    }),
    { description: 'deliveries to additional webhook endpoints; the other fields are about the URLs of your settings' },
  ),
  body: personalJson(Type.String({ description: 'exact request body' }), bodySchema),
  attempts: Type.Array(
    Type.Object({
      at: Type.String(),
      url: Type.String({ description: 'URL of this attempt' }),
      status: nullable(Type.Integer()),
      bodyExcerpt: nullable(personal(Type.String())),
      milliseconds: Type.Integer(),
      error: nullable(Type.String()),
      resent: Type.Boolean(),
      endpointId: nullable(
        Type.String({ description: 'ID of the additional webhook endpoint; null for a URL of your settings' }),
      ),
    }),
  ),
})

export const EventId = Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric event ID' })
/** Selects the deliveries to one additional webhook endpoint. */
const ofEndpoint = {
  ...EventId,
  description: 'ID of an additional webhook endpoint; without it, the request is about the URLs in your settings',
}
export const Since = Type.Unsafe<number | string>({ type: ['number', 'string'], 'x-moment': true })

export const LOG_SIZE_DEFAULT = 20
export const LOG_SIZE_MAX = 100

/** A page of a log, newest first, with a cursor for older entries. */
export const LogQuery = {
  before: Type.Optional(
    Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric ID', description: '`next` of the previous page' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: LOG_SIZE_DEFAULT })),
}
export const Next = nullable(Type.String({ description: 'value of `before` for the next page; null on the last page' }))

export const listMerchantEvents = route({
  method: 'GET',
  path: '/api/v1/merchant/events',
  summary: 'List your events with every attempt, newest first',
  description: `Returns at most ${LOG_SIZE_MAX} events; pass \`before\` to get older ones. Event bodies are kept for some months.`,
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  query: Type.Object({
    ...LogQuery,
    eventType: Type.Optional(Type.String({ maxLength: 64 })),
    reference: Type.Optional(Type.String({ maxLength: 128, description: 'any reference of the event' })),
    status: Type.Optional(words(EVENT_STATUSES, 'only events with this delivery status')),
    endpointId: Type.Optional(
      Type.Unsafe<string>({
        ...EventId,
        description: 'only deliveries to this additional webhook endpoint, with their status and attempts',
      }),
    ),
  }),
  reply: Type.Object({ content: Type.Array(EventRecord), next: Next }),
  refusals: [endpointRefusals.unknownEndpoint],
})

export const getMerchantEvent = route({
  method: 'GET',
  path: '/api/v1/merchant/events/:id',
  summary: 'Get one of your events with every attempt',
  permission: NO_PERMISSION.ownData,
  person: 'developer.read',
  params: Type.Object({ id: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent],
})

export const resendMerchantEvent = route({
  method: 'POST',
  path: '/api/v1/merchant/events/:id/resend',
  summary: 'Resend an event',
  description: 'Sends the same bytes with the same `webhook-id`, and restarts the retry schedule.',
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  params: Type.Object({ id: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent],
})

export const resendMerchantEventTo = route({
  method: 'POST',
  path: '/api/v1/merchant/events/:id/resend/:endpointId',
  summary: 'Resend an event to an additional webhook endpoint',
  description:
    'Sends the same bytes with the same `webhook-id` to this endpoint only, and restarts its retry schedule.',
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  params: Type.Object({ id: EventId, endpointId: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent, endpointRefusals.unknownEndpoint],
})

export const sendTestEvent = route({
  method: 'POST',
  path: '/api/v1/merchant/events/test',
  summary: 'Send a test event to a webhook URL',
  description: `Sends an event of type \`${TEST_EVENT}\` to the URL that receives events of this kind, signed, logged and retried like any other. Nothing else happens. Your server should return 200 and ignore it.`,
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  body: Type.Object({
    kind: optional(words(EVENT_KINDS, 'collection, by default')),
    endpointId: optional(Type.Unsafe<string>(ofEndpoint)),
  }),
  reply: EventRecord,
  refusals: [eventLogRefusals.noWebhookUrl, endpointRefusals.unknownEndpoint],
})

export const resendMerchantEvents = route({
  method: 'POST',
  path: '/api/v1/merchant/events/resend',
  summary: 'Resend all events since a given time',
  description: 'Optionally only those with one status, such as `GIVEN_UP` after your server was down for days.',
  permission: NO_PERMISSION.ownData,
  person: 'developer.manage',
  body: Type.Object({
    since: Since,
    status: optional(words(EVENT_STATUSES, 'only events with this delivery status')),
    endpointId: optional(Type.Unsafe<string>(ofEndpoint)),
  }),
  reply: Type.Object({ count: Type.Integer() }),
  refusals: [eventLogRefusals.tooMany, endpointRefusals.unknownEndpoint],
})

export const eventLog = group({
  title: 'Event log',
  text: 'Your events, every delivery attempt and its response, and how to resend events. A Kobo extension; Monnify’s API has no such paths.',
  routes: {
    listMerchantEvents,
    getMerchantEvent,
    resendMerchantEvent,
    resendMerchantEventTo,
    resendMerchantEvents,
    sendTestEvent,
  },
  refusals: eventLogRefusals,
})
