import type { Check } from './check.ts'
import { byReference, type History, ofKind } from './history.ts'

interface Expected {
  readonly eventType: string
  readonly amount: number
}

/** The events that must have arrived by the end, by reference. */
function expectedOf({ finalReads }: History): Map<string, Expected> {
  return new Map<string, Expected>([
    ...ofKind(finalReads, 'readPayment')
      .filter(({ status }) => status === 'PAID' || status === 'OVERPAID')
      .map(
        ({ reference, amountPaid = 0 }) =>
          [reference, { eventType: 'SUCCESSFUL_TRANSACTION', amount: amountPaid }] as const,
      ),
    ...ofKind(finalReads, 'readTransfer')
      .filter(({ status }) => status === 'SUCCESS')
      .map(({ reference, amount = 0 }) => [reference, { eventType: 'SUCCESSFUL_DISBURSEMENT', amount }] as const),
  ])
}

function findMissing(history: History): readonly string[] {
  const received = byReference(history.events)
  return [...expectedOf(history)]
    .filter(([reference, { eventType }]) => !received.get(reference)?.some((event) => event.eventType === eventType))
    .map(([reference, { eventType }]) => `no ${eventType} arrived for ${reference}`)
}

function findUntrue(history: History): readonly string[] {
  const expected = expectedOf(history)
  return history.events
    .filter(({ eventType }) => eventType === 'SUCCESSFUL_TRANSACTION' || eventType === 'SUCCESSFUL_DISBURSEMENT')
    .filter(({ reference, eventType, amount }) => {
      const state = expected.get(reference)
      return state?.eventType !== eventType || state.amount !== amount
    })
    .map(
      ({ reference, eventType, amount }) => `${eventType} of ${amount} kobo arrived for ${reference}, which is not so`,
    )
}

const findUnsigned = ({ events }: History): readonly string[] =>
  events.filter(({ isSigned }) => !isSigned).map(({ reference }) => `the event of ${reference} has a wrong signature`)

export const EVENTS: readonly Check[] = [
  { promise: 'Each event arrives', find: findMissing },
  { promise: 'Each event is true', find: findUntrue },
  { promise: 'Each event is signed', find: findUnsigned },
]
