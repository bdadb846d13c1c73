import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { AccessControl } from '../../rails/simulated/index.ts'
import type { CheckoutLinks } from '../transactions/index.ts'
import { challengePages, returnPages } from './challenge.ts'
import { cardCustomerData } from './customer-data.ts'
import type { DeclineGuard } from './declines.ts'
import { sealedAttempts } from './encrypted-columns.ts'
import { cardChecks } from './ledger-checks.ts'
import { cardRoutes } from './routes.ts'
import type { Cards } from './service.ts'

interface Deps {
  readonly core: Core
  readonly cards: Cards
  /** The simulated issuer's access control; only in the sandbox. */
  readonly accessControl?: AccessControl | undefined
  readonly declines: DeclineGuard
  readonly links: CheckoutLinks
  readonly publicUrl: () => string
}

/** Payments by card. */
export const cardFeature = {
  ledgerChecks: cardChecks,
  customerData: [cardCustomerData],
  encryptedColumns: sealedAttempts,
  open: ({ core, cards, accessControl, declines, links, publicUrl }: Deps) => ({
    routes: (serve, pages) => {
      cardRoutes(serve, { cards, publicUrl })
      const challenges = { cards, directory: core.directory, pages, links }
      returnPages(challenges)
      if (accessControl !== undefined) challengePages(challenges, accessControl)
    },
    sweeps: declines.sweeps,
    orders: cards.orders,
  }),
} satisfies Feature
