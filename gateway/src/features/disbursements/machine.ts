import type { BatchStatus, TransferStatus } from '@kobo/contract'
import { machine, type Trigger } from '../../kernel/machine.ts'

/** The status changes of a transfer. It starts as PENDING if it needs no authorization. */
export const transferMachine = machine({
  PENDING_AUTHORIZATION: {
    authorize: 'PENDING',
    reject: 'FAILED',
    failToMail: 'OTP_EMAIL_DISPATCH_FAILED',
    expire: 'EXPIRED',
  },
  OTP_EMAIL_DISPATCH_FAILED: { mail: 'PENDING_AUTHORIZATION', expire: 'EXPIRED' },
  PENDING: { succeed: 'SUCCESS', fail: 'FAILED' },
  SUCCESS: { reverse: 'REVERSED' },
  FAILED: {},
  REVERSED: {},
  EXPIRED: {},
}) satisfies Record<TransferStatus, object>

export type TransferTrigger = Trigger<typeof transferMachine>

/**
 * The status changes of a batch. It starts as AWAITING_PROCESSING if it needs no authorization. COMPLETED does not mean
 * that its items succeeded. FAILED means that an approver rejected it; an invalid batch is never stored.
 */
export const batchMachine = machine({
  PENDING_AUTHORIZATION: { authorize: 'AWAITING_PROCESSING', reject: 'FAILED', expire: 'EXPIRED' },
  AWAITING_PROCESSING: { begin: 'IN_PROGRESS', complete: 'COMPLETED' },
  IN_PROGRESS: { begin: 'IN_PROGRESS', complete: 'COMPLETED' },
  COMPLETED: {},
  EXPIRED: { expire: 'EXPIRED' },
  FAILED: { reject: 'FAILED' },
}) satisfies Record<BatchStatus, object>

export type BatchTrigger = Trigger<typeof batchMachine>
