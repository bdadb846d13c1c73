import { StatementError } from '../../core/bank-statements/index.ts'
import { audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { dayText, lagosMoment } from '../../kernel/dates.ts'
import { type Kobo, kobo, toNairaText } from '../../kernel/money.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { heldByPartner } from './clearing-entries.ts'
import { collectDay } from './collect-entries.ts'
import { type DayRow, type Explained, insertDay, lastClosed } from './day-repository.ts'
import type { By } from './decide.ts'
import { countEntries } from './entry-repository.ts'
import { type Remainder, selectRemainders } from './item-repository.ts'
import { matchPartner } from './match.ts'
import { balanceByLines, lockAccount, type StatementAccount, selectBalances } from './statement-repository.ts'

/** A day's balance at the bank and in the ledger, and the items that explain the difference. */
export interface DayBalance {
  readonly partner: string
  readonly day: number
  /** Null if the bank has not reported it, or if it does not follow from the statement lines. */
  readonly bank: Kobo | null
  readonly books: Kobo
  /** The difference between bank and ledger before the first reconciled day. */
  readonly before: Kobo
  readonly remainders: readonly Remainder[]
  /** The unexplained difference: zero if the day is balanced, null if the bank's balance is unknown. */
  readonly unexplained: Kobo | null
  /** Why the bank's balance is unknown. */
  readonly unknownReason: string | null
  readonly lines: number
}

/** A partner's balance in the ledger at the end of a day. */
export type LedgerBalanceAt = (db: Db | Tx, partner: string, day: number) => Promise<Kobo>

const heldAtEnd: LedgerBalanceAt = (db, partner, day) => heldByPartner(db, partner, lagosMoment(day + 1, 0))

/** Everything that was in progress at the end of a day has ended this long afterwards. */
const IN_PROGRESS_SECONDS_MAX = 3_600

/** Whether nothing more can be posted on a day. */
const isOver = (day: number, at: Date): boolean => secondsAfter(lagosMoment(day + 1, 0), IN_PROGRESS_SECONDS_MAX) <= at

const REMEMBERED_MAX = 1_000

/** Caches the ledger balances of past days: each is a sum over all entries, and no longer changes. */
export function cacheLedgerBalances(clock: Clock): LedgerBalanceAt {
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

/** Compares the bank's closing balance of a day with the ledger, and lists the items that explain the difference. */
export async function checkDay(
  db: Db | Tx,
  account: StatementAccount,
  day: number,
  held: LedgerBalanceAt = heldAtEnd,
): Promise<DayBalance> {
  const { partner } = account
  const { balance, ofDay } = await balanceByLines(db, account, day)
  const unknownReason = await whyUnknown(db, account, day)
  const bank = unknownReason === null ? balance : null
  const books = await held(db, partner, day)
  const before = kobo(account.openingBalance - account.openingHeld)
  const remainders = await selectRemainders(db, partner, day)
  const explained = remainders.reduce<bigint>((total, { amount }) => total + amount, before)
  const unexplained = bank === null ? null : kobo(bank - books - explained)
  return { partner, day, bank, books, before, remainders, unexplained, unknownReason, lines: ofDay }
}

/**
 * Explains why the bank's closing balance of a day is unknown. Returns null if it is known, either directly or from a
 * later balance and the lines in between.
 */
async function whyUnknown(db: Db | Tx, account: StatementAccount, day: number): Promise<string | null> {
  const reported = (await selectBalances(db, account.partner)).find((one) => one.day >= day)
  if (reported === undefined) return `the statement of ${dayText(day)} is missing`
  const { balance: byLines } = await balanceByLines(db, account, reported.day)
  return reported.amount === byLines
    ? null
    : `the imported lines sum to ${toNairaText(byLines)} at the end of ${dayText(reported.day)}, but the bank reports ${toNairaText(reported.amount)}: a statement is missing, or a wrong one was imported`
}

/** Explains why a day cannot be closed; returns null if it can. */
function whyOpen({ bank, unexplained, unknownReason, remainders }: DayBalance): string | null {
  if (bank === null) return unknownReason ?? 'the bank’s balance is unknown'
  if (unexplained !== 0n) return `${toNairaText(unexplained ?? kobo(0n))} is unexplained`
  const open = remainders.filter(({ state }) => state === 'OPEN' || state === 'CREDITING').length
  if (open === 0) return null
  return open === 1
    ? 'one exception is neither decided nor explained'
    : `${open} exceptions are neither decided nor explained`
}

/** Returns the next day to close, with the problem that prevents this, if any. Matching the day again may solve it. */
export async function nextToClose(
  tx: Tx,
  account: StatementAccount,
  at: Date,
  held: LedgerBalanceAt,
): Promise<{ readonly day: number; readonly problem: string | null } | null> {
  const day = ((await lastClosed(tx, account.partner)) ?? account.beganOn - 1) + 1
  return isOver(day, at) ? { day, problem: whyOpen(await checkDay(tx, account, day, held)) } : null
}

const DAYS_MAX = 400

/** Closes a partner's days in sequence; returns them. Rejects a day that cannot be closed, with the reason. */
export async function closeDays(
  unit: UnitOfWork,
  partner: string,
  through: number | undefined,
  by: By,
): Promise<readonly DayRow[]> {
  const account = await lockAccount(unit.tx, partner)
  if (account === undefined)
    throw new StatementError(`No account at ${partner} is registered. Register it with kobo statement account.`)
  const first = ((await lastClosed(unit.tx, partner)) ?? account.beganOn - 1) + 1
  const last = through ?? first
  if (last < first) throw new StatementError(`${dayText(last)} is already closed.`)
  if (last - first >= DAYS_MAX) throw new StatementError(`At most ${DAYS_MAX} days can be closed at once.`)
  if (!isOver(last, unit.at)) throw new StatementError(`${dayText(last)} can be closed an hour after its end.`)
  for (let day = first; day <= last; day++) await collectDay(unit, partner, day)
  await matchPartner(unit, partner)
  const closed: DayRow[] = []
  for (let day = first; day <= last; day++) closed.push(await closeDay(unit, account, day, by))
  return closed
}

async function closeDay(unit: UnitOfWork, account: StatementAccount, day: number, by: By): Promise<DayRow> {
  const { partner } = account
  const balance = await checkDay(unit.tx, account, day)
  const { bank, books, before, remainders, lines } = balance
  const why = whyOpen(balance)
  if (why !== null || bank === null) throw new StatementError(`${dayText(day)} of ${partner} cannot be closed: ${why}.`)
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

/** Shows an item in the list of a closed day. If an item has no reason, bank and ledger have it on different days. */
const explainedOf = ({ id, reason, day, amount, note }: Remainder): Explained => ({
  id: String(id),
  reason: reason ?? 'ANOTHER_DAY',
  day: dayText(day),
  amount: toNairaText(amount),
  note,
})
