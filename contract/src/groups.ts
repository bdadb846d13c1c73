import { authentication } from './auth.ts'
import { bankTransfer } from './bank-transfer.ts'
import { banks } from './banks.ts'
import { billsPayment } from './bills.ts'
import { cards } from './cards.ts'
import { checkout } from './checkout.ts'
import { customers } from './customers.ts'
import { approvals } from './dashboard/approvals.ts'
import { dashboardCustomers } from './dashboard/customers.ts'
import { dashboardExports } from './dashboard/exports.ts'
import { dashboardHome } from './dashboard/home.ts'
import { keys } from './dashboard/keys.ts'
import { dashboardLists } from './dashboard/lists.ts'
import { dashboardLiveUpdates } from './dashboard/live-updates.ts'
import { dashboardNotifications } from './dashboard/notifications.ts'
import { operatorMerchants } from './dashboard/operator.ts'
import { operatorChanges } from './dashboard/operator-changes.ts'
import { operatorDisputes } from './dashboard/operator-disputes.ts'
import { operatorTeam } from './dashboard/operator-team.ts'
import { operatorWork } from './dashboard/operator-work.ts'
import { operatorOrders } from './dashboard/orders.ts'
import { profile } from './dashboard/profile.ts'
import { operatorReconciliation } from './dashboard/reconciliation.ts'
import { dashboardReports } from './dashboard/reports.ts'
import { dashboardSearch } from './dashboard/search.ts'
import { signIn } from './dashboard/sign-in.ts'
import { signOn } from './dashboard/sign-on.ts'
import { team } from './dashboard/team.ts'
import { tills } from './dashboard/tills.ts'
import { dashboardWebhooks } from './dashboard/webhooks.ts'
import { directDebit } from './direct-debit.ts'
import { transfers } from './disbursements.ts'
import { disputes } from './disputes.ts'
import { eventLog } from './event-log.ts'
import { invoices } from './invoices.ts'
import { limitProfiles } from './limit-profiles.ts'
import { mobile } from './mobile.ts'
import { paycodes } from './paycodes.ts'
import { paymentLinks } from './payment-links.ts'
import { recurringPayment } from './recurring.ts'
import { refunds } from './refunds.ts'
import type { Refusal } from './refusal.ts'
import { idempotencyRefusals, permissionRefusals, requestRefusals } from './refusals/index.ts'
import { requestLog } from './request-log.ts'
import { reservedAccounts } from './reserved-accounts.ts'
import type { Group } from './route.ts'
import { sandbox } from './sandbox.ts'
import { merchantSettings } from './settings.ts'
import { settlements } from './settlements.ts'
import { subAccounts } from './sub-accounts.ts'
import { transactions } from './transactions.ts'
import { verification } from './verification.ts'
import { wallets } from './wallets.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

/** All route groups, in reading order for newcomers. */
export const GROUPS = {
  authentication,
  transactions,
  bankTransfer,
  refunds,
  disputes,
  transfers,
  checkout,
  mobile,
  cards,
  recurringPayment,
  wallets,
  verification,
  billsPayment,
  subAccounts,
  settlements,
  directDebit,
  paycodes,
  reservedAccounts,
  limitProfiles,
  invoices,
  paymentLinks,
  customers,
  banks,
  merchantSettings,
  webhookEndpoints,
  eventLog,
  requestLog,
  sandbox,
}

/** The route groups of the dashboard, for its own pages only. */
export const DASHBOARD_GROUPS = {
  signIn,
  signOn,
  profile,
  team,
  keys,
  approvals,
  dashboardHome,
  dashboardSearch,
  dashboardLists,
  dashboardCustomers,
  dashboardExports,
  dashboardLiveUpdates,
  dashboardNotifications,
  dashboardReports,
  dashboardWebhooks,
  operatorOrders,
  tills,
  operatorMerchants,
  operatorChanges,
  operatorDisputes,
  operatorTeam,
  operatorReconciliation,
  operatorWork,
}

const routesOf = (groups: Readonly<Record<string, Group>>) =>
  Object.values(groups).flatMap((group) =>
    Object.entries(group.routes).map(([name, route]) => ({ group, name, route })),
  )

/** Every API route with its name and group. */
export const ROUTES = routesOf(GROUPS)

/** Every route of the dashboard. API routes with a `person` are available there too. */
export const DASHBOARD_ROUTES = routesOf(DASHBOARD_GROUPS)

const DECLARED = [
  requestRefusals,
  idempotencyRefusals,
  permissionRefusals,
  ...Object.values({ ...GROUPS, ...DASHBOARD_GROUPS }).map(({ refusals }) => refusals),
] as const

/** Every error: first those of any request, then by group. */
export const REFUSALS = DECLARED.flatMap((refusals): readonly Refusal[] => Object.values(refusals))

type CodeOf<Declared> = Declared extends Readonly<Record<string, Refusal>> ? Declared[keyof Declared]['code'] : never
/** The code of an error, for programs. */
export type RefusalCode = CodeOf<(typeof DECLARED)[number]>
