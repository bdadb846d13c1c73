import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Names under which a secret may come along. What stands there is never written, at any depth that we log. */
const SECRET_NAMES = [
  'authorization',
  'secret',
  'secretKey',
  'accessToken',
  'token',
  'password',
  'pan',
  'number',
  'cvv',
  'pin',
  'otp',
  'authorizationCode',
  'paycode',
  'bvn',
  'nin',
]

/** Structured logs: one JSON line each, on standard output unless told otherwise. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    serializers: { error: describeError },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** An error without what the database says of the row, which may hold a customer's data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack }
}
