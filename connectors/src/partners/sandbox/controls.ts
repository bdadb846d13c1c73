import type { OffsetClock } from '@kobo/gateway/kernel/clock.ts'
import { CreditNotification, NameEnquiryRequest, OutcomeNotification } from '@kobo/gateway/rails/protocol/index.ts'
import Type from 'typebox'
import { type Control, control } from '../../connector.ts'
import { FAULTS, type Faults, isFault } from '../../faults.ts'
import type { Notifier } from '../../notifier.ts'
import type { MemoryBook } from './book.ts'

const SECONDS_MAX = 366 * 86_400
const DELAY_MILLISECONDS_MAX = 600_000
const TIMES_MAX = 1_000
const EFFECTS_SHOWN_MAX = 100_000

interface Deps {
  readonly clock: OffsetClock
  readonly book: MemoryBook
  readonly faults: Faults
  readonly notifier: Notifier
  readonly notifyDue: () => Promise<number>
}

const FaultRequest = Type.Object({
  fault: Type.Union(Object.keys(FAULTS).map((fault) => Type.Literal(fault))),
  operation: Type.Optional(Type.String({ maxLength: 64 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
  milliseconds: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MILLISECONDS_MAX })),
  every: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
})
const AdvanceRequest = Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: SECONDS_MAX }) })
const CreditRequest = Type.Object({
  credit: CreditNotification,
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
})

/** Controls of the simulated partners, signed like everything else: faults, time, notifications. */
export const sandboxControls = (deps: Deps): Readonly<Record<string, Control>> => {
  const { clock, book, faults, notifier, notifyDue } = deps
  return {
    'control/fault': control(FaultRequest, async ({ fault, ...how }) => {
      if (isFault(fault)) faults.inject(fault, how)
      return { kind: 'planted' }
    }),
    'control/mend': control(Type.Object({}), async () => {
      faults.clear()
      return { kind: 'mended' }
    }),
    'control/advance': control(AdvanceRequest, async ({ seconds }) => {
      clock.setOffset(clock.offsetMilliseconds() + seconds * 1_000)
      return { kind: 'advanced', told: await notifyDue() }
    }),
    'control/credit': control(CreditRequest, async ({ credit, times = 1 }) => {
      const responses = await Promise.all(Array.from({ length: times }, () => notifier.notify('credits', credit)))
      return { kind: 'told', answers: responses.map((response) => response ?? null) }
    }),
    'control/tell': control(OutcomeNotification, async ({ reference }) => {
      const response = await notifier.notify('outcomes', { reference })
      return { kind: 'told', answer: response ?? null }
    }),
    'control/name-enquiry': control(NameEnquiryRequest, async (number) => {
      const response = await notifier.notify('name-enquiry', number)
      return { kind: 'told', answer: response ?? null }
    }),
    'control/effects': control(Type.Object({}), async () => {
      const effects = book.effects().slice(-EFFECTS_SHOWN_MAX)
      return { kind: 'effects', effects }
    }),
  }
}
