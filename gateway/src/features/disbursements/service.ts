import type { SenderInfo } from '@kobo/contract'
import type { Static } from 'typebox'
import { findBank } from '../../core/banks/index.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { transferFee } from '../../core/pricing.ts'
import { walletBalances } from '../../core/wallets/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import { matchNames } from '../../kernel/names.ts'
import type { Db } from '../../platform/db.ts'
import type { Rails } from '../../rails/index.ts'
import type { BankAccount, TransferRail } from '../../rails/transfer.ts'
import type { AcceptLane } from './accept.ts'
import { type AuthorizeDeps, authorize, mailCode, resendCode, singleTransfer, wholeBatch } from './authorize.ts'
import { disbursementErrors } from './errors.ts'
import { AUTHORIZE_SECONDS_MAX, newCode } from './otp.ts'
import { countTransfers, findTransfer, selectTransfers, type TransferFilter, type TransferRow } from './repository.ts'
import { bvnContext, handedOver, type Transfers } from './send.ts'

export const CURRENCY_CODE = 'NGN'
const ACCOUNT_NUMBER = /^\d{10}$/

/** Who stands behind a transfer, where that is not the merchant. */
export type Sender = Static<typeof SenderInfo>

/** What a merchant asks for when it sends money. */
export interface NewTransfer {
  readonly amount: Kobo
  readonly reference: string
  readonly narration: string
  readonly currencyCode: string
  readonly sourceAccountNumber: string
  readonly destination: BankAccount
  readonly destinationAccountName: string
  /** Answer at once and finish later. */
  readonly isAsync: boolean
  readonly senderInfo: Sender | null
  readonly senderBvn: Hidden<string> | null
}

export interface TransferDeps extends AuthorizeDeps {
  readonly ids: IdSource
  readonly keyring: Keyring
  readonly rails: Pick<Rails, 'transfer'>
  readonly transfers: Transfers
  readonly accept: AcceptLane
}

/** Why an account cannot be one, without asking anybody. */
export function accountRefusal(
  { bankCode, accountNumber }: BankAccount,
  field = 'destinationAccountNumber',
): Refusal | undefined {
  if (findBank(bankCode) === undefined) return disbursementErrors.unknownBank(bankCode)
  return ACCOUNT_NUMBER.test(accountNumber) ? undefined : disbursementErrors.malformedAccount(field)
}

/** The name under which a bank holds an account. */
export async function accountName(rail: TransferRail, account: BankAccount, field?: string): Promise<string> {
  const refused = accountRefusal(account, field)
  if (refused !== undefined) throw refused
  const enquiry = await rail.nameEnquiry(account)
  if (enquiry.kind === 'unavailable') throw disbursementErrors.enquiryUnavailable()
  if (enquiry.kind === 'not found') throw disbursementErrors.unknownAccount()
  return enquiry.accountName
}

/** Sends money to a bank account: at once, or once it is authorised by a code. */
export async function initiateTransfer(
  deps: TransferDeps,
  merchant: Merchant,
  wanted: NewTransfer,
): Promise<TransferRow> {
  const { clock, wall, codeKey, accept, transfers } = deps
  if (wanted.currencyCode !== CURRENCY_CODE) throw disbursementErrors.unknownCurrency()
  const heldName = await accountName(deps.rails.transfer, wanted.destination)
  const { verdict } = matchNames(wanted.destinationAccountName, heldName)
  if (verdict === 'refuse') throw disbursementErrors.anotherName()

  const at = clock.now()
  const draft = draftTransfer(deps, merchant, wanted, { accountName: heldName, flagged: verdict === 'flag' }, at)
  if (merchant.otpEnabled) {
    const { code, authorization } = newCode(codeKey, draft, at)
    const awaiting = await accept({
      transfer: {
        ...draft,
        status: 'PENDING_AUTHORIZATION',
        twoFaEnabled: true,
        dueAt: secondsAfter(at, AUTHORIZE_SECONDS_MAX),
      },
      authorization,
    })
    return (await mailCode(deps, singleTransfer, merchant, awaiting, code)).row
  }
  if (!wanted.isAsync) return transfers.send(await accept({ transfer: handedOver(draft, at, wall.now()) }))
  const accepted = await accept({ transfer: draft })
  transfers.poke()
  return accepted
}

/** A transfer as it begins: PENDING, and to be sent by whoever takes it first. */
function draftTransfer(
  { ids, keyring }: TransferDeps,
  merchant: Merchant,
  wanted: NewTransfer,
  held: { readonly accountName: string; readonly flagged: boolean },
  at: Date,
): TransferRow {
  const key = { merchantId: merchant.id, id: ids.id() }
  const { senderBvn } = wanted
  return {
    ...key,
    transactionReference: ids.disbursementReference('KFDS'),
    reference: wanted.reference,
    batchId: null,
    isDuplicate: false,
    status: 'PENDING',
    amount: wanted.amount,
    fee: transferFee(wanted.amount),
    currencyCode: wanted.currencyCode,
    narration: wanted.narration,
    sourceAccountNumber: wanted.sourceAccountNumber,
    destinationBankCode: wanted.destination.bankCode,
    destinationAccountNumber: wanted.destination.accountNumber,
    destinationAccountName: held.accountName,
    flagged: held.flagged,
    twoFaEnabled: false,
    senderInfo: wanted.senderInfo,
    senderBvn: senderBvn === null ? null : keyring.seal(senderBvn.reveal(), bvnContext(key)).toString('base64'),
    sessionId: null,
    failureReason: null,
    createdAt: at,
    completedAt: null,
    dueAt: at,
    leasedUntil: null,
    isHandedOver: false,
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
  return isNew ? deps.transfers.send(row) : row
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

/** A page of transfers and how many there are in all. */
export async function listTransfers(
  db: Db,
  merchantId: bigint,
  filter: TransferFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly TransferRow[]; readonly total: number }> {
  const [rows, total] = await Promise.all([
    selectTransfers(db, merchantId, filter, size, page * size),
    countTransfers(db, merchantId, filter),
  ])
  return { rows, total }
}

/** What a wallet of the merchant holds. */
export async function getBalances(
  db: Db,
  merchantId: bigint,
  accountNumber: string,
): Promise<{ readonly available: Kobo; readonly ledger: Kobo }> {
  const balances = await walletBalances(db, { merchantId, accountNumber })
  if (balances === undefined) throw disbursementErrors.unknownWallet()
  return balances
}
