import type { EndOpen, Feature } from '../../core/feature.ts'
import { endLastRequests } from './merchant-status.ts'
import { settingRoutes } from './routes.ts'
import type { SettingsDeps } from './service.ts'

/** The settings of merchants: read and changed by merchants themselves, in the sandbox, and on the command line. */
export const settingsFeature = {
  open: ({ closing, ...deps }: SettingsDeps & { readonly closing: readonly EndOpen[] }) => ({
    routes: (serve) => settingRoutes(serve, deps),
    sweeps: [endLastRequests(deps.core, closing)],
  }),
} satisfies Feature
