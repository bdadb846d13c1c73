import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { lagosDay } from '../../kernel/dates.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { AGES, ageOf } from './ages.ts'
import { countExceptions } from './item-repository.ts'
import { reconciliationRoutes } from './routes.ts'
import { selectLastDays } from './statement-repository.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
}

/** The books held against what banks and other partners say: by people at the command line and in the dashboard; measured here. */
export function reconciliationFeature({ core, metrics }: Deps) {
  metrics.sharedGauge(
    'kobo_statement_days',
    'How many days are over of which a partner’s balance is not known yet',
    'partner',
    async () => {
      const yesterday = lagosDay(core.clock.now()) - 1
      return (await selectLastDays(core.db)).map(({ partner, day }) => [partner, Math.max(0, yesterday - day)] as const)
    },
  )
  metrics.sharedGauge(
    'kobo_reconciliation_exceptions',
    'Lines of statements and entries of the books that do not agree and that nobody has explained, by their age in days',
    'age',
    async () => {
      const today = lagosDay(core.clock.now())
      const counts = new Map<string, number>(AGES.map((age) => [age, 0]))
      for (const { day, count } of await countExceptions(core.db)) {
        const age = ageOf(today - day)
        counts.set(age, (counts.get(age) ?? 0) + Number(count))
      }
      return counts
    },
  )
  return { routes: (serve) => reconciliationRoutes(serve, { core }) } satisfies Feature
}
