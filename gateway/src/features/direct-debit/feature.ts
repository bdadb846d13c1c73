import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Environment } from '../../platform/config/config.ts'
import { mandateCustomerData } from './customer-data.ts'
import { directDebitChecks } from './ledger-checks.ts'
import { mandateLinks } from './link.ts'
import { debitOrders } from './orders.ts'
import { cancelAll } from './repository.ts'
import { directDebitRoutes, mandatePages } from './routes.ts'
import { directDebitSweeps } from './sweeps.ts'
import { receiveTokens } from './token.ts'

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly mailer: Mailer
  readonly virtualAccounts: VirtualAccounts
  readonly environment: Environment
  readonly publicUrl: () => string
}

/** Direct debits, and the mandates by which customers allow them. */
export const directDebitFeature = {
  ledgerChecks: directDebitChecks,
  customerData: [mandateCustomerData],
  closing: [cancelAll],
  open: ({ core, orders, mailer, virtualAccounts, environment, publicUrl }: Deps) => {
    const links = mandateLinks({ keyring: core.keyring, environment, publicUrl })
    const debits = debitOrders({ orders })
    const deps = { core, orders, debits, mailer, virtualAccounts, links }
    return {
      routes: (serve, pages) => {
        directDebitRoutes(serve, deps)
        if (environment === 'sandbox') mandatePages(pages, deps)
      },
      sweeps: directDebitSweeps(deps),
      orders: { debit: debits },
      receives: {
        mandate: (unit, credits) =>
          receiveTokens(
            unit,
            credits.map(({ credit, account }) => ({
              merchantId: account.merchantId,
              mandateId: account.ownerId,
              credit,
            })),
          ),
      },
    }
  },
} satisfies Feature
