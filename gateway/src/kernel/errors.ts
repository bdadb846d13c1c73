/** An error as the contract or a page declares it. */
export interface RefusalDeclaration {
  readonly code: string
  readonly status: number
  readonly responseCode: string
  /** The message. Values replace its placeholders in braces: `Could not find bank {bankCode}`. */
  readonly text: string
  readonly retryAfterSeconds?: number
}

/** One value per placeholder of a text, in order. */
export type Facts<Text extends string> = Text extends `${string}{${string}}${infer Rest}`
  ? readonly [fact: string | number, ...Facts<Rest>]
  : readonly []

/**
 * An error of the API, shown to the caller unchanged. Services throw it, and one function turns it into the response.
 */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly responseCode: string
  readonly headers: Readonly<Record<string, string>>

  constructor({ code, status, responseCode, message, headers }: RefusalParts) {
    super(message)
    this.code = code
    this.status = status
    this.responseCode = responseCode
    this.headers = headers
  }
}

type RefusalParts = Pick<Refusal, 'code' | 'status' | 'responseCode' | 'message' | 'headers'>

/** Creates an error from a declaration; call the result with the values of its placeholders. */
export const refusal =
  <const D extends RefusalDeclaration>(declared: D) =>
  (...facts: Facts<D['text']>): Refusal => {
    const { code, status, responseCode, text, retryAfterSeconds } = declared
    const given: readonly (string | number)[] = facts
    let nth = 0
    return made({
      code,
      status,
      responseCode,
      message: text.replace(/\{\w+\}/g, () => String(given[nth++])),
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    })
  }

/** Creates errors from many declarations, by name. */
export const refusals = <const D extends Readonly<Record<string, RefusalDeclaration>>>(declared: D) =>
  Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, refusal(one)])) as {
    readonly [Name in keyof D]: (...facts: Facts<D[Name]['text']>) => Refusal
  }

/** Returns a promise's result, or undefined if it was rejected with an API error of status 404. */
export const ifKnown = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  })

/** Copies an error with another status, message or headers. */
export const changed = (
  { code, status, responseCode, message, headers }: Refusal,
  changes: Partial<Pick<Refusal, 'status' | 'message' | 'headers'>>,
): Refusal => made({ code, status, responseCode, message, headers, ...changes })

/** Creates an API error without a stack: no one reads it, and capturing a stack costs more than the whole response. */
function made(parts: RefusalParts): Refusal {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new Refusal(parts)
  Error.stackTraceLimit = limit
  return error
}

/** Checks an internal assumption. If it does not hold, the response is 500 and the log has the reason. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${promise}`)
}
