import type { Feature } from '../../core/feature.ts'
import { settingRoutes } from './routes.ts'
import type { SettingsDeps } from './service.ts'

/** What merchants are set to: told and changed by themselves, in the sandbox, and on the command line. */
export const settingsFeature = (deps: SettingsDeps) =>
  ({ routes: (serve) => settingRoutes(serve, deps) }) satisfies Feature
