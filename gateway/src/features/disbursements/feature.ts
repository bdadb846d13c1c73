import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { selectBalances } from '../../core/money/wallet-balances/index.ts'
import type { Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Payouts } from '../approvals/index.ts'
import { type AcceptLane, acceptTransfers } from './accept.ts'
import { type AcceptBatchLane, acceptBatch as acceptOneBatch } from './batch.ts'
import { sealedTransfers } from './encrypted-columns.ts'
import { disbursementChecks } from './ledger-checks.ts'
import { transferOrders } from './orders.ts'
import { codeKeyOf } from './otp.ts'
import { batchPayouts, transferPayouts } from './payouts.ts'
import { expireAll } from './repository.ts'
import { disbursementRoutes } from './routes.ts'
import type { ReadBalances } from './service.ts'
import { disbursementSweeps } from './sweeps.ts'

/** Batches are large, so few are accepted at once and few may wait. */
const BATCHES_UNDER_WAY_MAX = 2
const BATCHES_WAITING_MAX = 8

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly metrics: Metrics
  readonly mailer: Mailer
  readonly enquiries: Pick<Enquiries, 'transfer'>
  readonly batchTransfersMax: number
  readonly payouts: Payouts
}

/** Transfers from wallets to banks, single and in batches. */
export const disbursementFeature = {
  ledgerChecks: disbursementChecks,
  encryptedColumns: sealedTransfers,
  closing: [expireAll],
  open: (deps: Deps) => {
    const { core, orders, metrics, enquiries } = deps
    const accept: AcceptLane = metrics.lane({
      name: 'transfer accept',
      batchesMax: 1, // a second batch would only wait for the wallets that the first one has locked
      blockedBy: ({ transfer }) => transfer.merchantId,
      shardOf: ({ transfer }) => core.shards.of(transfer.merchantId),
      run: (drafts) => acceptTransfers(core, drafts),
    })
    const acceptBatch: AcceptBatchLane = metrics.lane({
      name: 'batch accept',
      batchMax: 1,
      batchesMax: BATCHES_UNDER_WAY_MAX,
      waitingMax: BATCHES_WAITING_MAX,
      blockedBy: ({ batch }) => batch.merchantId,
      run: (drafts) => Promise.all(drafts.map((draft) => acceptOneBatch({ core, orders }, draft))),
    })
    const readBalances: ReadBalances = metrics.lane({
      name: 'wallet balance',
      batchesMax: 1,
      shardOf: ({ merchantId }) => core.shards.of(merchantId),
      run: (wallets) => selectBalances(core.db, wallets),
    })
    const transfers = transferOrders({ core, orders, enquiries })
    deps.payouts.define('TRANSFER', transferPayouts(core, transfers))
    deps.payouts.define('BATCH', batchPayouts)
    const codeKey = codeKeyOf(core.keyring)
    return {
      routes: (serve) => disbursementRoutes(serve, { ...deps, accept, acceptBatch, readBalances, transfers, codeKey }),
      sweeps: disbursementSweeps(deps),
      orders: { transfer: transfers },
    }
  },
} satisfies Feature
