import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { wallClock } from '../../kernel/clock.ts'

export type Log = Logger

/** Field names that may hold a secret. Their values are never logged. */
const SECRET_NAMES = [
  'authorization',
  'secret',
  'secretKey',
  'clientSecret',
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
  return pino(options, destination ?? { write: printLine })
}

const STANDARD_OUTPUT = 1
/** How often a write to a full pipe is retried, and how long to wait in between. */
const ATTEMPTS_MAX = 10
const RETRY_MILLISECONDS = 10
const timer = new Int32Array(new SharedArrayBuffer(4))
/** The number of lines that could not be written since the last successful one. */
let dropped = 0

/**
 * Writes text to standard output. If the disk is full or the reader is stuck, the text is dropped and counted, so that
 * payments continue without a log.
 */
export function printLine(text: string): void {
  try {
    if (dropped > 0) writeAll(`\n${droppedLine()}\n`)
    dropped = 0
    writeAll(text)
  } catch {
    dropped++
  }
}

const droppedLine = (): string =>
  JSON.stringify({
    level: 'warn',
    time: wallClock.now(),
    dropped,
    msg: 'log lines dropped; standard output was not writable',
  })

function writeAll(text: string): void {
  let rest: Buffer = Buffer.from(text)
  for (let attempt = 1; rest.length > 0; )
    try {
      rest = rest.subarray(writeSync(STANDARD_OUTPUT, rest))
    } catch (error) {
      // After a dropped line, later lines do not wait for the pipe.
      const mayWait = (error as NodeJS.ErrnoException).code === 'EAGAIN' && dropped === 0
      if (!mayWait || attempt++ >= ATTEMPTS_MAX) throw error
      Atomics.wait(timer, 0, 0, RETRY_MILLISECONDS)
    }
}

/** Describes an error without the database's row details, which may contain personal data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack }
}
