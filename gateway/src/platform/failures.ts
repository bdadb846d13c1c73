import { monotonic } from '../kernel/clock.ts'
import { whyAway } from './database-look.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

const LOOK_MILLISECONDS = 1_000

/** Tells the log of failures of what works in the background. */
export interface Failures {
  /** Tells of one, unless the database is away: that is told once, however much fails because of it, and once that it is back. */
  readonly tell: (facts: { readonly error: unknown; readonly [fact: string]: unknown }, text: string) => Promise<void>
  readonly close: () => void
}

export function openFailures(db: Db, log: Log): Failures {
  /** Since when it is away, by a clock that only runs ahead. */
  let awaySince: number | undefined
  let timer: NodeJS.Timeout | undefined

  const isAway = async (): Promise<boolean> => (await whyAway(db)) !== undefined

  function lookLater(): void {
    timer = setTimeout(async () => {
      if (await isAway()) lookLater()
      else if (awaySince !== undefined) {
        log.info({ awaySeconds: Math.round((monotonic() - awaySince) / 1_000) }, 'the database is back')
        awaySince = undefined
      }
    }, LOOK_MILLISECONDS).unref()
  }

  return {
    tell: async (facts, text) => {
      if (awaySince !== undefined) return
      if (!(await isAway())) log.error(facts, text)
      else if (awaySince === undefined) {
        awaySince = monotonic()
        log.error({ error: facts.error }, 'the database is away; what works in the background waits for it')
        lookLater()
      }
    },
    close: () => clearTimeout(timer),
  }
}
