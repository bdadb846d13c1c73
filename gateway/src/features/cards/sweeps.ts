import type { Sweep } from '../../core/sweep.ts'
import type { Clock } from '../../kernel/clock.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { CardRail } from '../../rails/card.ts'
import type { Attempts } from './attempts.ts'
import { ASK_AFTER_SECONDS } from './open.ts'
import { type AttemptRow, nextAttemptDue, takeDueAttempts } from './repository.ts'
import { reverse } from './reversal.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly rails: { readonly card: CardRail }
}

/** Asks the network about all attempts of which it has not said the last word. */
export const attemptSweep = (deps: Deps, attempts: Attempts): Sweep => {
  const resolve = async (attempt: AttemptRow): Promise<unknown> =>
    attempt.status === 'REVERSING' ? reverse(deps, attempt) : attempts.ask(attempt)
  return {
    name: 'ask about card attempts',
    run: async (at, limit) => {
      const due = await inTransaction(deps.db, (tx) =>
        takeDueAttempts(tx, at, secondsAfter(at, ASK_AFTER_SECONDS), limit),
      )
      await Promise.all(due.map(resolve))
      return due.length
    },
    nextDue: () => nextAttemptDue(deps.db),
  }
}
