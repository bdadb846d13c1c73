import { refusals } from '../refusal.ts'

/** Errors of additional webhook endpoints. */
export const endpointRefusals = refusals({
  unknownEndpoint: {
    code: 'UNKNOWN_WEBHOOK_ENDPOINT',
    status: 404,
    text: 'Could not find specified webhook endpoint',
    cause: 'The merchant has no additional webhook endpoint with this ID.',
  },
  tooManyEndpoints: {
    code: 'TOO_MANY_WEBHOOK_ENDPOINTS',
    status: 422,
    text: 'You already have {count} webhook endpoints: remove one first',
    cause: 'The merchant has as many additional webhook endpoints as it may have.',
  },
})
