import type { Core } from '../core/core.ts'
import { countUndelivered, oldestInLine } from '../core/messages/outbox/index.ts'
import { oldestUnknown } from '../core/orders/index.ts'
import { countOutside } from '../core/partitions.ts'
import { whyAway } from '../platform/database-look.ts'
import type { Metrics } from '../platform/metrics.ts'

/** Beyond so many events in one state they are not counted: a gateway with that many has told enough. */
const EVENTS_COUNTED_MAX = 10_000

/** What is looked up of a gateway whenever somebody asks for its measurements. */
export function measureGateway(metrics: Metrics, core: Core): void {
  metrics.payments(core.paymentCounts.all)
  measureDatabase(metrics, core)
  metrics.gauge('kobo_clock_skew_seconds', 'How far this machine’s clock is ahead of another', 'of', async () => [
    ['database', core.fitness.skewMilliseconds() / 1_000],
  ])
  metrics.sharedGauge(
    'kobo_events',
    `Events that are not delivered, by what they wait for; beyond ${EVENTS_COUNTED_MAX} they are not counted`,
    'state',
    () => countUndelivered(core.db, EVENTS_COUNTED_MAX),
  )
  metrics.sharedGauge(
    'kobo_event_overdue_seconds',
    'For how long the oldest event that could be sent has been due',
    'of',
    async () => [['oldest', secondsSince(await oldestOfAll(core), core)]],
  )
  metrics.sharedGauge(
    'kobo_partition_outside_rows',
    'Rows that no partition of their time has taken, as PostgreSQL last counted them',
    'table',
    () => countOutside(core.db),
  )
  metrics.sharedGauge(
    'kobo_order_unknown_seconds',
    'How old the oldest order is whose outcome nobody knows',
    'state',
    async () =>
      [...(await oldestUnknown(core.db))].map(([state, since]) => [state, secondsSince(since, core)] as const),
  )
}

function measureDatabase(metrics: Metrics, { db, vaultDb, readStalenessSeconds }: Core): void {
  const ways = [['program', db] as const, ...(vaultDb === db ? [] : [['vault', vaultDb] as const])]
  metrics.gauge('kobo_database_up', '1 while the database answers and takes writes', 'role', async () =>
    Promise.all(ways.map(async ([role, way]) => [role, (await whyAway(way)) === undefined ? 1 : 0] as const)),
  )
  metrics.gauge(
    'kobo_standby_staleness_seconds',
    'How old what is read from the standby may be; 0 where the primary is read',
    'of',
    async () => [['reads', readStalenessSeconds()]],
  )
  metrics.gauge(
    'kobo_database_connections',
    'Connections to the database at work and idle, and requests that wait for one',
    'state',
    async () => Object.entries(db.connections()),
  )
}

/** Since when the oldest event of all shards is due. */
async function oldestOfAll({ db, shards }: Core): Promise<Date | undefined> {
  const all = await shards.ofEach((shard) => oldestInLine(db, shard))
  return all.filter((due) => due !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]
}

/** In business time; nothing is as old as no time at all. */
const secondsSince = (moment: Date | undefined, { clock }: Core): number =>
  moment === undefined ? 0 : Math.max(0, (clock.now().getTime() - moment.getTime()) / 1_000)
