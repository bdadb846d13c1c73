import type { BusinessClock } from '../core/business-clock.ts'
import type { Core } from '../core/core.ts'
import type { Serve } from '../core/http/index.ts'
import type { Keyring } from '../core/keyring.ts'
import type { Mailer } from '../core/mail.ts'
import type { MerchantDirectory } from '../core/merchants/index.ts'
import type { Orders, OrdersOf } from '../core/orders/index.ts'
import type { Pages } from '../core/pages/index.ts'
import type { Vault } from '../core/vault.ts'
import type { VirtualAccounts } from '../core/virtual-accounts/index.ts'
import { authRoutes } from '../features/auth/index.ts'
import { bankTransferRoutes } from '../features/bank-transfer/index.ts'
import { bankRoutes } from '../features/banks/index.ts'
import { billRoutes, type VendAnswer, type VendRow } from '../features/bills/index.ts'
import { type Cards, cardRoutes } from '../features/cards/index.ts'
import { cashCollectionRoutes } from '../features/cash-collections/index.ts'
import { checkoutRoutes } from '../features/checkout/index.ts'
import { type DebitOrders, directDebitRoutes } from '../features/direct-debit/index.ts'
import { disbursementRoutes, type TransferOrders } from '../features/disbursements/index.ts'
import { invoiceRoutes } from '../features/invoices/index.ts'
import { limitProfileRoutes } from '../features/limit-profiles/index.ts'
import { paycodeRoutes } from '../features/paycodes/index.ts'
import { recurringRoutes } from '../features/recurring/index.ts'
import { refundRoutes } from '../features/refunds/index.ts'
import { reservedAccountRoutes } from '../features/reserved-accounts/index.ts'
import { sandboxRoutes } from '../features/sandbox/index.ts'
import { settlementRoutes } from '../features/settlements/index.ts'
import { subAccountRoutes } from '../features/sub-accounts/index.ts'
import { transactionRoutes } from '../features/transactions/index.ts'
import { verificationRoutes } from '../features/verification/index.ts'
import { walletRoutes } from '../features/wallets/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Environment } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Counter } from '../platform/rate-limit.ts'
import type { Tokens } from '../platform/tokens.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'
import type { Rails } from '../rails/index.ts'
import type { AccessControl } from '../rails/simulated/index.ts'

/** Everything that a feature may ask for. Each takes the part that it needs. */
export interface Deps {
  readonly core: Core
  readonly db: Db
  readonly clock: BusinessClock
  readonly wall: Clock
  readonly ids: IdSource
  readonly keyring: Keyring
  readonly directory: MerchantDirectory
  readonly tokens: Tokens
  readonly metrics: Metrics
  readonly mailer: Mailer
  readonly rails: Rails
  readonly orders: Orders
  readonly transfers: TransferOrders
  readonly vends: OrdersOf<VendRow, VendAnswer>
  readonly debits: DebitOrders
  readonly batchTransfersMax: number
  readonly vault: Vault
  readonly cards: Cards
  /** The simulated issuer's, in the sandbox. */
  readonly accessControl: AccessControl | undefined
  readonly environment: Environment
  readonly pages: Pages
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
  readonly virtualAccounts: VirtualAccounts
  readonly publicUrl: () => string
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  readonly liveUntil: (moment: Date) => Promise<void>
  readonly pokeDelivery: () => void
}

const FEATURES: readonly ((serve: Serve, deps: Deps) => void)[] = [
  authRoutes,
  transactionRoutes,
  bankTransferRoutes,
  subAccountRoutes,
  settlementRoutes,
  directDebitRoutes,
  paycodeRoutes,
  cashCollectionRoutes,
  limitProfileRoutes,
  reservedAccountRoutes,
  invoiceRoutes,
  cardRoutes,
  recurringRoutes,
  bankRoutes,
  refundRoutes,
  disbursementRoutes,
  walletRoutes,
  billRoutes,
  verificationRoutes,
  checkoutRoutes,
  sandboxRoutes,
]

export const mount = (serve: Serve, deps: Deps): void => {
  for (const routes of FEATURES) routes(serve, deps)
}
