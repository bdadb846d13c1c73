import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { lagosDay } from '../../kernel/dates.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { AGES, ageOf } from './ages.ts'
import { countExceptions } from './item-repository.ts'
import { reconciliationChecks } from './ledger-checks.ts'
import { reconciliationRoutes } from './routes.ts'
import { selectLastDays } from './statement-repository.ts'

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly rules: Pick<Config, 'floatMinimum'>
}

/** Reconciles the ledger with partners' statements. Operators work on it at the command line and in the dashboard. */
export const reconciliationFeature = {
  ledgerChecks: reconciliationChecks,
  open: ({ core, metrics, rules }: Deps) => {
    metrics.sharedGauge('kobo_statement_days', 'Past days without a known partner balance', 'partner', async () => {
      const yesterday = lagosDay(core.clock.now()) - 1
      return (await selectLastDays(core.db)).map(({ partner, day }) => [partner, Math.max(0, yesterday - day)] as const)
    })
    metrics.sharedGauge(
      'kobo_reconciliation_exceptions',
      'Unexplained differences between statement lines and ledger entries, by age in days',
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
    return { routes: (serve) => reconciliationRoutes(serve, { core, rules }) }
  },
} satisfies Feature
