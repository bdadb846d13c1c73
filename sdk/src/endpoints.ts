// The values of a route that a call needs. The package has only these values, not the schemas (see packing/build.ts).
import { isRepeatable, type Route } from '@kobo/contract'
import { CALLS, type Call } from './calls.ts'

/** The address and properties of a call. */
export interface Endpoint {
  readonly method: Route['method']
  readonly path: string
  /** How the caller authenticates; with an access token if undefined. */
  readonly access?: 'keys' | 'open'
  /** Whether the fields that are not in the path are sent in the body. */
  readonly hasBody?: boolean
  /** The field that holds the body, if the body is not an object. */
  readonly bodyKey?: string
  /** The query field with the page number, if the route returns pages. */
  readonly pageKey?: string
  /** Whether it accepts an `Idempotency-Key`. */
  readonly isRepeatable?: boolean
}

const PAGE_KEYS = ['page', 'pageNo']

function endpointOf({ route, bodyKey }: Call): Endpoint {
  const { method, path, access, body, query, reply } = route
  if (access === 'person') throw new Error(`${path} is for the dashboard only`)
  const names = (schema: object | undefined): readonly string[] =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const pageKey = names(reply).includes('content') ? names(query).find((name) => PAGE_KEYS.includes(name)) : undefined
  return {
    path,
    ...(access === 'keys' || access === 'open' ? { access } : {}),
    ...(body === undefined ? {} : { hasBody: true }),
    ...(bodyKey === undefined ? {} : { bodyKey }),
    ...(pageKey === undefined ? {} : { pageKey }),
    ...(isRepeatable(route) ? { isRepeatable: true } : {}),
    method, // compresses best at the end
  }
}

/** Every endpoint, by group and name. */
export const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = Object.fromEntries(
  Object.entries<Readonly<Record<string, Call>>>(CALLS).map(([group, calls]) => [
    group,
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, endpointOf(call)])),
  ]),
)
