import type { Feature } from '../../core/feature.ts'
import { type EventLogDeps, eventLogRoutes } from './routes.ts'

/** What merchants were told, and having it told again. */
export const eventLogFeature = (deps: EventLogDeps) =>
  ({ routes: (serve) => eventLogRoutes(serve, deps) }) satisfies Feature
