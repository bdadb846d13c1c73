import { monotonic } from '../../kernel/clock.ts'
import type { Log } from '../observability/log.ts'
import type { Db } from '../postgres/db.ts'
import { noteFailure, whyUnavailable } from '../postgres/health.ts'

const CHECK_MILLISECONDS = 1_000

export interface Failures {
  /** Logs a failure. An outage of the database is logged only when it begins and when it ends. */
  readonly report: (facts: { readonly error: unknown; readonly [fact: string]: unknown }, text: string) => Promise<void>
  readonly close: () => void
}

export function openFailures(db: Db, log: Log): Failures {
  /** When the database became unavailable, by the monotonic clock. */
  let awaySince: number | undefined
  let timer: NodeJS.Timeout | undefined

  const isAway = async (): Promise<boolean> => (await whyUnavailable(db)) !== undefined

  function checkLater(): void {
    timer = setTimeout(async () => {
      if (await isAway()) checkLater()
      else if (awaySince !== undefined) {
        log.info({ awaySeconds: Math.round((monotonic() - awaySince) / 1_000) }, 'database connection restored')
        awaySince = undefined
      }
    }, CHECK_MILLISECONDS).unref()
  }

  return {
    report: async (facts, text) => {
      noteFailure(db, facts.error)
      if (awaySince !== undefined) return
      if (!(await isAway())) log.error(facts, text)
      else if (awaySince === undefined) {
        awaySince = monotonic()
        log.error({ error: facts.error }, 'database unavailable; background work paused')
        checkLater()
      }
    },
    close: () => clearTimeout(timer),
  }
}
