import * as contract from '@kobo/contract'

/**
 * The method and path of every route that a browser can call. Importing the routes themselves would add their schemas
 * to the bundle.
 */
export function webRoutes(): string {
  const names = new Map(Object.entries(contract).map(([name, value]): [unknown, string] => [value, name]))
  const callable = [...contract.ROUTES, ...contract.DASHBOARD_ROUTES]
    .map(({ route }): contract.Route => route)
    .filter(({ access, person }) => access === 'open' || person !== undefined)
  return `// Generated from the contract by \`npm run generate\`. Change the contract instead.
import type * as contract from '@kobo/contract'
import type { InDashboard } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'

${callable.map((route) => declarationOf(route, names.get(route) ?? '')).join('\n')}
`
}

/** Declares a route. Routes for access tokens have another path for signed-in users. */
function declarationOf(route: contract.Route, name: string): string {
  const isOwn = route.access === 'open' || route.access === 'person'
  const type = isOwn ? `typeof contract.${name}` : `InDashboard<typeof contract.${name}>`
  const { method, path } = isOwn ? route : contract.inDashboard(route)
  return `export const ${name}: Address<${type}> = { method: '${method}', path: '${path}' }`
}
