import { monotonic } from '../../kernel/clock.ts'
import { isTaken } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Core } from '../core.ts'
import { audit, NO_MERCHANT } from '../security/audit.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { findTable, insertTable, type RoutingTableRow, selectMerchantCodes, tellTableChanged } from './repository.ts'
import { merchantsIn, type RoutingTable, whyNoTable } from './table.ts'

const CHANNEL = 'routing'

/** The table in effect, with the merchants that it names. */
export interface PresentTable {
  readonly version: number
  readonly routes: RoutingTable
  readonly merchants: ReadonlyMap<bigint, string>
}

/** The table in effect, kept in memory: every order is routed by it. */
export interface RoutingTables {
  readonly present: () => PresentTable | undefined
}

/** Keeps the table in effect. Other nodes tell when there is another; what they may have told unheard is read again. */
export async function openRoutingTables({ db, channels }: Core, log: Log): Promise<RoutingTables> {
  let present: PresentTable | undefined
  let readAt = 0
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const startedAt = monotonic()
    const row = await findTable(db)
    const merchants = await selectMerchantCodes(db, row === undefined ? [] : [...merchantsIn(row.routes)])
    if (row !== undefined && row.version !== present?.version)
      log.info({ version: row.version }, 'orders are routed by this table')
    present = row === undefined ? undefined : { version: row.version, routes: row.routes, merchants }
    readAt = startedAt
  }
  const readAgain = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  await channels.hear(CHANNEL, { onWord: () => void readAgain().catch(() => {}), onMissed: readAgain })
  await read()
  return {
    present: () => {
      // What was in effect a moment ago routes as well: nobody waits for it.
      if (!channels.vouchesFor(readAt)) void readAgain().catch(() => {})
      return present
    },
  }
}

/** Why a routing table cannot be set. */
export class RoutingError extends Error {}

interface NewTable {
  readonly routes: unknown
  /** The version that it was made of, where that is said: if another is in effect meanwhile, it is refused. */
  readonly basedOn?: number | undefined
  readonly madeBy: string
}

/** Puts a routing table into effect, on every node. */
export async function setTable(core: Core, { routes, basedOn, madeBy }: NewTable): Promise<RoutingTableRow> {
  const wrong = whyNoTable(routes)
  if (wrong !== undefined) throw new RoutingError(wrong)
  const table = routes as RoutingTable
  const named = merchantsIn(table)
  const known = new Set((await selectMerchantCodes(core.db, [...named])).values())
  const unknown = [...named].filter((code) => !known.has(code))
  if (unknown.length > 0) throw new RoutingError(`there is no merchant ${unknown.join(', ')}`)
  const set = unitOfWork(core, async (unit) => {
    const before = await findTable(unit.tx)
    if (basedOn !== undefined && basedOn !== (before?.version ?? 0))
      throw new RoutingError(`it was made of version ${basedOn}, and version ${before?.version ?? 0} is in effect`)
    const row = { version: (before?.version ?? 0) + 1, routes: table, madeAt: unit.at, madeBy }
    insertTable(unit.tx, row)
    audit(unit, {
      merchantId: NO_MERCHANT,
      act: 'routes.set',
      actor: 'command line',
      reference: String(row.version),
      details: { before: before?.routes ?? null, after: table },
    })
    tellTableChanged(unit.tx, CHANNEL)
    return row
  })
  return set.catch((error: unknown) => {
    throw isTaken(error) ? new RoutingError('somebody else has set one at this moment') : error
  })
}
