/** The header of every failure that names its refusal: `kobo-refusal: WRONG_OTP`. */
export const REFUSAL_HEADER = 'kobo-refusal'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503

/**
 * A way in which the gateway says no, as a value: routes list it, the gateway throws it, the documentation prints it, and
 * tests hold each against the others. The same code may be answered with another status, `responseCode` or text where the
 * interface wants that; it means the same everywhere.
 */
export interface Refusal {
  /** What programs go by. It never changes. */
  readonly code: string
  readonly status: RefusalStatus
  /** As the envelope has it. */
  readonly responseCode: string
  /** The `responseMessage`, for people. What stands in braces is filled in: `Could not find bank {bankCode}`. */
  readonly text: string
  /** When it is answered, in a sentence. */
  readonly cause: string
  /** A message, where the text says little by itself. */
  readonly example?: string
  /** What `Retry-After` says, where it is always the same. */
  readonly retryAfterSeconds?: number
}

type Declared = Omit<Refusal, 'responseCode'> & Partial<Pick<Refusal, 'responseCode'>>

const RESPONSE_CODE_DEFAULT = '99'

/** Declares refusals and keeps their codes and texts as types. The `responseCode` is 99 where none is named. */
export const refusals = <const D extends Readonly<Record<string, Declared>>>(declared: D) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, refusal]) => [name, { responseCode: RESPONSE_CODE_DEFAULT, ...refusal }]),
  ) as { readonly [Name in keyof D]: Refusal & Pick<D[Name], 'code' | 'text'> }

/** The same refusals under one status, where the interface lists no other. */
export const withStatus = (status: RefusalStatus, list: readonly Refusal[]): readonly Refusal[] =>
  list.map((refusal) => ({ ...refusal, status }))
