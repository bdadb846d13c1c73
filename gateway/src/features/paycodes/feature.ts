import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { paycodeRoutes } from './routes.ts'
import { paycodeSweeps } from './service.ts'

/** Cash that is picked up with a code. */
export const paycodeFeature = ({ core }: { readonly core: Core }) =>
  ({ routes: (serve) => paycodeRoutes(serve, { core }), sweeps: paycodeSweeps(core) }) satisfies Feature
