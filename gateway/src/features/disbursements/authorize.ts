import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { release, releaseForCaller } from '../../core/orders/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant, Refusal } from '../../kernel/errors.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { next } from '../../kernel/machine.ts'
import { add, type Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { AUTHORIZE_SECONDS_MAX } from '../approvals/index.ts'
import { checkLocked, countWrongCode } from './code-guard.ts'
import { findCodeGuard, lockCodeGuard } from './code-guard-repository.ts'
import { disbursementErrors } from './errors.ts'
import { type BatchTrigger, batchMachine, type TransferTrigger, transferMachine } from './machine.ts'
import { checkCode, checkResend, codeMail, countsAsAttempt, isRightCode, newCode } from './otp.ts'
import {
  type BatchRow,
  findAuthorization,
  findBatch,
  lockBatches,
  lockTransfer,
  type TransferKey,
  type TransferRow,
  updateAuthorization,
  updateBatches,
  updateItems,
  updateTransfers,
} from './repository.ts'

export interface AuthorizeDeps {
  readonly core: Core
  readonly mailer: Mailer
  readonly codeKey: Buffer
}

/** A kind of payout that an OTP can authorize. */
export interface Authorizable<Row> {
  readonly lock: (tx: Tx, merchantId: bigint, reference: string) => Promise<Row | undefined>
  readonly unknown: () => Refusal
  readonly isAwaiting: (row: Row) => boolean
  readonly move: (unit: UnitOfWork, row: Row, trigger: 'authorize' | 'mail' | 'failToMail') => Promise<Row>
  /** The description in the email. */
  readonly describe: (row: Row) => { readonly what: string; readonly reference: string; readonly amount: Kobo }
}

type Owner = TransferKey & { readonly status: string; readonly createdAt: Date }

/** A single transfer. An item of a batch is authorized with its batch. */
export const singleTransfer: Authorizable<TransferRow> = {
  lock: async (tx, merchantId, reference) => {
    const transfer = await lockTransfer(tx, merchantId, reference)
    if (transfer !== undefined && transfer.batchId !== null) throw disbursementErrors.partOfBatch()
    return transfer
  },
  unknown: disbursementErrors.unknownTransfer,
  isAwaiting: ({ status }) => status === 'PENDING_AUTHORIZATION' || status === 'OTP_EMAIL_DISPATCH_FAILED',
  move: async (unit, transfer, trigger) => {
    const isAuthorized = trigger === 'authorize'
    const authorizeBy = isAuthorized ? null : transfer.authorizeBy
    const moved = { ...transfer, status: afterTrigger(transfer.status, trigger), authorizeBy }
    updateTransfers(unit.tx, [moved])
    if (isAuthorized) await releaseForCaller(unit, moved)
    return moved
  },
  describe: ({ reference, amount, fee, destinationAccountName, destinationAccountNumber }) => ({
    what: `the transfer to ${destinationAccountName ?? destinationAccountNumber}`,
    reference,
    amount: add(amount, fee),
  }),
}

/** A batch with all its items. If the email with the OTP fails, only the items' status shows it. */
export const wholeBatch: Authorizable<BatchRow> = {
  lock: async (tx, merchantId, reference) => {
    const batch = await findBatch(tx, merchantId, reference)
    return batch === undefined ? undefined : (await lockBatches(tx, [batch]))[0]
  },
  unknown: disbursementErrors.unknownBatch,
  isAwaiting: ({ status }) => status === 'PENDING_AUTHORIZATION',
  move: async (unit, batch, trigger) => {
    const from = trigger === 'mail' ? 'OTP_EMAIL_DISPATCH_FAILED' : 'PENDING_AUTHORIZATION'
    const items = await updateItems(unit.tx, batch, from, afterTrigger(from, trigger))
    if (trigger !== 'authorize') return batch
    release(unit, batch.merchantId, items)
    const changed = { ...batch, status: batchAfterTrigger(batch.status, trigger) }
    updateBatches(unit.tx, [changed])
    return changed
  },
  describe: ({ title, itemsCount, batchReference, totalAmount, totalFee }) => ({
    what: `the batch “${title}” of ${itemsCount} transfers`,
    reference: batchReference,
    amount: add(totalAmount, totalFee),
  }),
}

function afterTrigger(before: TransferRow['status'], trigger: TransferTrigger): TransferRow['status'] {
  const status = next(transferMachine, before, trigger)
  invariant(status !== undefined, `a transfer that is ${before} can ${trigger}`)
  return status
}

function batchAfterTrigger(before: BatchRow['status'], trigger: BatchTrigger): BatchRow['status'] {
  const status = next(batchMachine, before, trigger)
  invariant(status !== undefined, `a batch that is ${before} can ${trigger}`)
  return status
}

/**
 * Authorizes a payout with its OTP. Returns the current state of the payout, and whether this call authorized it.
 * Counts a wrong code.
 */
export async function authorize<Row extends Owner>(
  { core, codeKey }: AuthorizeDeps,
  kind: Authorizable<Row>,
  merchantId: bigint,
  reference: string,
  code: string,
): Promise<{ readonly row: Row; readonly isNew: boolean }> {
  const decided = await unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const row = await kind.lock(tx, merchantId, reference)
    if (row === undefined) throw kind.unknown()
    const [authorization, guard] = await Promise.all([findAuthorization(tx, row), lockCodeGuard(tx, merchantId, at)])
    if (authorization === undefined) throw disbursementErrors.notAwaiting(row.status)
    const locked = checkLocked(guard, at)
    if (locked !== undefined) throw locked
    const isRight = isRightCode(codeKey, authorization, code)
    if (!kind.isAwaiting(row)) {
      if (row.status === 'EXPIRED') throw disbursementErrors.notInTime()
      if (!isRight) throw disbursementErrors.wrongCode()
      return { row, isNew: false }
    }
    if (at >= secondsAfter(row.createdAt, AUTHORIZE_SECONDS_MAX)) throw disbursementErrors.notInTime()
    const error = checkCode(authorization, isRight, at)
    if (error === undefined) return { row: await kind.move(unit, row, 'authorize'), isNew: true }
    // The error is returned and not thrown, so that the count is committed.
    if (countsAsAttempt(authorization, isRight)) {
      updateAuthorization(tx, { ...authorization, tries: authorization.tries + 1 })
      await countWrongCode(unit, merchantId, reference)
    }
    return error
  })
  if (decided instanceof Refusal) throw decided
  return decided
}

/** Replaces the code with a new one and emails it. Returns false if there is nothing to authorize. */
export async function resendCode<Row extends Owner>(
  deps: AuthorizeDeps,
  kind: Authorizable<Row>,
  merchant: Merchant,
  reference: string,
): Promise<boolean> {
  const { core, codeKey } = deps
  const prepared = await unitOfWork(core, async (unit) => {
    const { tx, at } = unit
    const row = await kind.lock(tx, merchant.id, reference)
    if (row === undefined) return undefined
    const [authorization, guard] = await Promise.all([findAuthorization(tx, row), findCodeGuard(tx, merchant.id)])
    if (authorization === undefined || !kind.isAwaiting(row)) throw disbursementErrors.notAwaiting(row.status)
    if (at >= secondsAfter(row.createdAt, AUTHORIZE_SECONDS_MAX)) throw disbursementErrors.notInTime()
    const error = checkLocked(guard, at) ?? checkResend(authorization, at)
    if (error !== undefined) throw error
    const fresh = newCode(codeKey, row, at)
    updateAuthorization(tx, fresh.authorization)
    const wasUnsent = authorization.sentAt === null
    return { row: wasUnsent ? await kind.move(unit, row, 'mail') : row, code: fresh.code }
  })
  if (prepared === undefined) return false
  const { isSent } = await mailCode(deps, kind, merchant, prepared.row, prepared.code)
  if (!isSent) throw disbursementErrors.codeNotSent()
  return true
}

/** Emails the code of a new payout, or a new code that was requested. Records a failure to send. */
export async function mailCode<Row extends Owner>(
  { core, mailer, codeKey }: AuthorizeDeps,
  kind: Authorizable<Row>,
  merchant: Merchant,
  row: Row,
  code: Hidden<string>,
): Promise<{ readonly row: Row; readonly isSent: boolean }> {
  const described = kind.describe(row)
  if (await mailer.send(codeMail(merchant, described, code))) return { row, isSent: true }
  const unsent = await unitOfWork(core, async (unit) => {
    const { tx } = unit
    const current = await kind.lock(tx, merchant.id, described.reference)
    const authorization = await findAuthorization(tx, row)
    invariant(current !== undefined && authorization !== undefined, 'a payout awaiting authorization is never deleted')
    // A newer code may have replaced this one meanwhile.
    const isLatest = isRightCode(codeKey, authorization, code.reveal())
    if (!kind.isAwaiting(current) || !isLatest || authorization.sentAt === null) return current
    updateAuthorization(tx, { ...authorization, sentAt: null })
    return kind.move(unit, current, 'failToMail')
  })
  return { row: unsent, isSent: false }
}
