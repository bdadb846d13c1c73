import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { cashCollectionRoutes } from './routes.ts'

/** Cash that agents collect for merchants. */
export const cashCollectionFeature = {
  open: (deps: { readonly core: Core }) => ({ routes: (serve) => cashCollectionRoutes(serve, deps) }),
} satisfies Feature
