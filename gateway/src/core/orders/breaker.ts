import type { Clock } from '../../kernel/clock.ts'

/** After this many calls in a row without a response, a slot is paused. */
const UNANSWERED_MAX = 5
const PAUSE_SECONDS_MIN = 10
const PAUSE_SECONDS_MAX = 300
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
  /** The slots that are paused, or that let only one call at a time through. */
  readonly paused: () => readonly string[]
}

interface SlotState {
  unanswered: number
  pauseSeconds: number
  until: number
}

export function openBreaker(wall: Clock): Breaker {
  const slots = new Map<string, SlotState>()
  const isPaused = ({ unanswered }: SlotState): boolean => unanswered >= UNANSWERED_MAX
  return {
    limit: (slot, most) => {
      const state = slots.get(slot)
      if (state === undefined || !isPaused(state)) return most
      return wall.now().getTime() < state.until ? 0 : 1
    },
    note: (slot, hasResponse) => {
      if (hasResponse) return void slots.delete(slot)
      const state = slots.get(slot) ?? { unanswered: 0, pauseSeconds: PAUSE_SECONDS_MIN / 2, until: 0 }
      state.unanswered++
      if (isPaused(state)) {
        state.pauseSeconds = Math.min(state.pauseSeconds * 2, PAUSE_SECONDS_MAX)
        state.until = wall.now().getTime() + state.pauseSeconds * 1_000
      }
      slots.delete(slot)
      slots.set(slot, state)
      const [oldest] = slots.keys()
      if (slots.size > SLOTS_MAX && oldest !== undefined) slots.delete(oldest)
    },
    paused: () => [...slots].flatMap(([slot, state]) => (isPaused(state) ? slot : [])),
  }
}
