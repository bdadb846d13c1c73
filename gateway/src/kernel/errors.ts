/** Statuses with which the API refuses. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 429 | 503

/** A refusal: part of the API, shown to the caller as it is. Thrown by services, turned into the envelope in one place. */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: RefusalStatus, message: string, code: string, headers: Readonly<Record<string, string>>) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

const CODE_DEFAULT = '99'

/** Declares a refusal once, with its status and text; call the result and throw what it gives. */
export const refusal =
  <Facts extends readonly unknown[]>(
    status: RefusalStatus,
    text: (...facts: Facts) => string,
    { code = CODE_DEFAULT, headers = {} }: { code?: string; headers?: Readonly<Record<string, string>> } = {},
  ) =>
  (...facts: Facts): Refusal => {
    const message = text(...facts)
    // A refusal is an answer, not a fault: nobody reads its stack, and taking one costs more than the rest of the reply.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    const refused = new Refusal(status, message, code, headers)
    Error.stackTraceLimit = limit
    return refused
  }

/** A promise of ours. If it does not hold, the request ends with 500 and the log has the reason. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${promise}`)
}
