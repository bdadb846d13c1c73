import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { lagosDay } from '../../kernel/dates.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { selectLastDays } from './statement-repository.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
}

/** The books held against what banks and other partners say: done at the command line, measured here. */
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
  return { routes: () => {} } satisfies Feature
}
