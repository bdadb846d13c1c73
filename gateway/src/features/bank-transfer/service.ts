import {
  type AccountToOpen,
  accountErrors,
  accountName,
  accountsOf,
  type IssuedNumber,
  type NumberRequest,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../core/account-numbers/index.ts'
import type { Bank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Lane } from '../../platform/lanes/lane.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import {
  markRequestedByServer,
  type Transaction,
  transactionErrors,
  transactionReads,
  transactionRules,
} from '../transactions/index.ts'
import { bankTransferErrors } from './errors.ts'

/** A request to pay a transaction into an account, by transfer or USSD. */
export interface AccountRequest {
  readonly merchant: Merchant
  readonly transactionReference: string
  readonly method: 'ACCOUNT_TRANSFER' | 'USSD'
  /** The caller: the merchant's server, or the payer on the hosted checkout. */
  readonly by: 'server' | 'payer'
  /** The customer's bank, if given. The account is opened there if it is one of our partner banks. */
  readonly bank: Bank | undefined
  /** The account number, once the bank has issued it. */
  readonly issued?: IssuedNumber | undefined
}

/** A transaction with the account to pay it into. */
export interface PaymentAccount {
  readonly transaction: Transaction
  readonly account: VirtualAccount
}

type MissingNumber = Omit<NumberRequest, 'partner'>

/** A transaction for which a bank has to issue a number first. */
interface NumberMissing {
  readonly missing: MissingNumber
}

export type BankTransferLane = Lane<AccountRequest, PaymentAccount | NumberMissing>

/** Gives a transaction an account to pay into. */
export type AssignAccount = (request: AccountRequest) => Promise<PaymentAccount>

/**
 * Assigns accounts through a lane. If a bank issues its own numbers, the request leaves the lane for the call to the
 * bank and enters it again afterwards. So no database transaction is open during the call.
 */
export const assignThrough =
  (lane: BankTransferLane, { numbersFor }: Pick<VirtualAccounts, 'numbersFor'>): AssignAccount =>
  async (request) => {
    const first = await lane(request)
    if (!('missing' in first)) return first
    const { bankCode } = first.missing
    const issued = (await numbersFor(first.missing, [bankCode])).get(bankCode)
    const second = await lane({ ...request, issued })
    invariant(!('missing' in second), 'the account can be opened with the issued number')
    return second
  }

interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
}

/** Handles a batch of requests, opening one account for each transaction that has none yet. */
export const assignAccounts = (
  { core, virtualAccounts }: Deps,
  requests: readonly AccountRequest[],
): Promise<(PaymentAccount | NumberMissing | Refusal)[]> =>
  unitOfWork(core, async (unit) => {
    const transactions = await lockRequested(unit.tx, requests)
    const checked = requests.map((request) => check(request, transactions.get(request.transactionReference), unit.at))
    const good = checked.filter((one) => 'transaction' in one)
    const accounts = await ensureAccounts(unit, virtualAccounts, good)
    const requested = new Set(good.flatMap(({ request, transaction }) => (request.by === 'server' ? transaction : [])))
    const marked = new Map(markRequestedByServer(unit, [...requested]).map((row) => [row.id, row]))
    return checked.map((one) => {
      if (!('transaction' in one)) return one
      const account = accounts.get(one.transaction.id)
      invariant(account !== undefined, 'a transaction has an account or an error')
      if (account instanceof Refusal || 'missing' in account) return account
      return { transaction: marked.get(one.transaction.id) ?? one.transaction, account }
    })
  })

async function lockRequested(tx: Tx, requests: readonly AccountRequest[]): Promise<ReadonlyMap<string, Transaction>> {
  const keys = requests.map(({ merchant, transactionReference }) => ({ merchantId: merchant.id, transactionReference }))
  const rows = await transactionReads.lockByReferences(tx, keys)
  return new Map(rows.map((row) => [row.transactionReference, row]))
}

interface CheckedRequest {
  readonly request: AccountRequest
  readonly transaction: Transaction
}

function check(request: AccountRequest, transaction: Transaction | undefined, at: Date): CheckedRequest | Refusal {
  // A batch has requests of several merchants: a transaction found for one merchant must not be shown to another.
  if (transaction === undefined || transaction.merchantId !== request.merchant.id) return transactionErrors.unknown()
  const closed = transactionRules.checkOpen(transaction, at)
  if (closed !== undefined) return closed
  if (!transaction.paymentMethods.includes(request.method)) return bankTransferErrors.methodNotEnabled(request.method)
  return { request, transaction }
}

/**
 * Returns the account of each transaction, or its error. A new account is opened at the customer's bank if that is a
 * partner bank, otherwise at the first partner bank.
 */
async function ensureAccounts(
  { tx, at }: UnitOfWork,
  virtualAccounts: VirtualAccounts,
  checked: readonly CheckedRequest[],
): Promise<ReadonlyMap<bigint, VirtualAccount | NumberMissing | Refusal>> {
  const accounts: Map<bigint, VirtualAccount | NumberMissing | Refusal> = await existingAccounts(
    tx,
    checked.map(({ transaction }) => transaction),
  )
  const requested = new Map<bigint, AccountToOpen>()
  const { bankCodes } = virtualAccounts.sources()
  for (const { request, transaction } of checked) {
    if (accounts.has(transaction.id) || requested.has(transaction.id)) continue
    const bankCode = request.issued?.bankCode ?? bankCodes.find((code) => code === request.bank?.code) ?? bankCodes[0]
    const account = { ...accountFor(request, transaction, at), bankCode: bankCode ?? '' }
    if (bankCode === undefined) accounts.set(transaction.id, accountErrors.noSource())
    else if (request.issued === undefined && virtualAccounts.isIssued(bankCode))
      accounts.set(transaction.id, { missing: numberFor(account, transaction) })
    else requested.set(transaction.id, { ...account, issued: request.issued })
  }
  const opened = await virtualAccounts.open(tx, [...requested.values()])
  for (const [nth, transactionId] of [...requested.keys()].entries())
    accounts.set(transactionId, opened[nth] as VirtualAccount | Refusal)
  return accounts
}

/** Finds the existing accounts of transactions: their own or, for some invoices, the customer's reserved account. */
async function existingAccounts(tx: Tx, transactions: readonly Transaction[]): Promise<Map<bigint, VirtualAccount>> {
  const own = await accountsOf(
    tx,
    'transaction',
    transactions.map(({ merchantId, id }) => ({ merchantId, ownerId: id })),
  )
  const accounts = new Map(own.map((account) => [account.ownerId, account]))
  const attached = transactions.flatMap(({ merchantId, id, reservedAccountId }) =>
    reservedAccountId === null ? [] : { merchantId, id, ownerId: reservedAccountId },
  )
  if (attached.length === 0) return accounts
  const reserved = await accountsOf(tx, 'reserved-account', attached)
  for (const { id, ownerId } of attached) {
    const first = reserved.find((account) => account.ownerId === ownerId)
    if (first !== undefined) accounts.set(id, first)
  }
  return accounts
}

const accountFor = ({ merchant }: AccountRequest, transaction: Transaction, at: Date) =>
  ({
    merchantId: transaction.merchantId,
    purpose: 'transaction',
    ownerId: transaction.id,
    accountName: nameOf(merchant.name, transaction.paymentDescription),
    openedAt: at,
    closesAt: transaction.expiresAt,
  }) as const

const numberFor = (
  { bankCode, accountName: name }: AccountToOpen,
  { merchantId, transactionReference, expiresAt }: Transaction,
): MissingNumber => ({
  ...{ merchantId, purpose: 'transaction', ownerKey: transactionReference, bankCode, accountName: name, expiresAt },
  customer: null,
})

const nameOf = (merchantName: string, description: string | null): string =>
  accountName(description ? `${merchantName}-${description}` : merchantName)
