/** The response header that names the error: `kobo-refusal: WRONG_OTP`. */
export const REFUSAL_HEADER = 'kobo-refusal'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 431 | 500 | 503

/**
 * An error of the API, as a value: routes list it, the gateway throws it, the documentation prints it. A code always
 * means the same, but Monnify's API may require another status, `responseCode` or text on some routes.
 */
export interface Refusal {
  /** The stable identifier that programs check. */
  readonly code: string
  readonly status: RefusalStatus
  /** The `responseCode` of the response envelope. */
  readonly responseCode: string
  /** The `responseMessage`, for people. Names in braces are filled in: `Could not find bank {bankCode}`. */
  readonly text: string
  /** The reason for the error, in one sentence. */
  readonly cause: string
  /** A sample message, if the text alone says little. */
  readonly example?: string
  /** The value of `Retry-After`, if it is constant. */
  readonly retryAfterSeconds?: number
}

type Declared = Omit<Refusal, 'responseCode'> & Partial<Pick<Refusal, 'responseCode'>>

const RESPONSE_CODE_DEFAULT = '99'

/** Declares errors and keeps their codes and texts as types. `responseCode` defaults to 99. */
export const refusals = <const D extends Readonly<Record<string, Declared>>>(declared: D) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, refusal]) => [name, { responseCode: RESPONSE_CODE_DEFAULT, ...refusal }]),
  ) as { readonly [Name in keyof D]: Refusal & Pick<D[Name], 'code' | 'text'> }

/** Returns the errors with another status, for a route whose errors all have that status in Monnify's API. */
export const withStatus = (status: RefusalStatus, list: readonly Refusal[]): readonly Refusal[] =>
  list.map((refusal) => ({ ...refusal, status }))
