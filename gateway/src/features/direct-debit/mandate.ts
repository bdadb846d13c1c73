import { invariant } from '../../kernel/errors.ts'
import { next } from '../../kernel/machine.ts'
import { type MandateTrigger, mandateMachine } from './machine.ts'
import type { MandateRow } from './repository.ts'

/** Returns the mandate after a trigger, or undefined if its status does not allow the trigger. */
export function moved(mandate: MandateRow, trigger: MandateTrigger): MandateRow | undefined {
  const status = next(mandateMachine, mandate.status, trigger)
  return status === undefined ? undefined : { ...mandate, status, instructAt: null }
}

export const isFinal = ({ status }: MandateRow): boolean => Object.keys(mandateMachine[status]).length === 0

/** Whether a mandate waits for the customer's authorization. */
export const awaitsAuthorization = ({ status, cancelRequestedAt }: MandateRow): boolean =>
  next(mandateMachine, status, 'authorize') !== undefined && cancelRequestedAt === null

/** Returns the mandate after the change that is due at the given time, or undefined if none is due. */
export function afterDue(mandate: MandateRow, at: Date): MandateRow | undefined {
  const { cancelRequestedAt, authorizationEndsAt, endsAt, autoRenew } = mandate
  if (isFinal(mandate)) return undefined
  if (cancelRequestedAt !== null) return moved(mandate, 'cancel')
  if (next(mandateMachine, mandate.status, 'lapse') !== undefined)
    return authorizationEndsAt <= at ? moved(mandate, 'lapse') : undefined
  if (endsAt > at) return undefined
  return autoRenew ? renewed(mandate, at) : moved(mandate, 'expire')
}

/**
 * Renews the mandate to the period that contains the given time. Each period is as long as the first. The sum of its
 * debits is not reset, since `mandateAmount` limits the whole life of the mandate.
 */
export function renewed(mandate: MandateRow, at: Date): MandateRow {
  const end = mandate.endsAt.getTime()
  const length = end - mandate.startsAt.getTime()
  invariant(length > 0, 'a period has a length')
  const periods = Math.floor((at.getTime() - end) / length) + 1
  return {
    ...mandate,
    period: mandate.period + periods,
    startsAt: new Date(end + (periods - 1) * length),
    endsAt: new Date(end + periods * length),
  }
}
