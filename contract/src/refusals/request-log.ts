import { refusals } from '../refusal.ts'

/** How questions about noted requests are refused. */
export const requestLogRefusals = refusals({
  unknownRequest: {
    code: 'UNKNOWN_REQUEST',
    status: 404,
    text: 'Could not find specified request',
    cause: 'The merchant has no noted request with this id, or its days are over.',
  },
})
