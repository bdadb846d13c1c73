import type { OffsetClock } from '@kobo/gateway/kernel/clock.ts'
import type { Connector } from '../../connector.ts'
import { FAULTS, isFault, type Mischief } from '../../mischief.ts'
import type { Teller } from '../../teller.ts'
import type { MemoryBook } from './book.ts'

const SECONDS_MAX = 366 * 86_400
const EFFECTS_SHOWN_MAX = 100_000

interface Deps {
  readonly clock: OffsetClock
  readonly book: MemoryBook
  readonly mischief: Mischief
  readonly teller: Teller
  readonly tellDue: () => Promise<number>
}

interface Planting {
  readonly fault: string
  readonly operation?: string
  readonly times?: number
  readonly milliseconds?: number
}

/** What the simulated partners can be told, signed as everything else: to misbehave, to let time pass, to tell of something. */
export const sandboxControls = ({
  clock,
  book,
  mischief,
  teller,
  tellDue,
}: Deps): NonNullable<Connector['controls']> => ({
  'control/fault': async ({ fault, ...how }: Planting) => {
    if (!isFault(fault)) return { kind: 'unknown fault', known: Object.keys(FAULTS) }
    mischief.plant(fault, how)
    return { kind: 'planted' }
  },
  'control/mend': async () => {
    mischief.mend()
    return { kind: 'mended' }
  },
  'control/advance': async ({ seconds }: { readonly seconds: number }) => {
    clock.setOffset(clock.offsetMilliseconds() + Math.min(seconds, SECONDS_MAX) * 1_000)
    return { kind: 'advanced', told: await tellDue() }
  },
  'control/credit': async ({ credit, times = 1 }: { readonly credit: object; readonly times?: number }) => {
    const answers = await Promise.all(
      Array.from({ length: Math.min(times, 100) }, () => teller.tell('credits', credit)),
    )
    return { kind: 'told', answers: answers.map((answer) => answer ?? null) }
  },
  'control/tell': async ({ reference }: { readonly reference: string }) => ({
    kind: 'told',
    answer: (await teller.tell('outcomes', { reference })) ?? null,
  }),
  'control/effects': async () => ({ kind: 'effects', effects: book.effects().slice(-EFFECTS_SHOWN_MAX) }),
})
