import type { Core } from '../../core/core.ts'
import { forgetSessions } from '../../core/sessions/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { forgetChallenges, forgetLinks } from './repository.ts'

/** So long after its end a session or a link is forgotten; the audit tells of it still. */
const KEPT_SECONDS = 30 * 86_400

/** Forgets sessions and links that are long over. They live in real time, and being late changes nothing. */
export const signInSweeps = ({ db, wall }: Core): readonly Sweep[] => [
  { name: 'forget sessions', run: (_, limit) => forgetSessions(db, secondsAfter(wall.now(), -KEPT_SECONDS), limit) },
  { name: 'forget links', run: (_, limit) => forgetLinks(db, secondsAfter(wall.now(), -KEPT_SECONDS), limit) },
  { name: 'forget challenges', run: (_, limit) => forgetChallenges(db, wall.now(), limit) },
]
