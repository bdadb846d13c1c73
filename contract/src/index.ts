import * as auth from './auth.ts'
import * as bankTransfer from './bank-transfer.ts'
import * as banks from './banks.ts'
import type { Route } from './route.ts'
import * as sandbox from './sandbox.ts'
import * as transactions from './transactions.ts'

export * from './auth.ts'
export * from './bank-transfer.ts'
export * from './banks.ts'
export * from './envelope.ts'
export * from './events.ts'
export * from './fields.ts'
export * from './page.ts'
export * from './route.ts'
export * from './sandbox.ts'
export * from './transactions.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** Every route of the API, by the group in which the documentation shows it and by name. */
export const ROUTES: readonly { readonly group: string; readonly name: string; readonly route: Route }[] =
  Object.entries({
    Authentication: auth,
    Transactions: transactions,
    'Bank transfer': bankTransfer,
    Banks: banks,
    Sandbox: sandbox,
  }).flatMap(([group, module]) =>
    Object.entries(module).flatMap(([name, route]) => (isRoute(route) ? [{ group, name, route }] : [])),
  )
