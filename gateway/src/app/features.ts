import { type AccountPurpose, closeAllAccounts } from '../core/account-numbers/index.ts'
import { encryptedResponses } from '../core/edge/idempotency.ts'
import type { Feature, OpenFeature, ReceiveCredits, StoredData } from '../core/feature.ts'
import { sealedEndpointSecrets, sealedSecrets } from '../core/merchants/index.ts'
import { costChecks, sealedConflicts } from '../core/money/credits/index.ts'
import { debtsMatchAccount } from '../core/money/debts.ts'
import { reserveChecks } from '../core/money/reserve/index.ts'
import { sealedWallets, walletChecks } from '../core/money/wallet-balances/index.ts'
import { type OrderPurpose, type OrderWork, orderCheck } from '../core/orders/index.ts'
import { sealedReceiptKeys } from '../core/security/receipt-keys.ts'
import { deleteAllCards } from '../core/security/stored-cards.ts'
import { sealedCards } from '../core/security/vault.ts'
import { approvalFeature, openPayouts } from '../features/approvals/index.ts'
import { authFeature } from '../features/auth/index.ts'
import { bankTransferFeature } from '../features/bank-transfer/index.ts'
import { bankFeature } from '../features/banks/index.ts'
import { billFeature } from '../features/bills/index.ts'
import { cardFeature, openCards } from '../features/cards/index.ts'
import { cashCollectionFeature } from '../features/cash-collections/index.ts'
import { checkoutFeature } from '../features/checkout/index.ts'
import { customerFeature } from '../features/customers/index.ts'
import { dashboardFeature } from '../features/dashboard/index.ts'
import { directDebitFeature } from '../features/direct-debit/index.ts'
import { disbursementFeature } from '../features/disbursements/index.ts'
import { disputeFeature, selectDisputed } from '../features/disputes/index.ts'
import { eventLogFeature } from '../features/event-log/index.ts'
import { invoiceFeature } from '../features/invoices/index.ts'
import { keyFeature } from '../features/keys/index.ts'
import { limitProfileFeature } from '../features/limit-profiles/index.ts'
import { operatorFeature } from '../features/operator/index.ts'
import { operatorOrderFeature } from '../features/operator-orders/index.ts'
import { paycodeFeature } from '../features/paycodes/index.ts'
import { paymentLinkFeature } from '../features/payment-links/index.ts'
import { receiptFeature } from '../features/receipts/index.ts'
import { reconciliationFeature } from '../features/reconciliation/index.ts'
import { recurringFeature } from '../features/recurring/index.ts'
import { refundFeature } from '../features/refunds/index.ts'
import { reportFeature } from '../features/reports/index.ts'
import { requestLogFeature } from '../features/request-log/index.ts'
import { reservedAccountFeature } from '../features/reserved-accounts/index.ts'
import { returnFeature } from '../features/returns/index.ts'
import { settingsFeature } from '../features/settings/index.ts'
import { settlementFeature } from '../features/settlements/index.ts'
import { signInFeature } from '../features/sign-in/index.ts'
import { signOnFeature } from '../features/sign-on/index.ts'
import { subAccountFeature } from '../features/sub-accounts/index.ts'
import { teamFeature } from '../features/team/index.ts'
import { transactionFeature } from '../features/transactions/index.ts'
import { verificationFeature } from '../features/verification/index.ts'
import { walletFeature } from '../features/wallets/index.ts'
import { webhookEndpointFeature } from '../features/webhook-endpoints/index.ts'
import type { Parts } from './parts.ts'

/** All features except the sandbox's controls, which are opened last because they move the clock of all others. */
const FEATURES = [
  authFeature,
  bankFeature,
  transactionFeature,
  bankTransferFeature,
  cardFeature,
  recurringFeature,
  checkoutFeature,
  receiptFeature,
  limitProfileFeature,
  reservedAccountFeature,
  invoiceFeature,
  paymentLinkFeature,
  customerFeature,
  subAccountFeature,
  settlementFeature,
  refundFeature,
  disputeFeature,
  returnFeature,
  walletFeature,
  disbursementFeature,
  approvalFeature,
  directDebitFeature,
  billFeature,
  verificationFeature,
  paycodeFeature,
  cashCollectionFeature,
  signInFeature,
  signOnFeature,
  teamFeature,
  keyFeature,
  operatorOrderFeature,
  operatorFeature,
  settingsFeature,
  webhookEndpointFeature,
  eventLogFeature,
  requestLogFeature,
  reconciliationFeature,
  reportFeature,
  dashboardFeature,
] as const

/** The data that the core itself stores. */
const CORE: StoredData = {
  ledgerChecks: [...walletChecks, orderCheck, ...costChecks, ...reserveChecks, debtsMatchAccount],
  encryptedColumns: [
    ...sealedSecrets,
    ...sealedEndpointSecrets,
    ...sealedWallets,
    ...sealedConflicts,
    ...encryptedResponses,
    ...sealedCards,
    ...sealedReceiptKeys,
  ],
  closing: [closeAllAccounts, deleteAllCards],
}

const STORED: readonly (Feature | StoredData)[] = [CORE, ...FEATURES]
export const LEDGER_CHECKS = STORED.flatMap(({ ledgerChecks = [] }) => ledgerChecks)
export const CUSTOMER_DATA = STORED.flatMap(({ customerData = [] }) => customerData)
export const ENCRYPTED_COLUMNS = STORED.flatMap(({ encryptedColumns = [] }) => encryptedColumns)
export const CLOSING = STORED.flatMap(({ closing = [] }) => closing)

/** Opens all features. This compiles only if features handle every purpose of orders and account numbers. */
export function openFeatures(parts: Parts) {
  const deps = { ...parts, cards: openCards(parts), payouts: openPayouts(), selectDisputed, closing: CLOSING }
  const all: readonly OpenFeature[] = FEATURES.map((feature) => feature.open(deps))
  const orders: Readonly<Record<OrderPurpose, OrderWork>> = { ...byPurpose(all, 'orders'), ...parts.issuing.orders }
  const receivers: Readonly<Record<AccountPurpose, ReceiveCredits>> = byPurpose(all, 'receives')
  return { all, orders, receivers }
}

interface Work {
  readonly orders: OrderWork
  readonly receives: ReceiveCredits
}

type Opened = ReturnType<(typeof FEATURES)[number]['open']>
type KeyOfAny<Records> = Records extends unknown ? keyof Records : never
/** The purposes that at least one feature handles. */
type PurposeOf<Kind extends keyof Work> = KeyOfAny<Extract<Opened, Readonly<Record<Kind, object>>>[Kind]>

const byPurpose = <Kind extends keyof Work>(features: readonly OpenFeature[], kind: Kind) =>
  Object.assign({}, ...features.map((feature) => feature[kind])) as Record<PurposeOf<Kind>, Work[Kind]>
