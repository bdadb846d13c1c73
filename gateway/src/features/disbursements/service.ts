import type { SenderInfo } from '@kobo/contract'
import type { Static } from 'typebox'
import { findOfferedBank } from '../../core/bank-list/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Balances, WalletKey } from '../../core/money/wallet-balances/index.ts'
import { findOrder, type Orders } from '../../core/orders/index.ts'
import { priceOn } from '../../core/pricing/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { matchNames } from '../../kernel/names.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import { AUTHORIZE_SECONDS_MAX, type Gate, gateOf, type Maker, requestFor } from '../approvals/index.ts'
import type { AcceptLane } from './accept.ts'
import { type AuthorizeDeps, authorize, mailCode, resendCode, singleTransfer, wholeBatch } from './authorize.ts'
import { disbursementErrors } from './errors.ts'
import { bvnContext, type TransferOrders, transferOrder } from './orders.ts'
import { newCode } from './otp.ts'
import { factsOf } from './payouts.ts'
import { findTransfer, type TransferKey, type TransferRow } from './repository.ts'

export const CURRENCY_CODE = 'NGN'
const ACCOUNT_NUMBER = /^\d{10}$/

/** The sender of a transfer, if it is not the merchant. */
export type Sender = Static<typeof SenderInfo>

export interface TransferFacts {
  readonly amount: Kobo
  readonly reference: string
  readonly narration: string
  readonly currencyCode: string
  readonly sourceAccountNumber: string
  readonly destination: BankAccount
  readonly destinationAccountName: string | null
  readonly batchId: bigint | null
}

/** A merchant's request for a transfer. */
export interface NewTransfer extends Omit<TransferFacts, 'batchId'> {
  /** Null if the merchant left it out: then there is no name to compare with the bank's. */
  readonly destinationAccountName: string | null
  /** Whether to return PENDING at once and send in the background. */
  readonly isAsync: boolean
  readonly senderInfo: Sender | null
  readonly senderBvn: Hidden<string> | null
}

export interface TransferDeps extends AuthorizeDeps {
  readonly enquiries: Pick<Enquiries, 'transfer'>
  /** The only way to call partners. */
  readonly orders: Orders
  readonly transfers: TransferOrders
  readonly accept: AcceptLane
}

/** Returns the error of an account that cannot exist. Does not query the bank. */
export function accountRefusal(
  { bankCode, accountNumber }: BankAccount,
  field = 'destinationAccountNumber',
): Refusal | undefined {
  if (findOfferedBank(bankCode, 'transfers') === undefined) return disbursementErrors.unknownBank(bankCode)
  return ACCOUNT_NUMBER.test(accountNumber) ? undefined : disbursementErrors.malformedAccount(field)
}

/** Queries the bank for the name of an account. */
export async function accountName(rail: Enquiries['transfer'], account: BankAccount, field?: string): Promise<string> {
  const error = accountRefusal(account, field)
  if (error !== undefined) throw error
  const enquiry = await rail.nameEnquiry(account)
  if (enquiry.kind === 'unavailable') throw disbursementErrors.enquiryUnavailable()
  if (enquiry.kind === 'not found') throw disbursementErrors.unknownAccount()
  return enquiry.accountName
}

/** Sends money to a bank account: at once, or after an OTP or an approval. */
export async function initiateTransfer(
  deps: TransferDeps,
  merchant: Merchant,
  requested: NewTransfer,
  maker?: Maker,
): Promise<TransferRow> {
  const { core, codeKey, accept, orders, transfers } = deps
  if (requested.currencyCode !== CURRENCY_CODE) throw disbursementErrors.unknownCurrency()
  const heldName = await accountName(deps.enquiries.transfer, requested.destination)
  const { verdict } = matchNames(requested.destinationAccountName ?? heldName, heldName)
  if (verdict === 'refuse') throw disbursementErrors.anotherName()

  const at = core.clock.now()
  const gate = gateOf(merchant, maker, requested.amount)
  const facts = { ...requested, destinationAccountName: heldName, batchId: null }
  const begun = beginTransfer(core.ids, merchant, facts, gate, at)
  const draft: TransferRow = {
    ...begun,
    flagged: verdict === 'flag',
    senderInfo: requested.senderInfo,
    senderBvn: sealedBvn(core.keyring, begun, requested.senderBvn),
  }
  if (gate.kind === 'approval') {
    const request = requestFor(draft, 'TRANSFER', factsOf([draft]), maker, gate.needed)
    return accept({ transfer: draft, order: transferOrder(orders, draft, 'held'), request })
  }
  if (gate.kind === 'code') {
    const { code, authorization } = newCode(codeKey, draft, at)
    const order = transferOrder(orders, draft, 'held')
    const awaiting = await accept({ transfer: draft, order, authorization })
    return (await mailCode(deps, singleTransfer, merchant, awaiting, code)).row
  }
  // If the bank does not respond, the transfer stays PENDING and a worker takes over.
  const order = transferOrder(orders, draft, requested.isAsync ? 'worker' : 'caller if responsive')
  const accepted = await accept({ transfer: draft, order })
  return order.state === 'SENT' ? transfers.send(order, accepted) : accepted
}

const sealedBvn = (keyring: Keyring, key: TransferKey, bvn: Hidden<string> | null): string | null =>
  bvn === null ? null : keyring.seal(bvn.reveal(), bvnContext(key)).toString('base64')

/** Returns a new transfer, which awaits authorization if it needs one; otherwise it is ready to send. */
export function beginTransfer(
  ids: IdSource,
  { id: merchantId, prices }: Merchant,
  facts: TransferFacts,
  gate: Gate,
  at: Date,
): TransferRow {
  const waits = gate.kind !== 'none'
  return {
    merchantId,
    id: ids.id(),
    transactionReference: ids.disbursementReference('KFDS'),
    reference: facts.reference,
    batchId: facts.batchId,
    isDuplicate: false,
    status: waits ? 'PENDING_AUTHORIZATION' : 'PENDING',
    amount: facts.amount,
    fee: priceOn(prices, 'transfer', facts.amount, at),
    currencyCode: facts.currencyCode,
    narration: facts.narration,
    sourceAccountNumber: facts.sourceAccountNumber,
    destinationBankCode: facts.destination.bankCode,
    destinationAccountNumber: facts.destination.accountNumber,
    destinationAccountName: facts.destinationAccountName,
    flagged: false,
    twoFaEnabled: waits,
    senderInfo: null,
    senderBvn: null,
    sessionId: null,
    failureReason: null,
    createdAt: at,
    completedAt: null,
    authorizeBy: waits ? secondsAfter(at, AUTHORIZE_SECONDS_MAX) : null,
  }
}

/** Authorizes a transfer with its OTP and sends it. */
export async function authorizeTransfer(
  deps: TransferDeps,
  merchantId: bigint,
  reference: string,
  code: string,
): Promise<TransferRow> {
  const { row, isNew } = await authorize(deps, singleTransfer, merchantId, reference, code)
  const order = isNew ? await findOrder(deps.core.db, row) : undefined
  return order === undefined ? row : deps.transfers.send(order, row)
}

/** Emails a new code for a transfer or a batch. The endpoint decides which of the two is looked up first. */
export async function resend(
  deps: AuthorizeDeps,
  merchant: Merchant,
  reference: string,
  first: 'transfer' | 'batch',
): Promise<void> {
  const ofTransfer = () => resendCode(deps, singleTransfer, merchant, reference)
  const ofBatch = () => resendCode(deps, wholeBatch, merchant, reference)
  const [one, other] = first === 'transfer' ? [ofTransfer, ofBatch] : [ofBatch, ofTransfer]
  if ((await one()) || (await other())) return
  throw first === 'transfer' ? disbursementErrors.unknownTransfer() : disbursementErrors.unknownBatch()
}

export async function getTransfer(db: Db, merchantId: bigint, reference: string): Promise<TransferRow> {
  const transfer = await findTransfer(db, merchantId, reference)
  if (transfer === undefined) throw disbursementErrors.unknownTransfer()
  return transfer
}

/** Whether a stored transfer matches a request with the same reference. */
export const matchesRequest = (
  transfer: TransferRow,
  { amount, sourceAccountNumber, destination }: NewTransfer,
): boolean =>
  transfer.batchId === null &&
  transfer.amount === amount &&
  transfer.sourceAccountNumber === sourceAccountNumber &&
  transfer.destinationBankCode === destination.bankCode &&
  transfer.destinationAccountNumber === destination.accountNumber

/** Reads a wallet's balances through a lane. */
export type ReadBalances = (wallet: WalletKey) => Promise<Balances | undefined>

export async function getBalances(read: ReadBalances, merchantId: bigint, accountNumber: string): Promise<Balances> {
  const balances = await read({ merchantId, accountNumber })
  if (balances === undefined) throw disbursementErrors.unknownWallet()
  return balances
}
