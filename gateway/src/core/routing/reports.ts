import type { Log } from '../../platform/observability/log.ts'
import { type Db, inTransaction } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { ADAPTER } from '../../rails/partners.ts'
import { MANIFEST } from '../../rails/protocol/index.ts'
import type { Core } from '../core.ts'
import type { Router } from './router.ts'

/** Partners' health as nodes see it, for the operator. */
const reports = table('partner_report', ['node', 'partner'], {
  node: column<number>(),
  partner: column<string>(),
  protocol: column<string | null>(),
  capabilities: column<readonly string[]>(),
  lastHeardAt: column<Date | null>(),
  breakers: column<readonly { readonly operation: string; readonly state: string }[]>(),
  toldAt: column<Date>(),
})
export type PartnerReport = Row<typeof reports>

const REPORT_MILLISECONDS = 5_000
/** A node that has not reported for this long has stopped. */
const FRESH_SECONDS = 30

/** Reports this node's view of its partners every few seconds. */
export function openReports(
  { db, nodeLease }: Core,
  { partners, health }: Router,
  log: Log,
): { readonly stop: () => void } {
  const report = async (): Promise<void> => {
    const rows = partners.all.map(({ code, facts }) => {
      const { protocol = null, capabilities = [], lastHeardAt = null, isAway = false } = facts()
      const partner = code() ?? ADAPTER
      const breakers = [
        ...health.states().filter((one) => one.partner === partner && one.state !== 'closed'),
        ...(isAway ? [{ partner, operation: MANIFEST, state: 'open' }] : []),
      ]
      return { node: nodeLease.node.number, partner, protocol, capabilities, lastHeardAt, breakers }
    })
    await inTransaction(db, async (tx) => {
      void tx`delete from partner_report where node = ${nodeLease.node.number}`
      await tx`
        insert into partner_report (node, partner, protocol, capabilities, last_heard_at, breakers, told_at)
        select node, partner, protocol, capabilities, last_heard_at, breakers, now() from ${reports.set(rows, REPORTED)}`
    })
  }
  const logReport = (): void =>
    void report().catch((error: unknown) => log.warn({ error }, 'partner health report failed'))
  const timer = setInterval(logReport, REPORT_MILLISECONDS).unref()
  logReport()
  return { stop: () => clearInterval(timer) }
}

const REPORTED = ['node', 'partner', 'protocol', 'capabilities', 'lastHeardAt', 'breakers'] as const

export const selectReports = (db: Db): Promise<PartnerReport[]> =>
  db<PartnerReport[]>`
    select ${reports.columns} from partner_report
     where told_at > now() - ${FRESH_SECONDS} * interval '1 second' order by partner, node`
