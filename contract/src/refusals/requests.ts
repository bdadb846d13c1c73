import { refusals } from '../refusal.ts'

/** Errors that any request can get, before or outside its route. */
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
    cause: 'The body is not valid JSON, or not UTF-8.',
  },
  malformedRequest: {
    code: 'MALFORMED_REQUEST',
    status: 400,
    text: '{reason}',
    cause:
      'The request is not valid HTTP, its URL is invalid or too long, or its body does not match its Content-Length.',
    example: 'The path is not a valid URL',
  },
  missingHost: {
    code: 'MISSING_HOST',
    status: 400,
    text: 'The Host header is missing',
    cause: 'HTTP/1.1 requires a Host header.',
  },
  unknownHost: {
    code: 'UNKNOWN_HOST',
    status: 403,
    text: 'This sandbox is not reachable as {host}: set KOBO_PUBLIC_URL to the URL you call it by',
    cause:
      'The Host header of a sandbox request is neither this machine nor the host of KOBO_PUBLIC_URL. This protects against DNS rebinding.',
  },
  unknownPath: {
    code: 'UNKNOWN_PATH',
    status: 404,
    text: 'Unknown path {path}',
    cause: 'The API has no such path, or not in this environment.',
  },
  methodNotAllowed: {
    code: 'METHOD_NOT_ALLOWED',
    status: 405,
    text: 'Method not allowed for this path: use {methods}, or check the spelling of the path',
    cause: 'The path supports other methods. The Allow header lists them.',
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
    text: 'The request body must be at most {bytes} bytes',
    cause: 'The limit is 64 kB, 32 kB for routes without a token, 2 MB for files, and 8 MB for batches.',
  },
  notJson: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    text: 'The Content-Type must be application/json',
    cause: 'The Content-Type header is not JSON.',
  },
  headersTooLarge: {
    code: 'HEADERS_TOO_LARGE',
    status: 431,
    text: 'The request headers are too large: send at most 16 kB',
    cause: 'The headers are larger than 16 kB.',
  },
  tooManyRequests: {
    code: 'TOO_MANY_REQUESTS',
    status: 429,
    text: 'Too many requests: wait before you retry',
    cause: 'Too many requests from this IP address. The Retry-After header gives the seconds to wait.',
  },
  busy: {
    code: 'BUSY',
    status: 503,
    text: 'The service is busy: retry the request',
    cause: 'Too many requests of this kind are queued, or a lock was held for several seconds. Nothing was done.',
    retryAfterSeconds: 1,
  },
  notReady: {
    code: 'NOT_READY',
    status: 503,
    text: 'This node is not ready: retry the request',
    cause: 'The node’s clock is wrong, or its node number has expired. Nothing was done.',
    retryAfterSeconds: 5,
  },
  databaseAway: {
    code: 'DATABASE_AWAY',
    status: 503,
    text: 'The database is unavailable for a moment: retry the request',
    cause:
      'The database is unreachable or read-only, usually during a failover. This step was not executed, but earlier steps of the same request may have been. A retry with the same Idempotency-Key or reference takes effect once.',
    retryAfterSeconds: 1,
  },
  outcomeUnknown: {
    code: 'OUTCOME_UNKNOWN',
    status: 503,
    text: 'The outcome of this request is unknown: query it by its reference, or retry with the same Idempotency-Key',
    cause:
      'The connection to the database was lost during the commit. A retry with the same Idempotency-Key or reference takes effect once.',
    retryAfterSeconds: 1,
  },
  tooManyListeners: {
    code: 'TOO_MANY_LISTENERS',
    status: 503,
    text: 'Too many live connections are open: try again later',
    cause: 'The limit of open event streams is reached.',
    retryAfterSeconds: 5,
  },
  internalError: {
    code: 'INTERNAL_ERROR',
    status: 500,
    text: 'Something went wrong on our side',
    cause: 'An internal error. Quote the response’s x-request-id to the operator.',
  },
})

/** Errors of retried requests. */
export const idempotencyRefusals = refusals({
  malformedKey: {
    code: 'MALFORMED_IDEMPOTENCY_KEY',
    status: 400,
    text: 'Idempotency-Key must be 1 to {length} characters',
    cause: 'The Idempotency-Key header is empty, too long, or sent twice.',
  },
  anotherBody: {
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 422,
    text: 'This Idempotency-Key was already used with another request body',
    cause: 'The Idempotency-Key was used with another body within the last 24 hours.',
  },
  stillUnderWay: {
    code: 'REQUEST_UNDER_WAY',
    status: 503,
    text: 'The first request with this Idempotency-Key is still in progress',
    cause: 'The first request with this Idempotency-Key has no response yet.',
    retryAfterSeconds: 1,
  },
})
