import type { Core } from '../../core/core.ts'
import { deleteOldSessions } from '../../core/sessions/index.ts'
import { DELETION_SECONDS, type Sweep } from '../../core/sweep.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { deleteChallenges, deleteLinks } from './repository.ts'

/** Ended sessions and links are deleted after this long; the audit log keeps its records. */
const RETENTION_SECONDS = 30 * 86_400

/** Deletes sessions and links that ended long ago, by real time. It does not matter if it runs late. */
export const signInSweeps = ({ db, wall }: Core): readonly Sweep[] => {
  const longAgo = (): Date => secondsAfter(wall.now(), -RETENTION_SECONDS)
  const everySeconds = DELETION_SECONDS
  return [
    { name: 'forget sessions', everySeconds, run: (_, limit) => deleteOldSessions(db, longAgo(), limit) },
    { name: 'forget links', everySeconds, run: (_, limit) => deleteLinks(db, longAgo(), limit) },
    { name: 'forget challenges', everySeconds, run: (_, limit) => deleteChallenges(db, wall.now(), limit) },
  ]
}
