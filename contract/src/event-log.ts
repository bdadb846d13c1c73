import Type from 'typebox'
import { nullable, optional, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { eventLogRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

export const EVENT_STATUSES = ['PENDING', 'DELIVERED', 'GIVEN_UP', 'NOT_SENT'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

export const EventRecord = Type.Object({
  id: Type.String(),
  eventType: Type.String(),
  reference: Type.String(),
  status: words(EVENT_STATUSES),
  url: nullable(
    Type.String({ description: 'where the last attempt went; before the first, where it will go; null where nowhere' }),
  ),
  createdOn: Type.String(),
  nextAttemptOn: nullable(Type.String()),
  body: Type.String({ description: 'the text as sent' }),
  attempts: Type.Array(
    Type.Object({
      at: Type.String(),
      url: Type.String({ description: 'where this attempt went' }),
      status: nullable(Type.Integer()),
      bodyExcerpt: nullable(Type.String()),
      milliseconds: Type.Integer(),
      error: nullable(Type.String()),
      resent: Type.Boolean(),
    }),
  ),
})

export const EventId = Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'an event id' })
export const Since = Type.Unsafe<number | string>({ type: ['number', 'string'], 'x-moment': true })

export const LOG_SIZE_DEFAULT = 20
export const LOG_SIZE_MAX = 100

/** A page of a log: newest first, and what to ask with for the older ones. */
export const LogQuery = {
  before: Type.Optional(
    Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'an id', description: '`next` of the page before' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: LOG_SIZE_DEFAULT })),
}
export const Next = nullable(
  Type.String({ description: 'to be sent as `before` for what is older; null where there is nothing' }),
)

export const listMerchantEvents = route({
  method: 'GET',
  path: '/api/v1/merchant/events',
  summary: 'Your events with every attempt, newest first',
  description: `At most ${LOG_SIZE_MAX} at once; ask again with \`before\` for older ones. The texts of events are kept for some months.`,
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.read',
  query: Type.Object({
    ...LogQuery,
    eventType: Type.Optional(Type.String({ maxLength: 64 })),
    reference: Type.Optional(Type.String({ maxLength: 128, description: 'any reference of the event' })),
    status: Type.Optional(words(EVENT_STATUSES)),
  }),
  reply: Type.Object({ content: Type.Array(EventRecord), next: Next }),
})

export const getMerchantEvent = route({
  method: 'GET',
  path: '/api/v1/merchant/events/:id',
  summary: 'One of your events with every attempt',
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.read',
  params: Type.Object({ id: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent],
})

export const resendMerchantEvent = route({
  method: 'POST',
  path: '/api/v1/merchant/events/:id/resend',
  summary: 'Have an event sent again',
  description: 'The same bytes under the same `webhook-id`, from the start of the schedule.',
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.manage',
  params: Type.Object({ id: EventId }),
  reply: EventRecord,
  refusals: [eventLogRefusals.unknownEvent],
})

export const resendMerchantEvents = route({
  method: 'POST',
  path: '/api/v1/merchant/events/resend',
  summary: 'Have all events since a moment sent again',
  description: 'Those with one status where it is named: `GIVEN_UP` after your server was down for days.',
  permission: NO_PERMISSION.ownBooks,
  person: 'developer.manage',
  body: Type.Object({ since: Since, status: optional(words(EVENT_STATUSES)) }),
  reply: Type.Object({ count: Type.Integer() }),
  refusals: [eventLogRefusals.tooMany],
})

export const eventLog = group({
  title: 'Event log',
  text: 'What we told your server, what it answered, and how to have it told again. Of ours: the interface has no such paths.',
  routes: { listMerchantEvents, getMerchantEvent, resendMerchantEvent, resendMerchantEvents },
  refusals: eventLogRefusals,
})
