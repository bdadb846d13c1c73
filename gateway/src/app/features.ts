import type { Feature } from '../core/feature.ts'
import { authFeature } from '../features/auth/index.ts'
import { bankTransferFeature } from '../features/bank-transfer/index.ts'
import { bankFeature } from '../features/banks/index.ts'
import { billFeature } from '../features/bills/index.ts'
import { cardFeature } from '../features/cards/index.ts'
import { cashCollectionFeature } from '../features/cash-collections/index.ts'
import { checkoutFeature } from '../features/checkout/index.ts'
import { directDebitFeature } from '../features/direct-debit/index.ts'
import { disbursementFeature } from '../features/disbursements/index.ts'
import { disputeFeature, selectDisputed } from '../features/disputes/index.ts'
import { eventLogFeature } from '../features/event-log/index.ts'
import { invoiceFeature } from '../features/invoices/index.ts'
import { keyFeature } from '../features/keys/index.ts'
import { limitProfileFeature } from '../features/limit-profiles/index.ts'
import { operatorFeature } from '../features/operator/index.ts'
import { operatorOrderFeature } from '../features/operator-orders/index.ts'
import { overviewFeature } from '../features/overview/index.ts'
import { paycodeFeature } from '../features/paycodes/index.ts'
import { paymentLinkFeature } from '../features/payment-links/index.ts'
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
import { subAccountFeature } from '../features/sub-accounts/index.ts'
import { teamFeature } from '../features/team/index.ts'
import { transactionFeature } from '../features/transactions/index.ts'
import { verificationFeature } from '../features/verification/index.ts'
import { walletFeature } from '../features/wallets/index.ts'
import type { Parts } from './parts.ts'

/** How often a merchant may have all events since a moment sent again, over all nodes. */
const RESENDS = { name: 'resend', max: 30, seconds: 3_600 }

/** All features but the sandbox's own, which moves the clock of the others. */
export function makeFeatures(parts: Parts) {
  const { core, log, metrics, environment, publicUrl, mailer, orders, enquiries, virtualAccounts, vault } = parts
  const { accessControl, batchTransfersMax, dashboardUrl, counted, declines, links, shared, tokens, trail } = parts

  const transactions = transactionFeature({ core, metrics, links })
  const cards = cardFeature({ core, orders, metrics, vault, log, accessControl, declines, links, publicUrl })
  const reservedAccounts = reservedAccountFeature({ core, virtualAccounts, keepIdentitiesDays: parts.keep.identities })
  const wallets = walletFeature({ core, metrics, virtualAccounts })
  const directDebit = directDebitFeature({ core, orders, mailer, virtualAccounts, environment, publicUrl })
  const disbursements = disbursementFeature({ core, orders, metrics, mailer, enquiries, batchTransfersMax })
  const refunds = refundFeature({ core, orders, enquiries, selectDisputed })
  const returns = returnFeature({ core, orders, log })
  const settlements = settlementFeature({ core, orders })
  const bills = billFeature({ core, orders, enquiries })
  const all: readonly Feature[] = [
    authFeature({ tokens }),
    bankFeature(),
    transactions,
    bankTransferFeature({ core, metrics, virtualAccounts }),
    cards,
    recurringFeature({ core, vault, cards: cards.cards }),
    checkoutFeature({ core, metrics, environment, cards: cards.cards, virtualAccounts, counted, links, publicUrl }),
    limitProfileFeature({ core }),
    reservedAccounts,
    invoiceFeature({ core, virtualAccounts, links }),
    paymentLinkFeature({ core, environment, links, counted, publicUrl }),
    subAccountFeature({ core, enquiries }),
    settlements,
    refunds,
    disputeFeature({ core }),
    returns,
    wallets,
    disbursements,
    directDebit,
    bills,
    verificationFeature({ core, enquiries, environment }),
    paycodeFeature({ core }),
    cashCollectionFeature({ core }),
    signInFeature({ core, environment, dashboardUrl, mailer, trail, shared }),
    teamFeature({ core, mailer, dashboardUrl }),
    keyFeature({ core }),
    operatorOrderFeature({ core }),
    operatorFeature({ core, rules: parts.rules, mailer, dashboardUrl }),
    settingsFeature({ core, rules: parts.rules }),
    eventLogFeature({ core, resends: parts.shared(RESENDS) }),
    requestLogFeature({ core }),
    reconciliationFeature({ core, metrics }),
    reportFeature({ core, publicUrl }),
    overviewFeature({ core, log }),
  ]
  return {
    all,
    orders: {
      ...disbursements.orders,
      ...refunds.orders,
      ...returns.orders,
      ...settlements.orders,
      ...bills.orders,
      ...directDebit.orders,
      ...cards.orders,
      ...parts.issuing.orders,
    },
    receivers: {
      ...transactions.receives,
      ...wallets.receives,
      ...directDebit.receives,
      ...reservedAccounts.receives,
    },
  }
}
