import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Vault } from '../../core/security/vault.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { AccessControl } from '../../rails/simulated/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { challengePages, returnPages } from './challenge.ts'
import type { DeclineGuard } from './declines.ts'
import { cardRoutes } from './routes.ts'
import { openCards } from './service.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly metrics: Metrics
  readonly vault: Vault
  readonly log: Log
  /** The simulated issuer's, in the sandbox. */
  readonly accessControl?: AccessControl | undefined
  readonly declines: DeclineGuard
  readonly links: CheckoutLinks
  readonly publicUrl: () => string
}

/** Payments by card; `cards` is how other features charge one. */
export function cardFeature(deps: Deps) {
  const { links, publicUrl, accessControl } = deps
  const cards = openCards(deps)
  const feature = {
    routes: (serve, pages) => {
      cardRoutes(serve, { cards, publicUrl })
      const challenges = { cards, directory: deps.core.directory, pages, links }
      returnPages(challenges)
      if (accessControl !== undefined) challengePages(challenges, accessControl)
    },
    sweeps: deps.declines.sweeps,
    orders: cards.orders,
  } satisfies Feature
  return { ...feature, cards }
}
