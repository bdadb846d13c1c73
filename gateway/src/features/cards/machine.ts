import { machine, type Trigger } from '../../kernel/machine.ts'

/**
 * The states of a card charge. An approval is reversed if it comes too late: the charge was already declined or
 * superseded, or the transaction has ended.
 */
export const cardAttemptMachine = machine({
  CHARGING: {
    approve: 'APPROVED',
    decline: 'DECLINED',
    askForOtp: 'OTP_REQUIRED',
    askFor3ds: 'SECURE_3D_REQUIRED',
    noResponse: 'UNKNOWN',
    reverse: 'REVERSING',
  },
  OTP_REQUIRED: {
    tryOtp: 'AUTHORIZING',
    approve: 'APPROVED',
    decline: 'DECLINED',
    supersede: 'SUPERSEDED',
    reverse: 'REVERSING',
  },
  AUTHORIZING: {
    approve: 'APPROVED',
    decline: 'DECLINED',
    askForOtp: 'OTP_REQUIRED',
    noResponse: 'UNKNOWN',
    reverse: 'REVERSING',
  },
  SECURE_3D_REQUIRED: { approve: 'APPROVED', decline: 'DECLINED', supersede: 'SUPERSEDED', reverse: 'REVERSING' },
  UNKNOWN: {
    approve: 'APPROVED',
    decline: 'DECLINED',
    askForOtp: 'OTP_REQUIRED',
    askFor3ds: 'SECURE_3D_REQUIRED',
    reverse: 'REVERSING',
  },
  APPROVED: {},
  DECLINED: { reverse: 'REVERSING' },
  SUPERSEDED: { reverse: 'REVERSING' },
  REVERSING: { refund: 'REVERSED', refuseRefund: 'REVERSAL_REFUSED' },
  REVERSED: {},
  REVERSAL_REFUSED: {},
})

export type AttemptStatus = keyof typeof cardAttemptMachine
export type AttemptTrigger = Trigger<typeof cardAttemptMachine>

/** Whether a charge was sent and has no response yet: until then the transaction is not charged again. */
export const isInProgress = (status: AttemptStatus): boolean =>
  status === 'CHARGING' || status === 'AUTHORIZING' || status === 'UNKNOWN'

/** Whether a charge waits for the card holder: another charge may replace it. */
export const waitsForHolder = (status: AttemptStatus): boolean =>
  status === 'OTP_REQUIRED' || status === 'SECURE_3D_REQUIRED'
