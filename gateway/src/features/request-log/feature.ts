import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { requestLogRoutes } from './routes.ts'

/** The log of requests from merchants' servers, for their developers. */
export const requestLogFeature = {
  open: ({ core }: { readonly core: Core }) => ({ routes: (serve) => requestLogRoutes(serve, core) }),
} satisfies Feature
