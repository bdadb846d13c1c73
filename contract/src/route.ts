import type { Static, TSchema } from 'typebox'
import type { Needed } from './permissions.ts'
import type { Refusal } from './refusal.ts'
import type { PersonNeeded } from './roles.ts'

/** One endpoint of the API as a value: the server serves it, the docs print it, the tests check every reply against it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path parameters are written `:name`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** Who may call: a bearer of an access token (the default), a holder of API and secret key, a person who is signed in to the dashboard, or anyone. */
  readonly access?: 'token' | 'keys' | 'open' | 'person'
  /** What the merchant must be allowed to do, or why nothing: no route is without a decision. */
  readonly permission: Needed
  /**
   * What a person must be allowed to do who calls from the dashboard, or why nothing. A route for access tokens that names
   * it is served to people too, under `/dashboard/api` (see `inDashboard`); one that does not is for servers alone.
   */
  readonly person?: PersonNeeded
  /** Named where the person must have shown the second factor within the last minutes. */
  readonly fresh?: true
  /**
   * Named where a person may call who has not come all the way in: one who has yet to show the second factor, or one who
   * has yet to set one up. All other routes are for those who are in.
   */
  readonly stage?: 'second-factor' | 'enrolment'
  /** The `responseCode` of a missing or malformed field, where it is not the usual one. */
  readonly fieldErrorCode?: string
  /** Named where scripts on pages of other sites may call. */
  readonly origin?: 'any'
  /** Named where the route exists in one environment only. */
  readonly environment?: 'sandbox'
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Named where the body holds many of a thing, and may be larger than others. */
  readonly takesBatch?: true
  /** Named where the body holds files, in base64. */
  readonly takesFiles?: true
  readonly reply: TSchema
  /** Named where what is answered is a file, or events as they happen, and no envelope. */
  readonly sends?: 'csv' | 'events'
  /** Other names under which a field of query or body may come, by the name that stands in the schema. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** How it refuses, beside what `refusalsOf` tells of every route by what it asks for. */
  readonly refusals?: readonly Refusal[]
  /** Further paths that call the same thing, because clients use them. */
  readonly aliases?: readonly string[]
  /** Older paths that call the same thing. They carry `Deprecation` and `Sunset` headers and stay in service. */
  readonly deprecatedPaths?: readonly string[]
}

/** A route for people says what they must be allowed to do. */
type Decided<R extends Route> = R extends { readonly access: 'person' } ? { readonly person: PersonNeeded } : unknown

/** Declares a route and keeps its exact type. */
export const route = <const R extends Route>(declared: R & Decided<R>): R => declared

/** Routes that belong together, as the documentation introduces them. Each route of the API is in one group. */
export interface Group {
  readonly title: string
  readonly text: string
  readonly routes: Readonly<Record<string, Route>>
  /** How they refuse, in so far as that is theirs alone. */
  readonly refusals?: Readonly<Record<string, Refusal>>
}

/** Declares a group and keeps the exact types of its routes. */
export const group = <const G extends Group>(declared: G): G => declared

type Part<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends TSchema
  ? { readonly [P in K]: Static<R[K]> }
  : unknown

/** What a caller sends to a route. */
export type Input<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>
/** What a route answers inside the envelope. */
export type Reply<R extends Route> = Static<R['reply']>
