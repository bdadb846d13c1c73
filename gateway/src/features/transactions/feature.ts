import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { checkOpen } from './changes.ts'
import type { CheckoutLinks } from './checkout-links.ts'
import { transactionCustomerData } from './customer-data.ts'
import { transactionChecks } from './ledger-checks.ts'
import { noteCustomerData } from './note-repository.ts'
import { receive } from './receive.ts'
import { expireAll, readTransactions, transactionIndexSweep } from './repository.ts'
import { transactionRoutes } from './routes.ts'
import { type InitLane, transactionSweeps, writeTransactions } from './service.ts'
import { type ReadStatus, readStatuses } from './status.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly links: CheckoutLinks
}

/** Payments that merchants request, and the money that arrives for them. */
export const transactionFeature = {
  ledgerChecks: transactionChecks,
  customerData: [transactionCustomerData, noteCustomerData],
  closing: [expireAll],
  open: ({ core, metrics, links }: Deps) => {
    const init: InitLane = metrics.lane({
      name: 'init-transaction',
      batchesMax: 1, // one larger batch saves more than two parallel ones
      blockedBy: ({ merchantId }) => merchantId,
      shardOf: ({ merchantId }) => core.shards.of(merchantId),
      run: (rows) => writeTransactions(core.db, rows),
    })
    const readStatus: ReadStatus = metrics.lane({
      name: 'status query',
      batchesMax: 1, // one larger batch saves more than two parallel ones
      shardOf: ({ merchantId }) => core.shards.of(merchantId),
      run: (questions) => readStatuses(core.db, questions),
    })
    return {
      routes: (serve) => transactionRoutes(serve, { core, init, readStatus, links }),
      sweeps: [...transactionSweeps(core), transactionIndexSweep(core)],
      takesMoney: {
        transaction: async ({ merchantId, ownerId: id }, at) => {
          const [transaction] = await readTransactions(core.db, [{ merchantId, id }])
          return transaction !== undefined && checkOpen(transaction, at) === undefined
        },
      },
      receives: {
        transaction: (unit, credits) =>
          receive(
            unit,
            credits.map(({ credit, account }) => ({
              merchantId: account.merchantId,
              transactionId: account.ownerId,
              receipt: { ...credit, method: 'ACCOUNT_TRANSFER', card: null },
            })),
          ),
      },
    }
  },
} satisfies Feature
