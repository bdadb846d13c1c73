import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import { isProposer } from '../../core/orders/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { dayText, lagosDay } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import { type Db, inTransaction, SNAPSHOT, type Tx } from '../../platform/postgres/db.ts'
import { ageOf } from './ages.ts'
import { checkDay, type LedgerBalanceAt, nextToClose } from './day-balance.ts'
import { type DayRow, lastClosed, selectLastClosed } from './day-repository.ts'
import type { DecisionRow, Resolution } from './decision-repository.ts'
import type { EntryRow } from './entry-repository.ts'
import { findExceptions } from './exceptions.ts'
import type { ItemRow } from './item-repository.ts'
import {
  type LineRow,
  type StatementAccount,
  type StatementFile,
  selectAccounts,
  selectFiles,
  selectLastDays,
} from './statement-repository.ts'

type Shown = Reply<typeof contract.listExceptions>

/** Shows the reconciliation progress of each partner. */
export async function showPartners({ db, clock }: Core, held: LedgerBalanceAt): Promise<Shown['partners']> {
  const lastDays = new Map((await selectLastDays(db)).map(({ partner, day }) => [partner, day]))
  const shown: Shown['partners'] = []
  for (const account of await selectAccounts(db))
    shown.push(
      await inTransaction(
        db,
        (tx) => showPartner(tx, { account, reportedUpTo: lastDays.get(account.partner), held, at: clock.now() }),
        SNAPSHOT,
      ),
    )
  return shown
}

interface Progress {
  readonly account: StatementAccount
  readonly reportedUpTo: number | undefined
  readonly held: LedgerBalanceAt
  readonly at: Date
}

async function showPartner(
  tx: Tx,
  { account, reportedUpTo = account.beganOn - 1, held, at }: Progress,
): Promise<Shown['partners'][number]> {
  const { partner, beganOn } = account
  const next = await nextToClose(tx, account, at, held)
  const closed = await lastClosed(tx, partner)
  const lastReported = reportedUpTo < beganOn ? undefined : await checkDay(tx, account, reportedUpTo, held)
  return {
    partner,
    statementUpTo: lastReported === undefined ? null : dayText(lastReported.day),
    closedThrough: closed === undefined ? null : dayText(closed),
    bank: nairaOf(lastReported?.bank),
    books: nairaOf(lastReported?.books),
    unexplained: nairaOf(lastReported?.unexplained),
    next: next && { day: dayText(next.day), problem: next.problem },
  }
}

const DAYS_SHOWN = 31
const FILES_SHOWN = 31

/** Shows a partner's last closed days and imported files. */
export async function showHistory(db: Db, partner: string): Promise<Reply<typeof contract.getReconciledPartner>> {
  const [days, files] = await Promise.all([
    selectLastClosed(db, partner, DAYS_SHOWN),
    selectFiles(db, partner, FILES_SHOWN),
  ])
  return {
    days: days.map(showDay),
    files: files.map(({ name, lines, newLines, importedAt, ...more }) => ({
      ...{ name, lines, newLines, ...showRange(more) },
      importedOn: importedAt.toISOString(),
    })),
  }
}

export const showRange = ({ firstDay, lastDay }: Pick<StatementFile, 'firstDay' | 'lastDay'>) => ({
  firstDay: firstDay === null ? null : dayText(firstDay),
  lastDay: lastDay === null ? null : dayText(lastDay),
})

export const showDay = ({ day, bank, books, explained, lines, entries, closedAt, closedBy }: DayRow) => ({
  day: dayText(day),
  bank: toNaira(bank),
  books: toNaira(books),
  explained: explained.length,
  lines,
  entries,
  closedOn: closedAt.toISOString(),
  closedBy,
})

const nairaOf = (amount: Parameters<typeof toNaira>[0] | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toNaira(amount)

/** Shows differences between banks and ledger, oldest first, with their proposals. */
export async function showExceptions({ db, clock }: Core, person: SignedIn): Promise<Shown['exceptions']> {
  const today = lagosDay(clock.now())
  return (await findExceptions(db, null)).map(({ item, lines, entries, orders, proposed }) => ({
    ...showItem(item, today),
    lines: lines.map(showLine),
    entries: entries.map(showEntry),
    orders: [...orders],
    proposal: showProposal(person, proposed),
  }))
}

const showItem = ({ id, partner, reason, state, day, difference, note }: ItemRow, today: number) => ({
  id: String(id),
  partner,
  reason,
  state,
  day: dayText(day),
  age: ageOf(today - day),
  amount: toNaira(difference),
  note,
})

const showLine = ({ day, amount, bankReference, named, narration }: LineRow) => ({
  day: dayText(day),
  amount: toNaira(amount),
  reference: bankReference ?? named[0] ?? null,
  text: narration,
})

const showEntry = ({ day, amount, key }: EntryRow) => ({
  day: dayText(day),
  amount: toNaira(amount),
  reference: key,
  text: null,
})

const showProposal = ({ personId: id, email: name }: SignedIn, decision: DecisionRow | undefined) =>
  decision === undefined
    ? null
    : {
        as: decision.wanted.as,
        text: textOf(decision.wanted),
        by: decision.proposedBy,
        because: decision.proposedBecause,
        isYours: isProposer(decision, { id, name }),
      }

/** Returns the partner, account, merchant or items that a decision refers to, if any. */
function textOf(resolution: Resolution): string {
  switch (resolution.as) {
    case 'moved':
      return resolution.other
    case 'credit':
      return `${resolution.accountNumber} at ${bankName(resolution.bankCode)}`
    case 'merchant':
      return resolution.merchantCode
    case 'join':
      return resolution.others.join(', ')
    default:
      return ''
  }
}
