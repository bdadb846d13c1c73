import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@kobo/contract'
import { DEFAULT_BANK } from '../../core/banks/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { accountName, type VirtualAccount, type VirtualAccounts } from '../../core/virtual-accounts/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { monthsAfter } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { attach, lockFreeAccount } from '../reserved-accounts/index.ts'
import {
  cancelled,
  draftTransaction,
  insertTransactions,
  lockTransactions,
  type NewTransaction,
  type TransactionRow,
  updateTransactions,
} from '../transactions/index.ts'
import { invoiceErrors } from './errors.ts'
import { invoiceMachine } from './machine.ts'
import { countInvoices, findInvoice, type Invoice, insertInvoice, selectInvoices } from './repository.ts'
import { invoiceStatus } from './status.ts'

const EXPIRY_MONTHS_MAX = 6

export interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly virtualAccounts: VirtualAccounts
}

/** What a merchant asks for when it creates an invoice. */
export interface WantedInvoice
  extends Pick<
    NewTransaction,
    | 'amount'
    | 'currencyCode'
    | 'contractCode'
    | 'customerEmail'
    | 'redirectUrl'
    | 'paymentMethods'
    | 'incomeSplitConfig'
  > {
  readonly invoiceReference: string
  readonly customerName: string
  readonly description: string
  readonly expiryDate: Date
  /** The reserved account to attach it to, where one is named. */
  readonly accountReference: string | undefined
}

/** Creates an invoice: a transaction with an account of its own, or with the reserved account it is attached to. */
export async function createInvoice(deps: Deps, merchant: Merchant, wanted: WantedInvoice): Promise<Invoice> {
  const at = deps.clock.now()
  if (wanted.expiryDate <= at) throw invoiceErrors.expiryPast()
  if (wanted.expiryDate > monthsAfter(at, EXPIRY_MONTHS_MAX)) throw invoiceErrors.expiryTooFar(EXPIRY_MONTHS_MAX)
  return inTransaction(deps.db, (tx) =>
    wanted.accountReference === undefined
      ? createDynamic(tx, deps, merchant, wanted, at)
      : createAttached(tx, deps, merchant, { ...wanted, accountReference: wanted.accountReference }, at),
  )
}

async function createDynamic(
  tx: Tx,
  { ids, virtualAccounts }: Deps,
  merchant: Merchant,
  wanted: WantedInvoice,
  at: Date,
): Promise<Invoice> {
  const transaction = draft({ ids, at }, merchant, wanted)
  await insertUnlessTaken(tx, transaction)
  const [account] = transaction.paymentMethods.includes('ACCOUNT_TRANSFER')
    ? await virtualAccounts.open(tx, [
        {
          bankCode: DEFAULT_BANK.code,
          merchantId: merchant.id,
          purpose: 'transaction',
          ownerId: transaction.id,
          // As many whole characters as fit: half of one would be no text.
          accountName: accountName(wanted.description),
          openedAt: at,
          closesAt: transaction.expiresAt,
        },
      ])
    : []
  return finish(tx, merchant, wanted.incomeSplitConfig, transaction, account)
}

async function createAttached(
  tx: Tx,
  { ids }: Deps,
  merchant: Merchant,
  wanted: WantedInvoice & { readonly accountReference: string },
  at: Date,
): Promise<Invoice> {
  const free = await lockFreeAccount(tx, merchant.id, wanted.accountReference, at)
  const isSplit = wanted.incomeSplitConfig.length > 0
  const transaction = draft({ ids, at }, merchant, {
    ...wanted,
    // Without splits of its own it is split as the account's payments are.
    ...(isSplit ? {} : { agreedSplits: free.account.agreedSplits }),
    reservedAccountId: free.account.id,
  })
  if (!transaction.paymentMethods.includes('ACCOUNT_TRANSFER')) throw invoiceErrors.transferNotEnabled()
  await insertUnlessTaken(tx, transaction)
  await attach(tx, free, transaction.id)
  const sentSplits = isSplit ? wanted.incomeSplitConfig : free.account.incomeSplitConfig
  return finish(tx, merchant, sentSplits, transaction, free.number)
}

const draft = (
  tools: { readonly ids: IdSource; readonly at: Date },
  merchant: Merchant,
  wanted: WantedInvoice & Pick<NewTransaction, 'reservedAccountId' | 'agreedSplits'>,
): TransactionRow =>
  draftTransaction(tools, merchant, {
    amount: wanted.amount,
    currencyCode: wanted.currencyCode,
    contractCode: wanted.contractCode,
    customerName: wanted.customerName,
    customerEmail: wanted.customerEmail,
    redirectUrl: wanted.redirectUrl,
    paymentMethods: wanted.paymentMethods,
    incomeSplitConfig: wanted.incomeSplitConfig,
    ...(wanted.agreedSplits === undefined ? {} : { agreedSplits: wanted.agreedSplits }),
    metaData: {},
    paymentDescription: wanted.description,
    paymentReference: wanted.invoiceReference,
    productType: 'INVOICE',
    productReference: wanted.invoiceReference,
    invoiceReference: wanted.invoiceReference,
    expiresAt: wanted.expiryDate,
    reservedAccountId: wanted.reservedAccountId,
  })

/** An invoice's reference is its payment's, so neither another invoice nor another payment may have it. */
async function insertUnlessTaken(tx: Tx, transaction: TransactionRow): Promise<void> {
  if (!(await insertTransactions(tx, [transaction]))) throw invoiceErrors.duplicateReference()
}

async function finish(
  tx: Tx,
  merchant: Merchant,
  sentSplits: WantedInvoice['incomeSplitConfig'],
  transaction: TransactionRow,
  account: VirtualAccount | undefined,
): Promise<Invoice> {
  const beyond = {
    createdBy: merchant.apiKey,
    sentSplits,
    bankCode: account?.bankCode ?? null,
    accountNumber: account?.accountNumber ?? null,
    accountName: account?.accountName ?? null,
  }
  await insertInvoice(tx, { merchantId: merchant.id, transactionId: transaction.id, ...beyond })
  return { ...transaction, ...beyond }
}

export async function getInvoice(db: Db, merchantId: bigint, invoiceReference: string): Promise<Invoice> {
  const invoice = await findInvoice(db, merchantId, invoiceReference)
  if (invoice === undefined) throw invoiceErrors.notFound()
  return invoice
}

/** A page of invoices, newest first, and how many there are in all. */
export async function listInvoices(
  db: Db,
  merchantId: bigint,
  { page = 0, size = PAGE_SIZE_DEFAULT }: { page?: number | undefined; size?: number | undefined },
): Promise<{ rows: Invoice[]; total: number; page: number; size: number }> {
  const limit = Math.min(size, PAGE_SIZE_MAX)
  const [rows, total] = await Promise.all([
    selectInvoices(db, merchantId, limit, page * limit),
    countInvoices(db, merchantId),
  ])
  return { rows, total, page, size: limit }
}

/** Cancels an invoice that nobody has paid, with its transaction. */
export const cancelInvoice = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: bigint,
  invoiceReference: string,
): Promise<Invoice> =>
  inTransaction(db, async (tx) => {
    const invoice = await findInvoice(tx, merchantId, invoiceReference)
    if (invoice === undefined) throw invoiceErrors.notFound()
    const [transaction] = await lockTransactions(tx, [invoice])
    invariant(transaction !== undefined, 'an invoice has a transaction')
    const at = clock.now()
    const status = invoiceStatus(transaction, at)
    if (next(invoiceMachine, status, 'cancel') === undefined) throw invoiceErrors.notCancellable(status)
    const after = cancelled(transaction, at)
    if (after === undefined) throw invoiceErrors.partlyPaid()
    await updateTransactions(tx, [after])
    return { ...invoice, ...after }
  })
