import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { checkOpen } from './changes.ts'
import type { CheckoutLinks } from './checkout-links.ts'
import { receive } from './receive.ts'
import { readTransactions, transactionMarks } from './repository.ts'
import { transactionRoutes } from './routes.ts'
import { type InitLane, transactionSweeps, writeTransactions } from './service.ts'
import { type ReadStatus, readStatuses } from './status.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly links: CheckoutLinks
}

/** What merchants want to be paid, and what is paid for it. */
export function transactionFeature({ core, metrics, links }: Deps) {
  const init: InitLane = metrics.lane({
    name: 'init-transaction',
    setsMax: 1, // one short statement: larger sets save more than a second one at a time gains
    apartBy: ({ merchantId }) => merchantId,
    shardOf: ({ merchantId }) => core.shards.of(merchantId),
    run: (rows) => writeTransactions(core.db, rows),
  })
  const readStatus: ReadStatus = metrics.lane({
    name: 'status query',
    setsMax: 1, // nothing is waited for but the answer: larger sets save more than a second one at a time gains
    shardOf: ({ merchantId }) => core.shards.of(merchantId),
    run: (questions) => readStatuses(core.db, questions),
  })
  return {
    routes: (serve) => transactionRoutes(serve, { core, init, readStatus, links }),
    sweeps: [...transactionSweeps(core), transactionMarks(core)],
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
  } satisfies Feature
}
