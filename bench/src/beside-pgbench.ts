import type { Measure, Runners } from './benchmark.ts'
import { pgbench } from './processes.ts'

export const TPC_B = 'pgbench TPC-B (prepared, 16 clients)'

/** Adds PostgreSQL's own benchmark on the same server as the baseline. */
export const comparedWithPgbench = (
  { pgbenchUrl, seconds }: { readonly pgbenchUrl: string; readonly seconds: number },
  runners: Omit<Runners, 'baseline'>,
): Runners => ({
  ...runners,
  baseline: async (): Promise<Measure | undefined> => {
    const tps = await pgbench(pgbenchUrl, seconds, false)
    return tps === undefined ? undefined : { perSecond: tps, requests: tps * seconds }
  },
})
