import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Field names that may hold a secret. They are never logged, at any depth we log. */
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

/** Structured logs: one JSON line each, on standard output by default. */
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

/** An error without the database's row details, which may contain personal data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack }
}
