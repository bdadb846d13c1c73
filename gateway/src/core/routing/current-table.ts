import { monotonic } from '../../kernel/clock.ts'
import type { Log } from '../../platform/observability/log.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { type AuditRecord, audit, NO_MERCHANT } from '../security/audit.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { findTable, insertTable, notifyTableChanged, type RoutingTableRow, selectMerchantCodes } from './repository.ts'
import { merchantsIn, type RoutingTable, whyInvalidTable } from './rules.ts'

const CHANNEL = 'routing'

/** The table in effect and the merchants that it names. */
export interface CurrentTable {
  readonly version: number
  readonly routes: RoutingTable
  readonly merchants: ReadonlyMap<bigint, string>
}

/** The table in effect, cached: every order is routed by it. */
export interface CurrentRouting {
  readonly present: () => CurrentTable | undefined
}

/** Caches the table in effect. Other nodes announce a new table; after a lost connection the table is read again. */
export async function openRoutingTable({ db, channels }: Core, log: Log): Promise<CurrentRouting> {
  let present: CurrentTable | undefined
  let readAt = 0
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const startedAt = monotonic()
    const row = await findTable(db)
    const merchants = await selectMerchantCodes(db, row === undefined ? [] : [...merchantsIn(row.routes)])
    if (row !== undefined && row.version !== present?.version)
      log.info({ version: row.version }, 'routing table in effect')
    present = row === undefined ? undefined : { version: row.version, routes: row.routes, merchants }
    readAt = startedAt
  }
  const readAgain = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  await channels.subscribe(CHANNEL, { onMessage: () => void readAgain().catch(() => {}), onMissed: readAgain })
  await read()
  return {
    present: () => {
      // A slightly old table is good enough, so callers do not wait for the read.
      if (!channels.isCurrent(readAt)) void readAgain().catch(() => {})
      return present
    },
  }
}

/** Why a routing table cannot be set. */
export class RoutingError extends Error {}

interface NewTable {
  readonly routes: unknown
  /**
   * The version that the new table is based on, if given. If another version is in effect by now, the table is
   * rejected.
   */
  readonly basedOn?: number | undefined
  readonly by: Pick<AuditRecord, 'actor' | 'name'>
}

/** Puts a routing table into effect on every node. */
export async function setTable(core: Core, { routes, basedOn, by }: NewTable): Promise<RoutingTableRow> {
  const wrong = whyInvalidTable(routes)
  if (wrong !== undefined) throw new RoutingError(wrong)
  const table = routes as RoutingTable
  const named = merchantsIn(table)
  const known = new Set((await selectMerchantCodes(core.db, [...named])).values())
  const unknown = [...named].filter((code) => !known.has(code))
  if (unknown.length > 0) throw new RoutingError(`there is no merchant ${unknown.join(', ')}`)
  const set = unitOfWork(core, async (unit) => {
    const before = await findTable(unit.tx)
    if (basedOn !== undefined && basedOn !== (before?.version ?? 0))
      throw new RoutingError(`it is based on version ${basedOn}, but version ${before?.version ?? 0} is in effect`)
    const row = { version: (before?.version ?? 0) + 1, routes: table, madeAt: unit.at, madeBy: by.name ?? by.actor }
    insertTable(unit.tx, row)
    audit(unit, {
      merchantId: NO_MERCHANT,
      act: 'routes.set',
      ...by,
      reference: String(row.version),
      details: { before: before?.routes ?? null, after: table },
    })
    notifyTableChanged(unit.tx, CHANNEL)
    return row
  })
  return set.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new RoutingError('another table was set at the same moment; try again') : error
  })
}
