import type { Feature } from '../../core/feature.ts'
import { endpointRoutes } from './routes.ts'
import type { EndpointDeps } from './service.ts'

/** Webhook endpoints in addition to the URLs in merchants' settings. */
export const webhookEndpointFeature = {
  open: (deps: EndpointDeps) => ({ routes: (serve) => endpointRoutes(serve, deps) }),
} satisfies Feature
