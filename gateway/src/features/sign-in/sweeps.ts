import type { Core } from '../../core/core.ts'
import { forgetSessions } from '../../core/sessions/index.ts'
import { FORGETTING_SECONDS, type Sweep } from '../../core/sweep.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { forgetChallenges, forgetLinks } from './repository.ts'

/** So long after its end a session or a link is forgotten; the audit tells of it still. */
const KEPT_SECONDS = 30 * 86_400

/** Forgets sessions and links that are long over. They live in real time, and being late changes nothing. */
export const signInSweeps = ({ db, wall }: Core): readonly Sweep[] => {
  const longAgo = (): Date => secondsAfter(wall.now(), -KEPT_SECONDS)
  const everySeconds = FORGETTING_SECONDS
  return [
    { name: 'forget sessions', everySeconds, run: (_, limit) => forgetSessions(db, longAgo(), limit) },
    { name: 'forget links', everySeconds, run: (_, limit) => forgetLinks(db, longAgo(), limit) },
    { name: 'forget challenges', everySeconds, run: (_, limit) => forgetChallenges(db, wall.now(), limit) },
  ]
}
