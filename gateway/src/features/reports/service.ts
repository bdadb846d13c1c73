import { permissionsOfRole } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { notify } from '../../core/messages/notices.ts'
import { selectTeam } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { lagosMoment } from '../../kernel/dates.ts'
import { selectSettledSums, settlementList } from '../settlements/index.ts'
import { claimDay, type ReportDay, selectSubscribers } from './repository.ts'
import { reportText, type SettledDay } from './text.ts'

/** The maximum number of settlements in a report. It says where to find the rest. */
const LISTED_MAX = 1_000
/** How long we remember which days were reported. */
const REMEMBERED_DAYS = 40
const DAY_MINUTES = 24 * 60

/**
 * Emails the report of a merchant's day to the subscribers who have access. It is sent only once, even if several nodes
 * try. A day without settlements has no report.
 */
export async function makeReport(core: Core, publicUrl: string, reportDay: ReportDay): Promise<void> {
  const merchant = await core.directory.byId(reportDay.merchantId)
  // Lists cannot be read inside a transaction, so they are read before it. The settlements of a past day do not change.
  const settled = merchant && (await readDay(core, reportDay, merchant.name))
  await unitOfWork(core, async (unit) => {
    const isFirst = await claimDay(unit.tx, reportDay, reportDay.day - REMEMBERED_DAYS)
    if (!isFirst || settled === undefined || settled.settlements.length === 0) return
    const mail = reportText(settled, publicUrl)
    const subscribers = await selectAllowed(unit, reportDay)
    notify(
      unit,
      subscribers.map((recipient) => ({ merchantId: reportDay.merchantId, recipient, ...mail })),
    )
  })
}

async function readDay({ db }: Core, { merchantId, day }: ReportDay, merchantName: string): Promise<SettledDay> {
  const from = lagosMoment(day, 0)
  const to = new Date(lagosMoment(day, DAY_MINUTES).getTime() - 1)
  const { rows, next } = await settlementList(db, merchantId, { from, to }, { size: LISTED_MAX })
  const sums = new Map((await selectSettledSums(db, rows)).map((sum) => [sum.id, sum]))
  const settlements = rows.toReversed().map((row) => ({ row, sum: sums.get(row.id) }))
  return { day, merchantName, settlements, hasMore: next !== undefined }
}

/** Returns the addresses of subscribers who still have access to settlements. */
async function selectAllowed({ tx }: UnitOfWork, reportDay: ReportDay): Promise<readonly string[]> {
  const subscribers = new Set((await selectSubscribers(tx, reportDay)).map(({ personId }) => personId))
  const team = await selectTeam(tx, reportDay.merchantId)
  return team
    .filter(
      ({ personId, role, approves }) =>
        subscribers.has(personId) && permissionsOfRole(role, approves).includes('balances.read'),
    )
    .map(({ email }) => email)
}
