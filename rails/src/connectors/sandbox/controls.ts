import type { OffsetClock } from '@kobo/gateway/kernel/clock.ts'
import { CreditTold, EnquiryTold, OutcomeTold } from '@kobo/gateway/rails/protocol/index.ts'
import Type from 'typebox'
import { type Control, control } from '../../connector.ts'
import { FAULTS, isFault, type Mischief } from '../../mischief.ts'
import type { Teller } from '../../teller.ts'
import type { MemoryBook } from './book.ts'

const SECONDS_MAX = 366 * 86_400
const DELAY_MILLISECONDS_MAX = 600_000
const TIMES_MAX = 1_000
const EFFECTS_SHOWN_MAX = 100_000

interface Deps {
  readonly clock: OffsetClock
  readonly book: MemoryBook
  readonly mischief: Mischief
  readonly teller: Teller
  readonly tellDue: () => Promise<number>
}

const Planting = Type.Object({
  fault: Type.Union(Object.keys(FAULTS).map((fault) => Type.Literal(fault))),
  operation: Type.Optional(Type.String({ maxLength: 64 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
  milliseconds: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MILLISECONDS_MAX })),
  every: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
})
const Passing = Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: SECONDS_MAX }) })
const Arriving = Type.Object({
  credit: CreditTold,
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: TIMES_MAX })),
})

/** What the simulated partners can be told, signed as everything else: to misbehave, to let time pass, to tell of something. */
export const sandboxControls = (deps: Deps): Readonly<Record<string, Control>> => {
  const { clock, book, mischief, teller, tellDue } = deps
  return {
    'control/fault': control(Planting, async ({ fault, ...how }) => {
      if (isFault(fault)) mischief.plant(fault, how)
      return { kind: 'planted' }
    }),
    'control/mend': control(Type.Object({}), async () => {
      mischief.mend()
      return { kind: 'mended' }
    }),
    'control/advance': control(Passing, async ({ seconds }) => {
      clock.setOffset(clock.offsetMilliseconds() + seconds * 1_000)
      return { kind: 'advanced', told: await tellDue() }
    }),
    'control/credit': control(Arriving, async ({ credit, times = 1 }) => {
      const answers = await Promise.all(Array.from({ length: times }, () => teller.tell('credits', credit)))
      return { kind: 'told', answers: answers.map((answer) => answer ?? null) }
    }),
    'control/tell': control(OutcomeTold, async ({ reference }) => {
      const answer = await teller.tell('outcomes', { reference })
      return { kind: 'told', answer: answer ?? null }
    }),
    'control/name-enquiry': control(EnquiryTold, async (number) => {
      const answer = await teller.tell('name-enquiry', number)
      return { kind: 'told', answer: answer ?? null }
    }),
    'control/effects': control(Type.Object({}), async () => {
      const effects = book.effects().slice(-EFFECTS_SHOWN_MAX)
      return { kind: 'effects', effects }
    }),
  }
}
