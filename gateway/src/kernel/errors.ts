/** A refusal as it is declared: by the contract, unless it is one that only people see, on a page. */
export interface RefusalDeclaration {
  readonly code: string
  readonly status: number
  readonly responseCode: string
  /** What stands in braces is filled in: `Could not find bank {bankCode}`. */
  readonly text: string
  readonly retryAfterSeconds?: number
}

/** What a refusal's text wants to be told, in the order in which it stands there. */
export type Facts<Text extends string> = Text extends `${string}{${string}}${infer Rest}`
  ? readonly [fact: string | number, ...Facts<Rest>]
  : readonly []

/** A refusal: part of the API, shown to the caller as it is. Thrown by services, turned into the envelope in one place. */
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

/** Makes a refusal to throw of a declared one; call the result with the facts of its text. */
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

/** The same for many, by their names. */
export const refusals = <const D extends Readonly<Record<string, RefusalDeclaration>>>(declared: D) =>
  Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, refusal(one)])) as {
    readonly [Name in keyof D]: (...facts: Facts<D[Name]['text']>) => Refusal
  }

/** What is found, or undefined where it is refused as unknown. */
export const ifKnown = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  })

/** The same refusal with another status, message or headers, where it is answered differently. */
export const changed = (
  { code, status, responseCode, message, headers }: Refusal,
  changes: Partial<Pick<Refusal, 'status' | 'message' | 'headers'>>,
): Refusal => made({ code, status, responseCode, message, headers, ...changes })

/** A refusal is an answer, not a fault: nobody reads its stack, and taking one costs more than the rest of the reply. */
function made(parts: RefusalParts): Refusal {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const refused = new Refusal(parts)
  Error.stackTraceLimit = limit
  return refused
}

/** A promise of ours. If it does not hold, the request ends with 500 and the log has the reason. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${promise}`)
}
