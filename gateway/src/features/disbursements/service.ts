import type { SenderInfo } from '@kobo/contract'
import type { Static } from 'typebox'
import type { Merchant } from '../../core/merchants/index.ts'
import { findOfferedBank } from '../../core/money/bank-list/index.ts'
import { priceOn } from '../../core/money/pricing/index.ts'
import type { Balances, WalletKey } from '../../core/money/wallet-balances/index.ts'
import { findOrder, type Orders } from '../../core/orders/index.ts'
import type { Enquiries } from '../../core/routing/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { matchNames } from '../../kernel/names.ts'
import type { Db } from '../../platform/db.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import type { AcceptLane } from './accept.ts'
import { requestFor } from './approval-request.ts'
import { type AuthorizeDeps, authorize, mailCode, resendCode, singleTransfer, wholeBatch } from './authorize.ts'
import { disbursementErrors } from './errors.ts'
import { bvnContext, type TransferOrders, transferOrder } from './orders.ts'
import { AUTHORIZE_SECONDS_MAX, newCode } from './otp.ts'
import { type Gate, gateOf, type Maker } from './policy.ts'
import { findTransfer, type TransferKey, type TransferRow } from './repository.ts'

export const CURRENCY_CODE = 'NGN'
const ACCOUNT_NUMBER = /^\d{10}$/

/** Who stands behind a transfer, where that is not the merchant. */
export type Sender = Static<typeof SenderInfo>

/** What tells one new transfer from another. */
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

/** What a merchant asks for when it sends money. */
export interface NewTransfer extends Omit<TransferFacts, 'batchId'> {
  readonly destinationAccountName: string
  /** Answer at once and finish later. */
  readonly isAsync: boolean
  readonly senderInfo: Sender | null
  readonly senderBvn: Hidden<string> | null
}

export interface TransferDeps extends AuthorizeDeps {
  readonly enquiries: Pick<Enquiries, 'transfer'>
  /** The one door to the outside, and the transfers that go through it. */
  readonly orders: Orders
  readonly transfers: TransferOrders
  readonly accept: AcceptLane
}

/** Why an account cannot be one, without asking anybody. */
export function accountRefusal(
  { bankCode, accountNumber }: BankAccount,
  field = 'destinationAccountNumber',
): Refusal | undefined {
  if (findOfferedBank(bankCode, 'transfers') === undefined) return disbursementErrors.unknownBank(bankCode)
  return ACCOUNT_NUMBER.test(accountNumber) ? undefined : disbursementErrors.malformedAccount(field)
}

/** The name under which a bank holds an account. */
export async function accountName(rail: Enquiries['transfer'], account: BankAccount, field?: string): Promise<string> {
  const refused = accountRefusal(account, field)
  if (refused !== undefined) throw refused
  const enquiry = await rail.nameEnquiry(account)
  if (enquiry.kind === 'unavailable') throw disbursementErrors.enquiryUnavailable()
  if (enquiry.kind === 'not found') throw disbursementErrors.unknownAccount()
  return enquiry.accountName
}

/** Sends money to a bank account: at once, or once it is authorised by a code or approved by people. */
export async function initiateTransfer(
  deps: TransferDeps,
  merchant: Merchant,
  wanted: NewTransfer,
  maker?: Maker,
): Promise<TransferRow> {
  const { core, codeKey, accept, orders, transfers } = deps
  if (wanted.currencyCode !== CURRENCY_CODE) throw disbursementErrors.unknownCurrency()
  const heldName = await accountName(deps.enquiries.transfer, wanted.destination)
  const { verdict } = matchNames(wanted.destinationAccountName, heldName)
  if (verdict === 'refuse') throw disbursementErrors.anotherName()

  const at = core.clock.now()
  const gate = gateOf(merchant, maker, wanted.amount)
  const facts = { ...wanted, destinationAccountName: heldName, batchId: null }
  const begun = beginTransfer(core.ids, merchant, facts, gate, at)
  const draft: TransferRow = {
    ...begun,
    flagged: verdict === 'flag',
    senderInfo: wanted.senderInfo,
    senderBvn: sealedBvn(core.keyring, begun, wanted.senderBvn),
  }
  if (gate.kind === 'approval') {
    const request = requestFor(draft, 'TRANSFER', [draft], maker, gate.needed)
    return accept({ transfer: draft, order: transferOrder(orders, draft, 'nobody yet'), request })
  }
  if (gate.kind === 'code') {
    const { code, authorization } = newCode(codeKey, draft, at)
    const order = transferOrder(orders, draft, 'nobody yet')
    const awaiting = await accept({ transfer: draft, order, authorization })
    return (await mailCode(deps, singleTransfer, merchant, awaiting, code)).row
  }
  // A bank that does not answer is left to the background: it is PENDING until then.
  const order = transferOrder(orders, draft, wanted.isAsync ? 'worker' : 'caller while answered')
  const accepted = await accept({ transfer: draft, order })
  return order.state === 'SENT' ? transfers.send(order, accepted) : accepted
}

const sealedBvn = (keyring: Keyring, key: TransferKey, bvn: Hidden<string> | null): string | null =>
  bvn === null ? null : keyring.seal(bvn.reveal(), bvnContext(key)).toString('base64')

/** A transfer as it begins: to be authorised where something must let it go, else to be sent by whoever takes it first. */
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

/** Authorises a transfer with its code, and sends it. */
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

/** Mails a new code for a transfer or a batch. Which of the two is looked for first depends on who asks. */
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

/** Whether a transfer is what a merchant asks for, and not another one under its reference. */
export const isAskedFor = (transfer: TransferRow, { amount, sourceAccountNumber, destination }: NewTransfer): boolean =>
  transfer.batchId === null &&
  transfer.amount === amount &&
  transfer.sourceAccountNumber === sourceAccountNumber &&
  transfer.destinationBankCode === destination.bankCode &&
  transfer.destinationAccountNumber === destination.accountNumber

/** Reads what a wallet holds, through a lane. */
export type ReadBalances = (wallet: WalletKey) => Promise<Balances | undefined>

/** What a wallet of the merchant holds. */
export async function getBalances(read: ReadBalances, merchantId: bigint, accountNumber: string): Promise<Balances> {
  const balances = await read({ merchantId, accountNumber })
  if (balances === undefined) throw disbursementErrors.unknownWallet()
  return balances
}
