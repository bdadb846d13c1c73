import {
  accountName,
  type IssuedNumber,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import { inLanguage, textsIn } from '../../core/edge/pages/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { CustomerMails } from '../../core/messages/customer-mails.ts'
import { notify } from '../../core/messages/notices.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { monthsAfter } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { sum, toNairaText } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import { attach, lockFreeAccount } from '../reserved-accounts/index.ts'
import {
  type CheckoutLinks,
  cancelTransaction,
  draftTransaction,
  type NewTransaction,
  openTransaction,
  type Transaction,
  transactionReads,
} from '../transactions/index.ts'
import { invoiceErrors } from './errors.ts'
import { invoiceMachine } from './machine.ts'
import { invoiceMail } from './mail.ts'
import {
  findInvoiceRow,
  type InvoiceItem,
  type InvoiceRow,
  insertInvoice,
  priceOf,
  selectInvoiceRows,
} from './repository.ts'
import { invoiceStatus } from './status.ts'

const EXPIRY_MONTHS_MAX = 6

export interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

export type Invoice = Transaction & Omit<InvoiceRow, 'transactionId'>

/** A merchant's request for a new invoice. */
export interface NewInvoice
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
  readonly items: readonly InvoiceItem[]
  /** The reserved account to attach it to, if given. */
  readonly accountReference: string | undefined
}

/** Creates an invoice: a transaction with its own account, or with the reserved account it is attached to. */
export async function createInvoice(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  requested: NewInvoice,
): Promise<Invoice> {
  const { expiryDate, accountReference } = requested
  const now = core.clock.now()
  if (expiryDate <= now) throw invoiceErrors.expiryPast()
  if (expiryDate > monthsAfter(now, EXPIRY_MONTHS_MAX)) throw invoiceErrors.expiryTooFar(EXPIRY_MONTHS_MAX)
  const total = sum(requested.items.map(priceOf))
  if (requested.items.length > 0 && total !== requested.amount) throw invoiceErrors.itemsDiffer(toNairaText(total))
  const issued =
    accountReference === undefined ? await issuedNumber({ core, virtualAccounts }, merchant, requested) : undefined
  return unitOfWork(core, (unit) =>
    accountReference === undefined
      ? createDynamic(unit, virtualAccounts, merchant, requested, issued)
      : createAttached(unit, merchant, { ...requested, accountReference }),
  )
}

/** Requests the number for an invoice, if the bank issues its own and the reference is not in use. */
async function issuedNumber(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  { invoiceReference, description, expiryDate, customerName: name, customerEmail: email }: NewInvoice,
): Promise<IssuedNumber | undefined> {
  const bankCode = virtualAccounts.sources().bankCodes[0]
  if (bankCode === undefined || !virtualAccounts.isIssued(bankCode)) return undefined
  const taken = await transactionReads.find(core.db, merchant.id, { paymentReference: invoiceReference })
  if (taken !== undefined) throw invoiceErrors.duplicateReference()
  const numbers = await virtualAccounts.numbersFor(
    {
      ...{ merchantId: merchant.id, purpose: 'transaction', ownerKey: invoiceReference, expiresAt: expiryDate },
      accountName: accountName(description),
      customer: { name, email, bvn: null, nin: null },
    },
    [bankCode],
  )
  return numbers.get(bankCode)
}

async function createDynamic(
  unit: UnitOfWork,
  virtualAccounts: VirtualAccounts,
  merchant: Merchant,
  requested: NewInvoice,
  issued: IssuedNumber | undefined,
): Promise<Invoice> {
  const transaction = draft(unit, merchant, requested)
  await openUnlessTaken(unit, transaction)
  const [account] = transaction.paymentMethods.includes('ACCOUNT_TRANSFER')
    ? await virtualAccounts.openAll(unit.tx, [
        {
          bankCode: issued?.bankCode ?? virtualAccounts.firstBank(),
          merchantId: merchant.id,
          purpose: 'transaction',
          ownerId: transaction.id,
          // The description is cut to the length of an account name, at a whole character.
          accountName: accountName(requested.description),
          openedAt: unit.at,
          closesAt: transaction.expiresAt,
          issued,
        },
      ])
    : []
  return finish(unit, merchant, requested, transaction, account)
}

async function createAttached(
  unit: UnitOfWork,
  merchant: Merchant,
  requested: NewInvoice & { readonly accountReference: string },
): Promise<Invoice> {
  const free = await lockFreeAccount(unit, merchant.id, requested.accountReference)
  const isSplit = requested.incomeSplitConfig.length > 0
  const transaction = draft(unit, merchant, {
    ...requested,
    // An invoice without its own splits uses those of the account.
    ...(isSplit ? {} : { agreedSplits: free.account.agreedSplits }),
    reservedAccountId: free.account.id,
  })
  if (!transaction.paymentMethods.includes('ACCOUNT_TRANSFER')) throw invoiceErrors.transferNotEnabled()
  await openUnlessTaken(unit, transaction)
  attach(unit, free, transaction.id)
  const incomeSplitConfig = isSplit ? requested.incomeSplitConfig : free.account.incomeSplitConfig
  return finish(unit, merchant, { ...requested, incomeSplitConfig }, transaction, free.number)
}

const draft = (
  unit: UnitOfWork,
  merchant: Merchant,
  requested: NewInvoice & Pick<NewTransaction, 'reservedAccountId' | 'agreedSplits'>,
): Transaction =>
  draftTransaction(unit, merchant, {
    amount: requested.amount,
    currencyCode: requested.currencyCode,
    contractCode: requested.contractCode,
    customerName: requested.customerName,
    customerEmail: requested.customerEmail,
    redirectUrl: requested.redirectUrl,
    paymentMethods: requested.paymentMethods,
    incomeSplitConfig: requested.incomeSplitConfig,
    agreedSplits: requested.agreedSplits,
    metaData: {},
    paymentDescription: requested.description,
    paymentReference: requested.invoiceReference,
    productType: 'INVOICE',
    productReference: requested.invoiceReference,
    invoiceReference: requested.invoiceReference,
    expiresAt: requested.expiryDate,
    reservedAccountId: requested.reservedAccountId,
  })

/** Opens the transaction. Its reference is also the invoice's, so it must be new among invoices and payments. */
async function openUnlessTaken(unit: UnitOfWork, transaction: Transaction): Promise<void> {
  if (!(await openTransaction(unit, transaction))) throw invoiceErrors.duplicateReference()
}

function finish(
  { tx }: UnitOfWork,
  { id: merchantId, apiKey }: Merchant,
  { incomeSplitConfig: sentSplits, items }: Pick<NewInvoice, 'incomeSplitConfig' | 'items'>,
  transaction: Transaction,
  account: VirtualAccount | undefined,
): Invoice {
  const row: InvoiceRow = {
    merchantId,
    transactionId: transaction.id,
    createdBy: apiKey,
    sentSplits,
    bankCode: account?.bankCode ?? null,
    accountNumber: account?.accountNumber ?? null,
    accountName: account?.accountName ?? null,
    items: items.length === 0 ? null : items.map((item) => ({ ...item, unitPrice: String(item.unitPrice) })),
  }
  insertInvoice(tx, row)
  return { ...row, ...transaction }
}

/** Finds an invoice. Its reference is the payment reference of its transaction, which is unique. */
export async function getInvoice(db: Db | Tx, merchantId: bigint, invoiceReference: string): Promise<Invoice> {
  const transaction = await transactionReads.find(db, merchantId, { paymentReference: invoiceReference })
  const row = transaction === undefined ? undefined : await findInvoiceRow(db, merchantId, transaction.id)
  if (transaction === undefined || row === undefined) throw invoiceErrors.notFound()
  return { ...row, ...transaction }
}

/** Reads a page of invoices, newest first, with the total. */
export async function listInvoices(db: Db, merchantId: bigint, page: RequestedPage): Promise<CountedPage<Invoice>> {
  const found = await selectInvoiceRows(db, merchantId, page)
  const keys = found.rows.map(({ transactionId: id }) => ({ merchantId, id }))
  const transactions = new Map((await transactionReads.byKeys(db, keys)).map((row) => [row.id, row]))
  const rows = found.rows.map((row) => {
    const transaction = transactions.get(row.transactionId)
    invariant(transaction !== undefined, 'an invoice has a transaction')
    return { ...row, ...transaction }
  })
  return { ...found, rows }
}

/** Cancels an unpaid invoice, with its transaction. */
export const cancelInvoice = (core: Core, merchantId: bigint, invoiceReference: string): Promise<Invoice> =>
  unitOfWork(core, async (unit) => {
    const invoice = await getInvoice(unit.tx, merchantId, invoiceReference)
    const [transaction] = await transactionReads.lock(unit.tx, [invoice])
    invariant(transaction !== undefined, 'an invoice has a transaction')
    const status = invoiceStatus(transaction, unit.at)
    if (next(invoiceMachine, status, 'cancel') === undefined) throw invoiceErrors.notCancellable(status)
    const cancelled = cancelTransaction(unit, transaction)
    if (cancelled === undefined) throw invoiceErrors.partlyPaid()
    return { ...invoice, ...cancelled }
  })

export async function mailInvoice(
  { core, customerMails }: { readonly core: Core; readonly customerMails: CustomerMails },
  merchant: Merchant,
  invoiceReference: string,
  links: CheckoutLinks,
  requested: string | undefined,
): Promise<Invoice> {
  const found = await getInvoice(core.db, merchant.id, invoiceReference)
  const { customerName, customerEmail, paymentDescription: description } = found
  await customerMails.check(merchant.id, customerEmail, { invoiceReference, customerName, description })
  const texts = await textsIn(requested)
  return unitOfWork(core, async (unit) => {
    const invoice = await getInvoice(unit.tx, merchant.id, invoiceReference)
    const status = invoiceStatus(invoice, unit.at)
    if (status !== 'PENDING') throw invoiceErrors.notMailable(status)
    const page = links.urlOf(invoice.transactionReference)
    const urls = { url: inLanguage(page, requested), pdfUrl: inLanguage(`${page}/invoice.pdf`, requested) }
    notify(unit, [invoiceMail(invoice, merchant, urls, texts)])
    return invoice
  })
}
