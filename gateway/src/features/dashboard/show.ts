import type { findRecipients, LISTS, ListName, Reply } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import { titleOfAct } from '../../core/edge/http/index.ts'
import type { RequestRow } from '../../core/edge/request-recorder/index.ts'
import type { SubAccountRow } from '../../core/merchants/index.ts'
import type { SentEvent } from '../../core/messages/outbox/index.ts'
import type { WalletEntryRow } from '../../core/money/wallet-balances/index.ts'
import type { AuditRow } from '../../core/security/audit.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, toNaira, ZERO } from '../../kernel/money.ts'
import type { VendRow } from '../bills/index.ts'
import type { CustomerRow } from '../customers/index.ts'
import type { MandateRow } from '../direct-debit/index.ts'
import type { BatchRow, FailedItems, TransferRow } from '../disbursements/index.ts'
import type { DisputeRow } from '../disputes/index.ts'
import { type InvoiceRow, invoiceStatus } from '../invoices/index.ts'
import type { LimitProfileRow } from '../limit-profiles/index.ts'
import type { PaycodeRow } from '../paycodes/index.ts'
import { linkStatus, linkUrl, type PaymentLink } from '../payment-links/index.ts'
import type { RefundRow } from '../refunds/index.ts'
import type { ReservedAccountRow } from '../reserved-accounts/index.ts'
import type { SettledSum, SettlementRow } from '../settlements/index.ts'
import type { Transaction } from '../transactions/index.ts'

export type ListItem<N extends ListName> = Reply<(typeof LISTS)[N]>['items'][number]

const instant = (at: Date): string => at.toISOString()
const instantOrNull = (at: Date | null): string | null => (at === null ? null : instant(at))
const head = ({ id, createdAt }: { readonly id: bigint; readonly createdAt: Date }) => ({
  id: String(id),
  createdOn: instant(createdAt),
})

export const transaction = (row: Transaction, refunded: Kobo): ListItem<'transactions'> => ({
  ...head(row),
  transactionReference: row.transactionReference,
  paymentReference: row.paymentReference,
  status: row.status,
  paymentMethod: row.paymentMethod,
  amount: toNaira(row.amount),
  amountPaid: toNaira(row.amountPaid),
  amountRefunded: toNaira(refunded),
  fee: toNaira(row.fee),
  customerName: row.customerName,
  customerEmail: row.customerEmail,
  description: row.paymentDescription,
  completedOn: instantOrNull(row.completedAt),
  product: row.productType,
  settlesOn: instantOrNull(row.settlesAt),
})

export const customer = (row: CustomerRow): ListItem<'customers'> => ({
  ...head({ id: row.id, createdAt: row.lastActivityAt }),
  customerEmail: row.customerEmail,
  customerName: row.customerName,
  lastRecord: row.lastRecord,
})

export const recipient = (row: TransferRow): Reply<typeof findRecipients>['recipients'][number] => ({
  bankCode: row.destinationBankCode,
  bankName: bankName(row.destinationBankCode),
  accountNumber: row.destinationAccountNumber,
  accountName: row.destinationAccountName,
})

export const transfer = (row: TransferRow, rejectedBy: string | undefined): ListItem<'transfers'> => ({
  ...head(row),
  reference: row.reference,
  transactionReference: row.transactionReference,
  status: row.status,
  amount: toNaira(row.amount),
  fee: toNaira(row.fee),
  narration: row.narration,
  destinationAccountName: row.destinationAccountName,
  destinationAccountNumber: row.destinationAccountNumber,
  destinationBankName: bankName(row.destinationBankCode),
  sessionId: row.sessionId,
  failureReason: row.failureReason,
  rejectedBy: rejectedBy ?? null,
  completedOn: instantOrNull(row.completedAt),
})

export const batch = (row: BatchRow, failed: FailedItems | undefined): ListItem<'batches'> => ({
  ...head(row),
  batchReference: row.batchReference,
  title: row.title,
  status: row.status,
  totalAmount: toNaira(row.totalAmount),
  totalFee: toNaira(row.totalFee),
  transfers: row.itemsCount,
  openTransfers: row.openCount,
  failedTransfers: failed?.count ?? 0,
  failedAmount: toNaira(failed?.amount ?? ZERO),
})

export const refund = (row: RefundRow): ListItem<'refunds'> => ({
  ...head(row),
  refundReference: row.refundReference,
  transactionReference: row.transactionReference,
  status: row.status,
  type: row.type,
  amount: toNaira(row.amount),
  fee: toNaira(row.fee),
  method: row.method,
  reason: row.refundReason,
  payerAccountName: row.destinationAccountName,
  payerAccountNumber: row.destinationAccountNumber,
  comment: row.comment,
  completedOn: instantOrNull(row.completedAt),
})

export const dispute = ({
  dispute: row,
  owed,
}: {
  readonly dispute: DisputeRow
  readonly owed: Kobo
}): ListItem<'disputes'> => ({
  ...head({ id: row.id, createdAt: row.openedAt }),
  disputeReference: row.reference,
  transactionReference: row.transactionReference,
  status: row.status,
  type: row.kind,
  amount: toNaira(row.amount),
  amountOwed: toNaira(owed),
  reason: row.reason,
  evidenceDueOn: row.evidenceDueAt.toISOString(),
  completedOn: instantOrNull(row.endedAt),
  comment: row.comment,
})

export const settlement = (row: SettlementRow, sum: SettledSum | undefined): ListItem<'settlements'> => ({
  ...head({ id: row.id, createdAt: row.settledAt }),
  settlementReference: row.settlementReference,
  status: row.status,
  gross: toNaira(sum?.gross ?? row.amount),
  fee: toNaira(sum?.fee ?? (ZERO as Kobo)),
  debtRepaid: toNaira(row.debtRepaid),
  reserved: toNaira(row.reserved),
  net: toNaira(row.amount),
  transactions: row.transactionsCount,
  destination: row.destination,
  destinationAccountName: row.destinationAccountName,
  destinationAccountNumber: row.destinationAccountNumber,
  destinationBankName: bankName(row.destinationBankCode),
  bankReference: sum?.sessionId ?? null,
  completedOn: instantOrNull(row.completedAt),
})

export const reservedAccount = (row: ReservedAccountRow): ListItem<'reserved-accounts'> => ({
  ...head(row),
  accountReference: row.accountReference,
  accountName: row.accountName,
  type: row.type,
  customerName: row.customerName,
  customerEmail: row.customerEmail,
  limitProfileCode: row.limitProfileCode,
  deallocatedOn: instantOrNull(row.deallocatedAt),
})

export function invoice(row: InvoiceRow, of: Transaction | undefined, at: Date): ListItem<'invoices'> {
  invariant(of !== undefined, 'an invoice has a transaction')
  return {
    ...head(of),
    invoiceReference: of.paymentReference,
    transactionReference: of.transactionReference,
    status: invoiceStatus(of, at),
    amount: toNaira(of.amount),
    description: of.paymentDescription,
    customerName: of.customerName,
    customerEmail: of.customerEmail,
    expiresOn: instant(of.expiresAt),
    accountNumber: row.accountNumber,
  }
}

export const paymentLink = (link: PaymentLink, at: Date): ListItem<'payment-links'> => ({
  ...head(link),
  linkReference: link.reference,
  path: linkUrl('', link),
  status: linkStatus(link, at),
  title: link.title,
  description: link.description,
  amount: link.amount === null ? null : toNaira(link.amount),
  usage: link.usage,
  expiresOn: instantOrNull(link.expiresAt),
  transactionReference: link.transaction?.transactionReference ?? null,
})

export const mandate = (row: MandateRow): ListItem<'mandates'> => ({
  ...head(row),
  mandateCode: row.mandateCode,
  mandateReference: row.mandateReference,
  status: row.status,
  mandateAmount: row.mandateAmount === null ? null : toNaira(row.mandateAmount),
  debited: toNaira(row.debited),
  startsOn: instant(row.startsAt),
  endsOn: instant(row.endsAt),
  description: row.mandateDescription,
  customerName: row.customerName,
  customerEmail: row.customerEmailAddress,
  payerAccountNumber: row.customerAccountNumber,
})

const MILLIONTHS_OF_A_PERCENT = 10_000

export const subAccount = (row: SubAccountRow): ListItem<'sub-accounts'> => ({
  ...head(row),
  subAccountCode: row.code,
  accountName: row.accountName,
  accountNumber: row.accountNumber,
  bankName: bankName(row.bankCode),
  email: row.email,
  defaultSplitPercentage: row.defaultSplit / MILLIONTHS_OF_A_PERCENT,
  deletedOn: instantOrNull(row.deletedAt),
})

export const paycode = (row: PaycodeRow): ListItem<'paycodes'> => ({
  ...head(row),
  paycodeReference: row.paycodeReference,
  transactionReference: row.transactionReference,
  status: row.status,
  amount: toNaira(row.amount),
  fee: toNaira(row.fee),
  beneficiaryName: row.beneficiaryName,
  expiresOn: instant(row.expiresAt),
  completedOn: instantOrNull(row.completedAt),
})

export const vend = (row: VendRow): ListItem<'bills'> => ({
  ...head(row),
  reference: row.reference,
  transactionReference: row.transactionReference,
  status: row.status,
  biller: row.billerName,
  product: row.productName,
  customerId: row.customerId,
  amount: toNaira(row.vendAmount),
  commission: toNaira(row.commission),
  completedOn: instantOrNull(row.completedAt),
})

export const limitProfile = (row: LimitProfileRow): ListItem<'limit-profiles'> => ({
  ...head(row),
  code: row.code,
  name: row.name,
  singleTransactionValue: toNaira(row.singleTransactionValue),
  dailyTransactionValue: toNaira(row.dailyTransactionValue),
  dailyTransactionVolume: row.dailyTransactionVolume,
})

export const statementLine = (row: WalletEntryRow): ListItem<'statement'> => ({
  ...head({ id: row.id, createdAt: row.at }),
  type: row.type,
  amount: toNaira(row.amount),
  balanceBefore: toNaira(row.balanceBefore),
  balanceAfter: toNaira(row.balanceAfter),
  reference: row.reference,
  transactionReference: row.transactionReference,
  narration: row.narration,
  message: row.message,
})

export const event = (row: SentEvent, attempts = row.attempts): ListItem<'events'> => ({
  ...head(row),
  eventType: row.eventType,
  reference: row.refs[0] ?? '',
  status: row.status === 'WAITING' || row.status === 'PAUSED' ? 'PENDING' : row.status,
  attempts,
  nextAttemptOn: row.status === 'DELIVERED' ? null : instantOrNull(row.nextAttemptAt),
})

export const request = ({ merchantId: _, id, at, microseconds, ...row }: RequestRow): ListItem<'requests'> => ({
  ...head({ id, createdAt: at }),
  ...row,
  milliseconds: microseconds / 1_000,
})

export const audited = (row: AuditRow): ListItem<'audit'> => ({
  ...head({ id: row.id, createdAt: row.at }),
  act: row.act,
  actTitle: titleOfAct(row.act),
  actor: row.actor,
  name: row.name,
  address: row.address,
  reference: row.reference,
  details: row.details as Record<string, unknown>,
})
