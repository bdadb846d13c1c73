/** What may be said of one call. */
export interface CallOptions {
  /** Names this request, so that it is carried out once however often it is sent. Made for each POST where none is given. */
  readonly idempotencyKey?: string
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal
  /** How long one answer may take; the client's own time-out where none is given. */
  readonly timeoutSeconds?: number
}

/** Fields may be left out by undefined too. */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T

/** What a function takes: the fields, unless all of them may be left out, and then the options. */
type Arguments<Fields> =
  Record<never, never> extends Fields
    ? [fields?: Fields, options?: CallOptions]
    : [fields: Fields, options?: CallOptions]

/** Calls a route: its fields go in, whether they travel in path, query or body; what is inside the envelope comes out. */
export type RouteCall<Fields, Reply> = (...args: Arguments<Fields>) => Promise<Reply>

/** Calls a route that answers a page, and `each` goes through all that there is, page after page. */
export type PageCall<Fields, Item, Reply> = RouteCall<Fields, Reply> & {
  readonly each: (...args: Arguments<Fields>) => AsyncGenerator<Item, void, undefined>
}
