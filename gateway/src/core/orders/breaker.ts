import type { Clock } from '../../kernel/clock.ts'

/** So many calls in a row without any answer, and a slot is left alone for a while. */
const UNANSWERED_MAX = 5
const REST_SECONDS_MIN = 10
const REST_SECONDS_MAX = 300
/** Slots that rest; beyond it the one that has rested longest is forgotten. */
const SLOTS_MAX = 10_000

/**
 * Leaves those alone who do not answer: after some calls in a row without any answer a slot rests, for longer each time.
 * Then one call at a time goes through, until one is answered. What waits is not lost: it is sent when the rest is over.
 */
export interface Breaker {
  /** How many calls may be under way for a slot now, of so many at the most. */
  readonly limit: (slot: string, most: number) => number
  /** Notes whether a call was answered at all, with whatever. */
  readonly note: (slot: string, isAnswered: boolean) => void
  /** The slots that do not get all that they might. */
  readonly resting: () => readonly string[]
}

interface Silence {
  unanswered: number
  restSeconds: number
  until: number
}

export function openBreaker(wall: Clock): Breaker {
  const silences = new Map<string, Silence>()
  const isResting = ({ unanswered }: Silence): boolean => unanswered >= UNANSWERED_MAX
  return {
    limit: (slot, most) => {
      const silence = silences.get(slot)
      if (silence === undefined || !isResting(silence)) return most
      return wall.now().getTime() < silence.until ? 0 : 1
    },
    note: (slot, isAnswered) => {
      if (isAnswered) return void silences.delete(slot)
      const silence = silences.get(slot) ?? { unanswered: 0, restSeconds: REST_SECONDS_MIN / 2, until: 0 }
      silence.unanswered++
      if (isResting(silence)) {
        silence.restSeconds = Math.min(silence.restSeconds * 2, REST_SECONDS_MAX)
        silence.until = wall.now().getTime() + silence.restSeconds * 1_000
      }
      silences.delete(slot)
      silences.set(slot, silence)
      const [oldest] = silences.keys()
      if (silences.size > SLOTS_MAX && oldest !== undefined) silences.delete(oldest)
    },
    resting: () => [...silences].flatMap(([slot, silence]) => (isResting(silence) ? slot : [])),
  }
}
