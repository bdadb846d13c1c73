import { secondsAfter } from '../../kernel/clock.ts'

/** Waits between questions about an order whose outcome nobody knows. The last one stays, until a person is called. */
export const ASK_AFTER_SECONDS = [30, 30, 60, 120, 300, 900, 3_600] as const
/** After so many questions without an answer, about three days, a person is called. */
export const QUESTIONS_MAX = 75
/** What fails or never arrives is sent so many times, where it is to be sent again; then a person is called. */
export const TRIES_MAX = 20

/** When an order is asked about that was sent just now. */
export const firstQuestionAt = (at: Date): Date => secondsAfter(at, ASK_AFTER_SECONDS[0])

/**
 * When an order is asked about next, after so many answers in a row that nobody knows: counted from when it was to be
 * asked about, so that a late question does not delay the ones after it. Undefined where a person is to be called.
 */
export function nextQuestionAt(unknownAnswers: number, dueAt: Date | null, at: Date): Date | undefined {
  if (unknownAnswers >= QUESTIONS_MAX) return undefined
  if (dueAt !== null && dueAt > at) return dueAt
  const seconds = ASK_AFTER_SECONDS[unknownAnswers - 1] ?? (ASK_AFTER_SECONDS.at(-1) as number)
  const onTime = secondsAfter(dueAt ?? at, seconds)
  return onTime > at ? onTime : secondsAfter(at, seconds)
}
