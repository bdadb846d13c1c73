import type { Core } from '../../core/core.ts'
import type { Sweep } from '../../core/sweep.ts'
import { lagosDay, lagosMoment } from '../../kernel/dates.ts'
import { hasSubscribers, selectMissing } from './repository.ts'
import { makeReport } from './service.ts'

export interface ReportDeps {
  readonly core: Core
  readonly publicUrl: () => string
}

/** The time in Lagos when the previous day's report is sent. */
const MORNING_MINUTES = 7 * 60
/** After an outage, reports of at most this many days are made. */
const DAYS_BACK_MAX = 7

/** Returns the last day whose report is due. */
const lastDay = (at: Date): number => {
  const today = lagosDay(at)
  return at >= lagosMoment(today, MORNING_MINUTES) ? today - 1 : today - 2
}

/** Sends the reports of past days, once a day. A new subscriber's first report is about the day of the subscription. */
export function reportSweep({ core, publicUrl }: ReportDeps): Sweep {
  let doneThrough: number | undefined
  return {
    name: 'daily reports',
    run: async (at, limit) => {
      const day = lastDay(at)
      if (doneThrough !== undefined && day <= doneThrough) return 0
      const missing = await selectMissing(core.db, day - DAYS_BACK_MAX + 1, day, limit)
      for (const one of missing) await makeReport(core, publicUrl(), one)
      if (missing.length < limit) doneThrough = day
      return missing.length
    },
    nextDue: async () => {
      if (!(await hasSubscribers(core.db))) return undefined
      const day = doneThrough === undefined ? lastDay(core.clock.now()) : doneThrough + 1
      return lagosMoment(day + 1, MORNING_MINUTES)
    },
  }
}
