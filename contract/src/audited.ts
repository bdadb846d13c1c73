import { authorizeOtp } from './cards.ts'
import { cancelMandate, createMandate } from './direct-debit.ts'
import { authorizeBatch, authorizeTransfer, resendBatchCode, resendTransferCode } from './disbursements.ts'
import { acceptDispute, submitEvidence } from './disputes.ts'
import { resendMerchantEvent, resendMerchantEvents } from './event-log.ts'
import { cancelPaycode, createPaycode, revealPaycode } from './paycodes.ts'
import { chargeCardToken } from './recurring.ts'
import { initiateRefund } from './refunds.ts'
import type { Route } from './route.ts'
import { changeMerchantSettings } from './settings.ts'
import { changeSubAccount, createSubAccounts, deleteSubAccount, deleteSubAccountByQuery } from './sub-accounts.ts'
import { getNinDetails, matchBvnAccount, matchBvnDetails } from './verification.ts'

/** How calls of a route are recorded. */
export interface Audited {
  readonly act: string
  /** The field that names what it was about; never one that says something of a person. */
  readonly by?: string
}

/** The routes of which every call leaves a record of who called, from where, and what came of it. */
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

/** The routes whose own work leaves the record, with what was before and is now: one of the call would say it twice. */
export const RECORDED_BY_THEIR_WORK: ReadonlySet<Route> = new Set<Route>([
  changeMerchantSettings,
  resendMerchantEvent,
  resendMerchantEvents,
  createSubAccounts,
  changeSubAccount,
  deleteSubAccount,
  deleteSubAccountByQuery,
])
