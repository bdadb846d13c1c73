import type { EventType } from '@kobo/contract'

/** Every type of event. The compiler checks that none is missing. */
const TYPES: Readonly<Record<EventType, true>> = {
  SUCCESSFUL_TRANSACTION: true,
  REJECTED_PAYMENT: true,
  SUCCESSFUL_REFUND: true,
  FAILED_REFUND: true,
  DISPUTE_OPENED: true,
  DISPUTE_UPDATE: true,
  DISPUTE_WON: true,
  DISPUTE_LOST: true,
  SUCCESSFUL_DISBURSEMENT: true,
  FAILED_DISBURSEMENT: true,
  REVERSED_DISBURSEMENT: true,
  SETTLEMENT: true,
  MANDATE_UPDATE: true,
  ACCOUNT_ACTIVITY: true,
  LOW_BALANCE_ALERT: true,
}

export const EVENT_TYPES = Object.keys(TYPES) as readonly EventType[]
