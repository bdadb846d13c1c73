import { refusals } from '../refusal.ts'

export const requestLogRefusals = refusals({
  unknownRequest: {
    code: 'UNKNOWN_REQUEST',
    status: 404,
    text: 'Could not find specified request',
    cause: 'The merchant has no logged request with this ID, or it is past its retention period.',
  },
})
