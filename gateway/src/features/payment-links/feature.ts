import type { Feature } from '../../core/feature.ts'
import { type PaymentLinkDeps, paymentLinkRoutes } from './routes.ts'

/** Links that anyone can pay. */
export const paymentLinkFeature = {
  open: (deps: PaymentLinkDeps) => ({ routes: (serve, pages) => paymentLinkRoutes(serve, pages, deps) }),
} satisfies Feature
