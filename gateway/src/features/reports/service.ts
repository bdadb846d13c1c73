import { permissionsOfRole } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { notify } from '../../core/messages/notices.ts'
import { selectTeam } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { lagosMoment } from '../../kernel/dates.ts'
import { selectSettledSums, settlementList } from '../settlements/index.ts'
import { type ReportDay, selectReaders, takeDay } from './repository.ts'
import { reportText, type SettledDay } from './text.ts'

/** A report lists so many settlements; of more it says where they are. A merchant has a few a day, or as many as payments where they are settled at once. */
const LISTED_MAX = 1_000
/** For so many days it is remembered that a report was made. */
const REMEMBERED_DAYS = 40
const DAY_MINUTES = 24 * 60

/**
 * Makes a merchant's report of a day and has it mailed to those who want it and may see it: once, however many nodes try.
 * A day on which nothing was settled has no report.
 */
export async function makeReport(core: Core, publicUrl: string, wanted: ReportDay): Promise<void> {
  const merchant = await core.directory.byId(wanted.merchantId)
  // Read before, since lists are read outside transactions: what is settled on a day that is over does not change.
  const settled = merchant && (await readDay(core, wanted, merchant.name))
  await unitOfWork(core, async (unit) => {
    const isFirst = await takeDay(unit.tx, wanted, wanted.day - REMEMBERED_DAYS)
    if (!isFirst || settled === undefined || settled.settlements.length === 0) return
    const mail = reportText(settled, publicUrl)
    const readers = await selectAllowed(unit, wanted)
    notify(
      unit,
      readers.map((recipient) => ({ merchantId: wanted.merchantId, recipient, ...mail })),
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

/** The addresses of those who want a report and are still allowed to see what is in it. */
async function selectAllowed({ tx }: UnitOfWork, wanted: ReportDay): Promise<readonly string[]> {
  const readers = new Set((await selectReaders(tx, wanted)).map(({ personId }) => personId))
  const team = await selectTeam(tx, wanted.merchantId)
  return team
    .filter(
      ({ personId, role, approves }) =>
        readers.has(personId) && permissionsOfRole(role, approves).includes('balances.read'),
    )
    .map(({ email }) => email)
}
