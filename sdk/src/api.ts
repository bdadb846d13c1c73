// What the gateway offers, as types. They follow from the contract here; in the package they are written out, so that they
// can be read in an editor and need nothing else (packing/build.ts).
import type { EVENTS, EventType, Input, RefusalCode, Reply, Route } from '@kobo/contract'
import type { Static, TSchema } from 'typebox'
import type { Loose, PageCall, RouteCall } from './call-types.ts'
import type { Call, Calls } from './calls.ts'

export type { EventType, RefusalCode } from '@kobo/contract'

type PartOf<I, K extends string> = I extends { readonly [P in K]: infer Part } ? Part : unknown

/** All fields of a route side by side. */
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

/** What the gateway tells a merchant's server. `eventType` says which it is, and what `eventData` holds. */
export type KoboEvent = {
  [T in EventType]: {
    readonly eventType: T
    readonly eventData: Static<(typeof EVENTS)[T]['data']>
  } & ((typeof EVENTS)[T] extends { readonly metaData: infer M extends TSchema }
    ? { readonly metaData: Static<M> }
    : unknown)
}[EventType]

/** The reason of a refusal that tells a token to be renewed. */
export type TokenRefusal = Extract<RefusalCode, 'EXPIRED_TOKEN' | 'INVALID_TOKEN'>
