/** Options of a single call. */
export interface CallOptions {
  /** Makes the request safe to retry. Generated for each POST by default. */
  readonly idempotencyKey?: string
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Timeout of one attempt; defaults to the client's timeout. */
  readonly timeoutSeconds?: number
}

/** Allows undefined for optional fields. */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T

/** The arguments of a call; the fields can be omitted if all are optional. */
type Arguments<Fields> =
  Record<never, never> extends Fields
    ? [fields?: Fields, options?: CallOptions]
    : [fields: Fields, options?: CallOptions]

/** Calls a route with its path, query and body fields, and returns the response body without the envelope. */
export type RouteCall<Fields, Reply> = (...args: Arguments<Fields>) => Promise<Reply>

/** Calls a route that returns pages of results; `each` iterates over all pages. */
export type PageCall<Fields, Item, Reply> = RouteCall<Fields, Reply> & {
  readonly each: (...args: Arguments<Fields>) => AsyncGenerator<Item, void, undefined>
}
