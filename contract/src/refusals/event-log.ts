import { refusals } from '../refusal.ts'

/** How questions about events, and wishes to have them sent again, are refused. */
export const eventLogRefusals = refusals({
  unknownEvent: {
    code: 'UNKNOWN_EVENT',
    status: 404,
    text: 'Could not find specified event',
    cause: 'The merchant has no event with this id.',
  },
  tooMany: {
    code: 'TOO_MANY_EVENTS',
    status: 400,
    text: 'since is so long ago that more than {max} events would be sent again',
    cause: 'More events than can be sent again at once: name a later moment, or a status.',
  },
})
