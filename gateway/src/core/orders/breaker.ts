import type { Clock } from '../../kernel/clock.ts'

/** After this many calls in a row without a response, a slot is paused. */
const UNANSWERED_MAX = 5
const REST_SECONDS_MIN = 10
const REST_SECONDS_MAX = 300
/** How many slots with missing responses are remembered; beyond this the oldest is dropped. */
const SLOTS_MAX = 10_000

/**
 * Circuit breaker: after several calls in a row without a response, a slot is paused, longer each time. Then a single
 * call at a time goes through, until one gets a response. Waiting orders are sent when the pause ends.
 */
export interface Breaker {
  /** How many calls a slot may have in progress now: `most`, or fewer if the slot is paused. */
  readonly limit: (slot: string, most: number) => number
  /** Records whether a call got any response. */
  readonly note: (slot: string, hasResponse: boolean) => void
  /** The slots with a limit now. */
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
    note: (slot, hasResponse) => {
      if (hasResponse) return void silences.delete(slot)
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
