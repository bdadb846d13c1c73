// The types of the API, derived from the contract. packing/build.ts writes them out, so the package needs no schemas.
import type { EVENTS, EventType, Input, RefusalCode, Reply, Route } from '@kobo/contract'
import type { Static, TSchema } from 'typebox'
import type { Loose, PageCall, RouteCall } from './call-types.ts'
import type { Call, Calls } from './calls.ts'

export type { EventType, RefusalCode } from '@kobo/contract'

type PartOf<I, K extends string> = I extends { readonly [P in K]: infer Part } ? Part : unknown

/** The path, query and body fields of a route in one object. */
type Fields<R extends Route, BodyKey> = OrNone<Loose<AllFields<R, BodyKey>>>
type OrNone<T> = unknown extends T ? Record<never, never> : T
type AllFields<R extends Route, BodyKey> = PartOf<Input<R>, 'params'> &
  PartOf<Input<R>, 'query'> &
  (BodyKey extends string ? { readonly [K in BodyKey]: PartOf<Input<R>, 'body'> } : PartOf<Input<R>, 'body'>)

type CallOf<C> =
  C extends Call<infer R, infer BodyKey>
    ? Reply<R> extends { content: readonly (infer Item)[] }
      ? PageCall<Fields<R, BodyKey>, Item, Reply<R>>
      : RouteCall<Fields<R, BodyKey>, Reply<R>>
    : never

/** Every route of the gateway, by group. */
export type Api = {
  readonly [G in keyof Calls]: { readonly [Name in keyof Calls[G]]: CallOf<Calls[G][Name]> }
}

/** A webhook event. `eventType` determines the type of `eventData`. */
export type KoboEvent = {
  [T in EventType]: {
    readonly eventType: T
    readonly eventData: Static<(typeof EVENTS)[T]['data']>
  } & ((typeof EVENTS)[T] extends { readonly metaData: infer M extends TSchema }
    ? { readonly metaData: Static<M> }
    : unknown)
}[EventType]

/** Error codes that mean that the token must be renewed. */
export type TokenRefusal = Extract<RefusalCode, 'EXPIRED_TOKEN' | 'INVALID_TOKEN'>
