import { selectCredited } from '../../core/money/credits/index.ts'
import { type ClearingEntry, RAILS } from '../../core/money/ledger/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { lagosDay, lagosMoment } from '../../kernel/dates.ts'
import { setsOf } from '../../platform/sets.ts'
import { selectUntaken } from '../returns/index.ts'
import { bookedWithin } from './books.ts'
import { type EntryRow, insertEntries } from './entry-repository.ts'
import { changeAccount, type StatementAccount } from './statement-repository.ts'

/** A transaction that was open at the last look is over by now, or never will be. */
const OPEN_SECONDS_MAX = 3_600
const SET_MAX = 2_000

/** Looks through what was booked at a partner since the last look, up to now, a day at a time. */
export async function gather(unit: UnitOfWork, account: StatementAccount, closed: number): Promise<void> {
  const { partner } = account
  const again = secondsAfter(account.gatheredUntil, -OPEN_SECONDS_MAX)
  const first = Math.max(closed + 1, lagosDay(again))
  for (let day = first; day <= lagosDay(unit.at); day++) await gatherDay(unit, partner, day)
  changeAccount(unit.tx, partner, { gatheredUntil: unit.at })
}

/** A day is looked through in so many parts, so that not all of it is in memory at once. */
const PARTS_OF_DAY = 24
const PART_MINUTES = 60

/** Keeps what was booked at a partner on a day. */
export async function gatherDay(unit: UnitOfWork, partner: string, day: number): Promise<void> {
  for (let part = 0; part < PARTS_OF_DAY; part++) {
    const [from, to] = [lagosMoment(day, part * PART_MINUTES), lagosMoment(day, (part + 1) * PART_MINUTES)]
    for (const booked of setsOf(await bookedWithin(unit.tx, partner, from, to), SET_MAX)) {
      const further = await furtherNames(unit, booked)
      const nameOf = (entry: ClearingEntry) => further.get(textOf(entry, referenceIn(entry.key)))
      await insertEntries(
        unit.tx,
        booked.map((entry) => entryOf(partner, day, entry, nameOf(entry))),
      )
    }
  }
}

const textOf = ({ merchantId }: Pick<ClearingEntry, 'merchantId'>, reference: string): string =>
  `${merchantId} ${reference}`

/** What banks call the credits behind our own references. */
async function furtherNames(
  { tx }: UnitOfWork,
  booked: readonly ClearingEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ofKind = (prefix: string) =>
    booked
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ merchantId, key }) => ({ merchantId, reference: referenceIn(key) }))
  const [costs, returns] = [ofKind(COST), ofKind(RETURN)]
  const found = [
    ...(costs.length === 0 ? [] : await selectCredited(tx, costs)),
    ...(returns.length === 0 ? [] : await selectUntaken(tx, returns)),
  ]
  return new Map(found.map((one) => [textOf(one, one.reference), one.railReference]))
}

const COST = 'credit-cost/'
const RETURN = 'return/'
const REFUND = 'refund/'
const DISPUTE = 'dispute/'
/** What journals of one act are told apart by, behind the reference. */
const ENDINGS = /\/(held|sent|released|reversed|completed|failed|returned|paid|paid out|lost)$/
const REVERSED = /\/reversed$/

/** The reference in a journal's key: what stands between the act and how it ended. */
const referenceIn = (key: string): string => key.slice(key.indexOf('/') + 1).replace(ENDINGS, '')

function entryOf(partner: string, day: number, entry: ClearingEntry, railReference: string | undefined): EntryRow {
  const { merchantId, key, amount, income } = entry
  const reference = referenceIn(key)
  // Where money has the name of other money it is kept under its whole name: partner, bank, reference.
  const whole = reference.startsWith(`${partner}/`) ? reference.split('/').slice(2).join('/') : undefined
  const isCost = key.startsWith(COST)
  // The bank knows what it sent back by another name than what it had received.
  const isUnderRailReference = railReference !== undefined && !key.endsWith('/returned')
  const named = [isCost ? undefined : reference, whole, isUnderRailReference ? railReference : undefined]
  return {
    partner,
    merchantId,
    key,
    day,
    amount,
    kind: isCost ? 'COST' : 'PAYMENT',
    method: methodOf(entry),
    income,
    named: named.filter((name) => name !== undefined),
    itemId: null,
  }
}

/** By which means it came or went: what partners have prices for. */
function methodOf({ key, account, amount }: ClearingEntry): string {
  if (key.startsWith(COST)) return 'bank-transfer'
  if (key.startsWith(RETURN)) return amount > 0n ? 'bank-transfer' : 'returns'
  if (key.startsWith(REFUND)) return 'refunds'
  if (key.startsWith(DISPUTE)) return 'disputes'
  if (REVERSED.test(key)) return 'reversals'
  const rail = account.split('/')[1] ?? ''
  return RAILS.find((one) => one === rail) ?? 'others'
}
