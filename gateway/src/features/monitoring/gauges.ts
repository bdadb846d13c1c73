import { countLeft } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import { additionalQueue, countUndelivered, oldestQueued } from '../../core/messages/outbox/index.ts'
import { readLastClean, safeguarding } from '../../core/money/ledger/index.ts'
import { oldestUnknown } from '../../core/orders/index.ts'
import { countOutside } from '../../core/partitions.ts'
import { monotonic } from '../../kernel/clock.ts'
import { toNaira } from '../../kernel/money.ts'
import type { FloatMinimum } from '../../platform/config/config.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { whyUnavailable } from '../../platform/postgres/health.ts'

/** Events in one state are counted up to this number: beyond it the exact count does not matter. */
const EVENTS_COUNTED_MAX = 10_000

/** Registers the gauges that are read from the database at each scrape. */
export function measureGateway(metrics: Metrics, core: Core, minimums: readonly FloatMinimum[]): void {
  metrics.payments(core.paymentCounts.all)
  measureDatabase(metrics, core)
  measureLastClean(metrics, core)
  measureFloat(metrics, core, minimums)
  measureNumbers(metrics, core)
  metrics.instantGauge('kobo_clock_skew_seconds', 'Seconds that this machine’s clock is ahead of another', 'of', () => [
    ['database', core.nodeLease.skewMilliseconds() / 1_000],
  ])
  metrics.sharedGauge('kobo_events', `Undelivered events by state, counted up to ${EVENTS_COUNTED_MAX}`, 'state', () =>
    countUndelivered(core.db, EVENTS_COUNTED_MAX),
  )
  metrics.sharedGauge(
    'kobo_event_overdue_seconds',
    'Seconds since the oldest unsent event became due',
    'of',
    async () => [['oldest', secondsSince(await oldestOfAll(core), core)]],
  )
  metrics.sharedGauge(
    'kobo_partition_outside_rows',
    'Rows in the default partition, by PostgreSQL’s last estimate',
    'table',
    () => countOutside(core.db),
  )
  metrics.sharedGauge(
    'kobo_order_unknown_seconds',
    'Age of the oldest order with an unresolved outcome',
    'state',
    async () =>
      [...(await oldestUnknown(core.db))].map(([state, since]) => [state, secondsSince(since, core)] as const),
  )
}

function measureDatabase(metrics: Metrics, { db, vaultDb, readStalenessSeconds }: Core): void {
  const roles = [['program', db] as const, ...(vaultDb === db ? [] : [['vault', vaultDb] as const])]
  metrics.gauge('kobo_database_up', '1 if the database responds and accepts writes', 'role', async () =>
    Promise.all(roles.map(async ([role, one]) => [role, (await whyUnavailable(one)) === undefined ? 1 : 0] as const)),
  )
  metrics.instantGauge(
    'kobo_standby_staleness_seconds',
    'Maximum age of data read from the standby; 0 if the primary is read',
    'of',
    () => [['reads', readStalenessSeconds()]],
  )
  metrics.instantGauge(
    'kobo_database_connections',
    'Database connections in use and idle, and requests waiting for one',
    'state',
    () => Object.entries(db.connections()),
  )
}

/** Measures when the ledger was last verified without findings. An alert fires when that is too long ago. */
const measureLastClean = (metrics: Metrics, { db }: Core): void =>
  metrics.sharedGauge(
    'kobo_ledger_last_clean_timestamp_seconds',
    'Unix time of the last ledger verification without findings; absent before the first',
    'proof',
    async () => {
      const { sinceCheckpointsAt, wholeAt } = await readLastClean(db)
      return (
        [
          ['since checkpoints', sinceCheckpointsAt],
          ['whole', wholeAt],
        ] as const
      ).flatMap(([proof, at]) => (at === null ? [] : [[proof, at.getTime() / 1_000] as const]))
    },
  )

/** How long sums over all accounts are cached. */
const FLOAT_MILLISECONDS = 60_000
/** How long counts of account numbers are cached, because they change slowly. */
const NUMBERS_MILLISECONDS = 300_000

/** Caches a costly value for some time. While it is read again, scrapes get the old value. */
function cachedFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  let readAt = 0
  return () => {
    if (known !== undefined && monotonic() - readAt < milliseconds) return known
    readAt = monotonic()
    const next = read()
    next.then(
      () => (known = next),
      () => (known = undefined), // the next scrape reads it again
    )
    known ??= next
    return known
  }
}

/** Measures how many account numbers the prefixes of banks still have. */
function measureNumbers(metrics: Metrics, { db, ids, clock }: Core): void {
  const read = cachedFor(NUMBERS_MILLISECONDS, () => countLeft(db, ids.cell, clock.now()))
  metrics.sharedGauge('kobo_account_numbers_left', 'Account numbers left under a prefix', 'source', async () =>
    (await read()).map(({ source, left }) => [source, left] as const),
  )
  metrics.sharedGauge('kobo_account_numbers', 'Account numbers that a prefix has in total', 'source', async () =>
    (await read()).map(({ source, numbers }) => [source, numbers] as const),
  )
}

/** Measures the money that partners hold, the money that is owed, and the difference. */
function measureFloat(metrics: Metrics, { db }: Core, minimums: readonly FloatMinimum[]): void {
  const read = cachedFor(FLOAT_MILLISECONDS, () => safeguarding(db))
  metrics.sharedGauge('kobo_partner_held_naira', 'What a partner holds according to the ledger', 'partner', async () =>
    (await read()).partners.map(({ partner, held }) => [partner ?? 'unnamed', toNaira(held)] as const),
  )
  metrics.sharedGauge('kobo_owed_naira', 'What is owed to merchants, and in suspense to payers', 'to', async () =>
    Object.entries((await read()).owed).map(([to, amount]) => [to, toNaira(amount)] as const),
  )
  metrics.sharedGauge('kobo_safeguarding_surplus_naira', 'What partners hold beyond what is owed', 'of', async () => [
    ['all', toNaira((await read()).surplus)],
  ])
  metrics.instantGauge('kobo_partner_float_minimum_naira', 'The minimum that a partner should hold', 'partner', () =>
    minimums.map(({ partner, naira }) => [partner, naira] as const),
  )
}

/** Returns the due time of the oldest event over all shards. */
async function oldestOfAll({ db, shards }: Core): Promise<Date | undefined> {
  const all = [...(await shards.ofEach((shard) => oldestQueued(db, shard))), await additionalQueue.nextDue(db)]
  return all.filter((due) => due !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]
}

/** Returns the seconds since a moment, in business time; 0 without a moment. */
const secondsSince = (moment: Date | undefined, { clock }: Core): number =>
  moment === undefined ? 0 : Math.max(0, (clock.now().getTime() - moment.getTime()) / 1_000)
