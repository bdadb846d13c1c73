import { refusals } from '../refusal.ts'

/** How a request is refused before it is anybody's business: whatever the route, or where there is none. */
export const requestRefusals = refusals({
  malformedField: {
    code: 'MALFORMED_FIELD',
    status: 400,
    text: '{field} {rule}',
    cause: 'A field is missing or malformed. The message names it by its dotted path.',
    example: 'amount is required',
  },
  invalidJson: {
    code: 'INVALID_JSON',
    status: 400,
    text: 'The request body is not valid JSON',
    cause: 'The body is not JSON, or not UTF-8.',
  },
  malformedRequest: {
    code: 'MALFORMED_REQUEST',
    status: 400,
    text: '{reason}',
    cause:
      'The request is not valid HTTP, its address is not a valid URL or too long, or its body is not as long as it says.',
    example: 'The path is not a valid URL',
  },
  missingHost: {
    code: 'MISSING_HOST',
    status: 400,
    text: 'The Host header is missing',
    cause: 'HTTP/1.1 asks for the header Host.',
  },
  unknownHost: {
    code: 'UNKNOWN_HOST',
    status: 403,
    text: 'This sandbox does not answer to the name {host}: set KOBO_PUBLIC_URL to the address by which it is reached',
    cause:
      'The header Host of a request to a sandbox names neither this machine nor the host of KOBO_PUBLIC_URL: a page of another site may have led the browser here.',
  },
  unknownPath: {
    code: 'UNKNOWN_PATH',
    status: 404,
    text: 'There is nothing at {path}',
    cause: 'The API has no such path, or not in this environment.',
  },
  methodNotAllowed: {
    code: 'METHOD_NOT_ALLOWED',
    status: 405,
    text: 'Method not allowed here; allowed: {methods}',
    cause: 'The path takes other methods, which the header Allow names.',
  },
  tooSlow: {
    code: 'REQUEST_TIMEOUT',
    status: 408,
    text: 'The request took too long to arrive',
    cause: 'The request did not arrive within 30 seconds.',
  },
  bodyTooLarge: {
    code: 'BODY_TOO_LARGE',
    status: 413,
    text: 'The request body is larger than {bytes} bytes',
    cause: 'The body is larger than 64 kB, or 32 kB where the route asks for no token, or 8 MB where it is a batch.',
  },
  notJson: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    text: 'The request body must be application/json',
    cause: 'The header Content-Type names something other than JSON.',
  },
  headersTooLarge: {
    code: 'HEADERS_TOO_LARGE',
    status: 431,
    text: 'The request headers are too large',
    cause: 'The headers are larger than 16 kB.',
  },
  tooManyRequests: {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    text: 'Too many requests, please slow down',
    cause: 'The caller’s address asks too often. The header Retry-After says how many seconds to wait.',
  },
  busy: {
    code: 'BUSY',
    status: 503,
    text: 'The service is busy, please try again',
    cause:
      'Too many requests of this kind are waiting, or something else holds what this one needs for longer than a few seconds. Nothing was done.',
    retryAfterSeconds: 1,
  },
  notReady: {
    code: 'NOT_READY',
    status: 503,
    text: 'This node cannot answer at the moment, please try again',
    cause: 'The clock of the node that was reached is wrong, or it lost its place among the nodes. Nothing was done.',
    retryAfterSeconds: 5,
  },
  databaseAway: {
    code: 'DATABASE_AWAY',
    status: 503,
    text: 'The database is away for the moment, please try again',
    cause:
      'The database cannot be reached, or takes no writes: another server is taking its place. This step was not carried out; of a request that has several, those before it may have been. The same request with the same Idempotency-Key, or the same reference, is carried out once.',
    retryAfterSeconds: 1,
  },
  outcomeUnknown: {
    code: 'OUTCOME_UNKNOWN',
    status: 503,
    text: 'Nobody knows whether this was carried out: ask for it by its reference, or send it again with the same Idempotency-Key',
    cause:
      'The database was lost while it committed, and cannot be asked for the moment. The same request with the same Idempotency-Key, or the same reference, is carried out once.',
    retryAfterSeconds: 1,
  },
  tooManyListeners: {
    code: 'TOO_MANY_LISTENERS',
    status: 503,
    text: 'Too many are listening, please ask again later',
    cause: 'Too many streams of events are open.',
    retryAfterSeconds: 5,
  },
  internalError: {
    code: 'INTERNAL_ERROR',
    status: 500,
    text: 'Something went wrong on our side',
    cause: 'The fault is ours. Quote the x-request-id of the answer.',
  },
})

/** How a repeated request is refused. */
export const idempotencyRefusals = refusals({
  malformedKey: {
    code: 'MALFORMED_IDEMPOTENCY_KEY',
    status: 400,
    text: 'Idempotency-Key must be 1 to {length} characters',
    cause: 'The header Idempotency-Key is empty, too long, or sent twice.',
  },
  anotherBody: {
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 422,
    text: 'This Idempotency-Key was used with another request body',
    cause: 'The Idempotency-Key was used with another body within the last 24 hours.',
  },
  stillUnderWay: {
    code: 'REQUEST_UNDER_WAY',
    status: 503,
    text: 'The first request with this Idempotency-Key is still under way',
    cause: 'The first request with this Idempotency-Key has no answer yet.',
    retryAfterSeconds: 1,
  },
})
