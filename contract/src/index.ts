export * from './audited.ts'
export * from './auth.ts'
export * from './bank-transfer.ts'
export * from './banks.ts'
export * from './bills.ts'
export * from './body-sizes.ts'
export * from './cards.ts'
export * from './cash-collections.ts'
export * from './checkout.ts'
export * from './client.ts'
export * from './dashboard/approvals.ts'
export * from './dashboard/exports.ts'
export * from './dashboard/home.ts'
export * from './dashboard/keys.ts'
export * from './dashboard/lists.ts'
export * from './dashboard/profile.ts'
export * from './dashboard/sign-in.ts'
export * from './dashboard/story.ts'
export * from './dashboard/team.ts'
export * from './direct-debit.ts'
export * from './disbursements.ts'
export * from './envelope.ts'
export * from './event-log.ts'
export * from './events.ts'
export * from './fields.ts'
export * from './groups.ts'
export * from './in-dashboard.ts'
export * from './invoices.ts'
export * from './limit-profiles.ts'
export * from './page.ts'
export * from './paycodes.ts'
export * from './permissions.ts'
export * from './recurring.ts'
export * from './refunds.ts'
export * from './refusal.ts'
export * from './refusals/index.ts'
export * from './reserved-accounts.ts'
export * from './roles.ts'
export * from './route.ts'
export * from './route-refusals.ts'
export * from './sandbox.ts'
export * from './settings.ts'
export * from './settlements.ts'
export * from './sub-accounts.ts'
export * from './transactions.ts'
export {
  BATCH_ITEMS_MAX,
  BATCH_STATUSES,
  BatchResult,
  BatchStatus,
  BatchSummary,
  SenderInfo,
  TRANSFER_STATUSES,
  TransferRecord,
  TransferResult,
  TransferStatus,
} from './transfer-records.ts'
export * from './verification.ts'
export * from './wallets.ts'
