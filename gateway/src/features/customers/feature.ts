import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { customerRoutes } from './routes.ts'

/** A merchant's customers. They have no table: they follow from transactions, reserved accounts and mandates. */
export const customerFeature = {
  open: (deps: { readonly core: Core }) => ({ routes: (serve) => customerRoutes(serve, deps.core) }),
} satisfies Feature
