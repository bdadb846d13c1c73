import type { Route } from './route.ts'

/** The path of an API route in the dashboard: `/api/v1/invoice/all` becomes `/dashboard/api/v1/invoice/all`. */
export type DashboardPath<Path extends string> = Path extends `/api/${infer Rest}`
  ? `/dashboard/api/${Rest}`
  : `/dashboard/api${Path}`

/** An API route as the dashboard calls it. */
export type InDashboard<R extends Route> = Omit<R, 'access' | 'path' | 'aliases' | 'deprecatedPaths' | 'origin'> & {
  readonly access: 'person'
  readonly path: DashboardPath<R['path']>
}

const made = new WeakMap<Route, Route>()

/** The same route for dashboard users: the same input, reply and errors, with a session instead of a token. */
export function inDashboard<R extends Route>(route: R): InDashboard<R> {
  const known = made.get(route) ?? forPeople(route)
  made.set(route, known)
  return known as unknown as InDashboard<R>
}

function forPeople({ aliases: _aliases, deprecatedPaths: _older, origin: _origin, ...route }: Route): Route {
  const path = route.path.startsWith('/api/') ? `/dashboard${route.path}` : `/dashboard/api${route.path}`
  return { ...route, access: 'person', path }
}
