import { refusals } from '../refusal.ts'

/** Errors of the event log and of resending events. */
export const eventLogRefusals = refusals({
  unknownEvent: {
    code: 'UNKNOWN_EVENT',
    status: 404,
    text: 'Could not find specified event',
    cause: 'The merchant has no event with this ID.',
  },
  noWebhookUrl: {
    code: 'NO_WEBHOOK_URL',
    status: 422,
    text: 'No webhook URL receives {kind} events: set one first',
    cause: 'The merchant has neither a URL for this kind of event nor one for all events.',
    example: 'No webhook URL receives collection events: set one first',
  },
  tooMany: {
    code: 'TOO_MANY_EVENTS',
    status: 400,
    text: 'since would resend more than {max} events: use a later time or filter by status',
    cause: 'Too many events match to resend them at once.',
  },
})
