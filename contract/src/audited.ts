import { authorizeOtp } from './cards.ts'
import { cancelMandate, createMandate } from './direct-debit.ts'
import { authorizeBatch, authorizeTransfer, resendBatchCode, resendTransferCode } from './disbursements.ts'
import { acceptDispute, submitEvidence } from './disputes.ts'
import { resendMerchantEvent, resendMerchantEvents, resendMerchantEventTo, sendTestEvent } from './event-log.ts'
import { cancelPaycode, createPaycode, revealPaycode } from './paycodes.ts'
import { chargeCardToken } from './recurring.ts'
import { initiateRefund } from './refunds.ts'
import type { Route } from './route.ts'
import { changeMerchantSettings } from './settings.ts'
import { changeSubAccount, createSubAccounts, deleteSubAccount, deleteSubAccountByQuery } from './sub-accounts.ts'
import { getNinDetails, matchBvnAccount, matchBvnDetails } from './verification.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
} from './webhook-endpoints.ts'

/** How the audit log records the calls of a route. */
export interface Audited {
  readonly act: string
  /** The field that identifies the subject; never one with personal data. */
  readonly by?: string
}

/** Routes of which the audit log records every call: the caller, the address and the outcome. */
export const AUDITED: ReadonlyMap<Route, Audited> = new Map<Route, Audited>([
  [authorizeTransfer, { act: 'transfer.authorize', by: 'reference' }],
  [authorizeBatch, { act: 'batch.authorize', by: 'reference' }],
  [resendTransferCode, { act: 'transfer.resend-code', by: 'reference' }],
  [resendBatchCode, { act: 'batch.resend-code', by: 'batchReference' }],
  [authorizeOtp, { act: 'card.authorize', by: 'transactionReference' }],
  [chargeCardToken, { act: 'card-token.charge', by: 'paymentReference' }],
  [initiateRefund, { act: 'refund.initiate', by: 'refundReference' }],
  [submitEvidence, { act: 'dispute.evidence', by: 'disputeReference' }],
  [acceptDispute, { act: 'dispute.accept', by: 'disputeReference' }],
  [createPaycode, { act: 'paycode.create', by: 'paycodeReference' }],
  [revealPaycode, { act: 'paycode.reveal', by: 'paycodeReference' }],
  [cancelPaycode, { act: 'paycode.cancel', by: 'paycodeReference' }],
  [createMandate, { act: 'mandate.create', by: 'mandateReference' }],
  [cancelMandate, { act: 'mandate.cancel', by: 'mandateCode' }],
  [matchBvnDetails, { act: 'identity.bvn-details' }],
  [matchBvnAccount, { act: 'identity.bvn-account' }],
  [getNinDetails, { act: 'identity.nin' }],
])

/** Routes that write their own audit entry, with the values before and after. */
export const SELF_AUDITED: ReadonlySet<Route> = new Set<Route>([
  changeMerchantSettings,
  resendMerchantEvent,
  resendMerchantEventTo,
  resendMerchantEvents,
  sendTestEvent,
  createWebhookEndpoint,
  changeWebhookEndpoint,
  rotateWebhookSecret,
  removeWebhookEndpoint,
  createSubAccounts,
  changeSubAccount,
  deleteSubAccount,
  deleteSubAccountByQuery,
])
