import type { Feature } from '../../core/feature.ts'
import { settingRoutes } from './routes.ts'
import type { SettingsDeps } from './service.ts'

/** The settings of merchants: read and changed by merchants themselves, in the sandbox, and on the command line. */
export const settingsFeature = {
  open: (deps: SettingsDeps) => ({ routes: (serve) => settingRoutes(serve, deps) }),
} satisfies Feature
