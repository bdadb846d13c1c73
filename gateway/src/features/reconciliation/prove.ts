import { StatementError } from '../../core/money/statements/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { dayText, lagosMoment } from '../../kernel/dates.ts'
import { type Kobo, kobo, toNairaText } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { heldByPartner } from './books.ts'
import { type DayRow, type Explained, insertDay, lastClosed } from './day-repository.ts'
import type { By } from './decide.ts'
import { countEntries } from './entry-repository.ts'
import { gatherDay } from './gather.ts'
import { type Remainder, selectRemainders } from './item-repository.ts'
import { matchPartner } from './match.ts'
import { balanceByLines, lockAccount, type StatementAccount, selectBalances } from './statement-repository.ts'

/** How a day stands: what the bank had at its end, what the books had, and what makes up the difference. */
export interface DayProof {
  readonly partner: string
  readonly day: number
  /** Null where the bank has not told, or what it told does not follow from its lines. */
  readonly bank: Kobo | null
  readonly books: Kobo
  /** The bank had so much more than the books before the first day. */
  readonly before: Kobo
  readonly remainders: readonly Remainder[]
  /** What nothing explains: zero where the proof holds. Null where the bank has not told. */
  readonly unexplained: Kobo | null
  /** Why the bank's balance is not known. */
  readonly wanting: string | null
  readonly lines: number
}

/** What the books said that a partner held at the end of a day. */
export type HeldAtEnd = (db: Db | Tx, partner: string, day: number) => Promise<Kobo>

const heldAtEnd: HeldAtEnd = (db, partner, day) => heldByPartner(db, partner, lagosMoment(day + 1, 0))

/** What is under way when a day ends is over by then. */
const REST_SECONDS = 3_600

/** Whether nothing can be booked on a day any more: what was under way when it ended is over. */
const isOver = (day: number, at: Date): boolean => secondsAfter(lagosMoment(day + 1, 0), REST_SECONDS) <= at

const REMEMBERED_MAX = 1_000

/** Remembers what the books said at the ends of days that are over, which stays: it is a sum over all that was booked since. */
export function rememberHeld(clock: Clock): HeldAtEnd {
  const known = new Map<string, Kobo>()
  return async (db, partner, day) => {
    const key = `${partner} ${day}`
    const isFinal = isOver(day, clock.now())
    const held = known.get(key) ?? (await heldAtEnd(db, partner, day))
    if (known.size >= REMEMBERED_MAX) known.clear()
    if (isFinal) known.set(key, held)
    return held
  }
}

/** Holds the bank's closing balance of a day against the books, and lists what makes up the difference. */
export async function proveDay(
  db: Db | Tx,
  account: StatementAccount,
  day: number,
  held: HeldAtEnd = heldAtEnd,
): Promise<DayProof> {
  const { partner } = account
  const { balance, ofDay } = await balanceByLines(db, account, day)
  const wanting = await whyWanting(db, account, day)
  const bank = wanting === null ? balance : null
  const books = await held(db, partner, day)
  const before = kobo(account.openingBalance - account.openingHeld)
  const remainders = await selectRemainders(db, partner, day)
  const explained = remainders.reduce<bigint>((total, { amount }) => total + amount, before)
  const unexplained = bank === null ? null : kobo(bank - books - explained)
  return { partner, day, bank, books, before, remainders, unexplained, wanting, lines: ofDay }
}

/** Why the bank's balance at the end of a day is not known: it follows from the next one that the bank tells, and its lines. */
async function whyWanting(db: Db | Tx, account: StatementAccount, day: number): Promise<string | null> {
  const told = (await selectBalances(db, account.partner)).find((one) => one.day >= day)
  if (told === undefined) return `the statement of ${dayText(day)} is not there yet`
  const { balance: byLines } = await balanceByLines(db, account, told.day)
  return told.amount === byLines
    ? null
    : `by the lines that are there the bank has ${toNairaText(byLines)} at the end of ${dayText(told.day)}, and it says ${toNairaText(told.amount)}: a statement is missing`
}

const DAYS_MAX = 400

/** Closes days of a partner, one after the other, up to one; answers them. A day that cannot be closed says why. */
export async function closeDays(
  unit: UnitOfWork,
  partner: string,
  through: number | undefined,
  by: By,
): Promise<readonly DayRow[]> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined) throw new StatementError(`No account at ${partner} is known; see kobo statement account.`)
  const first = ((await lastClosed(unit.tx, partner)) ?? account.beganOn - 1) + 1
  const last = through ?? first
  if (last < first) throw new StatementError(`${dayText(last)} is closed already.`)
  if (last - first >= DAYS_MAX) throw new StatementError(`At most ${DAYS_MAX} days are closed at once.`)
  if (!isOver(last, unit.at)) throw new StatementError(`${dayText(last)} can be closed an hour after its end.`)
  for (let day = first; day <= last; day++) await gatherDay(unit, partner, day)
  await matchPartner(unit, partner)
  const closed: DayRow[] = []
  for (let day = first; day <= last; day++) closed.push(await closeDay(unit, account, day, by))
  return closed
}

async function closeDay(unit: UnitOfWork, account: StatementAccount, day: number, by: By): Promise<DayRow> {
  const { partner } = account
  const proof = await proveDay(unit.tx, account, day)
  const { bank, books, before, remainders, unexplained, wanting, lines } = proof
  const cannot = (why: string): StatementError =>
    new StatementError(`${dayText(day)} of ${partner} cannot be closed: ${why}.`)
  if (bank === null) throw cannot(wanting ?? 'the bank has not told')
  if (unexplained !== 0n) throw cannot(`nothing explains ${toNairaText(unexplained ?? kobo(0n))}`)
  const open = remainders.filter(({ state }) => state === 'OPEN' || state === 'CREDITING')
  if (open.length > 0) throw cannot(`${open.length} exceptions are neither decided nor explained`)
  const row: DayRow = {
    partner,
    day,
    bank,
    books,
    explained: [...(before === 0n ? [] : [openingOf(account, before)]), ...remainders.map(explainedOf)],
    lines,
    entries: await countEntries(unit.tx, partner, day),
    closedAt: unit.at,
    closedBy: by.name ?? by.actor,
  }
  insertDay(unit.tx, row)
  audit(unit, {
    ...by,
    merchantId: NO_MERCHANT,
    act: 'reconciliation.close',
    reference: partner,
    details: { day: dayText(day), bank: toNairaText(bank), books: toNairaText(books), explained: row.explained.length },
  })
  return row
}

const openingOf = ({ beganOn }: StatementAccount, amount: Kobo): Explained => ({
  id: '',
  reason: 'BEFORE_THE_FIRST_DAY',
  day: dayText(beganOn),
  amount: toNairaText(amount),
  note: null,
})

/** What bank and books have on different days explains itself. */
const explainedOf = ({ id, reason, day, amount, note }: Remainder): Explained => ({
  id: String(id),
  reason: reason ?? 'ANOTHER_DAY',
  day: dayText(day),
  amount: toNairaText(amount),
  note,
})
