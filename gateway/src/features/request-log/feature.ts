import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { requestLogRoutes } from './routes.ts'

/** What merchants' servers asked, for their developers. */
export const requestLogFeature = ({ core }: { readonly core: Core }) =>
  ({ routes: (serve) => requestLogRoutes(serve, core) }) satisfies Feature
