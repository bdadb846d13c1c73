import type { Static, TSchema } from 'typebox'
import type { Needed } from './permissions.ts'
import type { Refusal } from './refusal.ts'
import {
  FIELD_PERMISSIONS,
  guardedFieldsOf,
  isFilled,
  type PersonNeeded,
  type PersonPermission,
  type Scope,
} from './roles.ts'

/** An action that one user requests and another approves. */
export interface TwoPeople {
  /** The action, as the approver reads it. */
  readonly action: string
  /** Whether a request needs a second person. Without this function, every request does. */
  readonly applies?: (body: Fields, caller: TwoPeopleCaller) => boolean
  /** The fields that the approver sees; by default all of them. The approval always covers the whole request. */
  readonly shows?: readonly string[]
  /** The route's handler decides if a second person is needed. */
  readonly isDecidedLater?: true
}

type Fields = Readonly<Record<string, unknown>>

/** The user who requests an action, and their merchant. */
export interface TwoPeopleCaller {
  readonly ipWhitelist: readonly string[]
  readonly may: (permission: PersonPermission) => boolean
}

/** An API endpoint as a value: the server serves it, the docs print it, the tests check every response against it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path parameters are written as `:name`. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** The callers: an access token (the default), API keys, a user signed in to the dashboard, or anyone. */
  readonly access?: 'token' | 'keys' | 'open' | 'person'
  /** The merchant's required permissions, or the reason why there are none. */
  readonly permission: Needed
  /**
   * The user's required permission, or the reason why there is none. An API route that has it is also served to the
   * dashboard under `/dashboard/api` (see `inDashboard`). Without it, the route is for servers only.
   */
  readonly person?: PersonNeeded
  /** The scope that a restricted API key needs, if it is not the user's permission. */
  readonly scope?: Scope
  /** Requires a second factor confirmed within the last five minutes. */
  readonly fresh?: true
  /** A user's call needs the approval of a second person, because it would let them move money out alone. */
  readonly twoPeople?: TwoPeople
  /** Allows users in the middle of sign-in: those who still have to confirm, or set up, their second factor. */
  readonly stage?: 'second-factor' | 'enrolment'
  /** The `responseCode` of field errors, if it is not the default. */
  readonly fieldErrorCode?: string
  /** Apps may call the route without a token: with `collectionChannel: MOBILE_SDK`, and the API key in the body. */
  readonly forApps?: true
  /** Allows calls from pages of any site (CORS). */
  readonly origin?: 'any'
  /** The only environment that has the route. */
  readonly environment?: 'sandbox'
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is a batch and may be larger than others. */
  readonly takesBatch?: true
  /** The body contains files, in base64. */
  readonly takesFiles?: true
  readonly reply: TSchema
  /** The response is a file or an event stream, without an envelope. */
  readonly sends?: 'csv' | 'events'
  /** Alternative names of a query or body field, by its name in the schema. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** The route's own errors, in addition to those in `refusalsOf`. */
  readonly refusals?: readonly Refusal[]
  /** Other paths of the same route that clients use. */
  readonly aliases?: readonly string[]
  /** Deprecated paths of the same route. They return `Deprecation` and `Sunset` headers and keep working. */
  readonly deprecatedPaths?: readonly string[]
}

/** A route for dashboard users or access tokens must state its required permission. */
type Decided<R extends Route> = R extends { readonly access: 'open' | 'keys' } | { readonly scope: Scope }
  ? unknown
  : { readonly person: PersonNeeded }

/** The scope that a restricted API key needs for a route; undefined if none. */
export const scopeOf = ({ scope, person }: Pick<Route, 'scope' | 'person'>): Scope | undefined =>
  // A test checks that every user's permission on an API route is a scope.
  scope ?? (typeof person === 'string' ? (person as Scope) : undefined)

/** A split sends a part of a payment to an account other than the merchant's own. */
const SPLIT: TwoPeople = {
  action: 'Split a payment',
  applies: (body) => Object.keys(FIELD_PERMISSIONS).some((field) => isFilled(body[field])),
  shows: ['amount', ...Object.keys(FIELD_PERMISSIONS)],
}

/** The action of a route that needs a second person, if it has one. */
export const twoPeopleOf = (route: Pick<Route, 'twoPeople' | 'body'>): TwoPeople | undefined =>
  route.twoPeople ?? (guardedFieldsOf(route).length > 0 ? SPLIT : undefined)

/** Declares a route and keeps its exact type. */
export const route = <const R extends Route>(declared: R & Decided<R>): R => declared

/** A section of routes in the documentation. Each route is in one group. */
export interface Group {
  readonly title: string
  readonly text: string
  readonly routes: Readonly<Record<string, Route>>
  /** The group's own errors. */
  readonly refusals?: Readonly<Record<string, Refusal>>
}

/** Declares a group and keeps the exact types of its routes. */
export const group = <const G extends Group>(declared: G): G => declared

type Part<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends TSchema
  ? { readonly [P in K]: Static<R[K]> }
  : unknown

export type Input<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>
/** The `responseBody` of a route. */
export type Reply<R extends Route> = Static<R['reply']>
