import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { isSamePerson } from '../../core/orders/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { dayText, lagosDay } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import { inTransaction, SNAPSHOT, type Tx } from '../../platform/db.ts'
import { ageOf } from './ages.ts'
import { lastClosed } from './day-repository.ts'
import type { DecisionRow, Wanted } from './decision-repository.ts'
import type { EntryRow } from './entry-repository.ts'
import { findExceptions } from './exceptions.ts'
import type { ItemRow } from './item-repository.ts'
import { type HeldAtEnd, proveDay } from './prove.ts'
import { type LineRow, type StatementAccount, selectAccounts, selectLastDays } from './statement-repository.ts'

type Shown = Reply<typeof contract.listExceptions>

/** How far each partner is reconciled. */
export async function showPartners({ db }: Core, held: HeldAtEnd): Promise<Shown['partners']> {
  const told = new Map((await selectLastDays(db)).map(({ partner, day }) => [partner, day]))
  const shown: Shown['partners'] = []
  for (const account of await selectAccounts(db))
    shown.push(await inTransaction(db, (tx) => showPartner(tx, account, told.get(account.partner), held), SNAPSHOT))
  return shown
}

async function showPartner(
  tx: Tx,
  account: StatementAccount,
  toldUpTo = account.beganOn - 1,
  held: HeldAtEnd,
): Promise<Shown['partners'][number]> {
  const { partner, beganOn } = account
  const closed = await lastClosed(tx, partner)
  const proof = toldUpTo < beganOn ? undefined : await proveDay(tx, account, toldUpTo, held)
  return {
    partner,
    toldUpTo: proof === undefined ? null : dayText(proof.day),
    closedThrough: closed === undefined ? null : dayText(closed),
    bank: nairaOf(proof?.bank),
    books: nairaOf(proof?.books),
    unexplained: nairaOf(proof?.unexplained),
  }
}

const nairaOf = (amount: Parameters<typeof toNaira>[0] | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toNaira(amount)

/** What does not agree between banks and books, the oldest first, with what is proposed about each. */
export async function showExceptions({ db, clock }: Core, person: SignedIn): Promise<Shown['exceptions']> {
  const today = lagosDay(clock.now())
  return (await findExceptions(db, null)).map(({ item, lines, entries, proposed }) => ({
    ...showItem(item, today),
    lines: lines.map(showLine),
    entries: entries.map(showEntry),
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

const showProposal = ({ email }: SignedIn, decision: DecisionRow | undefined) =>
  decision === undefined
    ? null
    : {
        as: decision.wanted.as,
        text: textOf(decision.wanted),
        by: decision.proposedBy,
        because: decision.proposedBecause,
        isYours: isSamePerson(decision.proposedBy, email),
      }

/** Where it is to go, where that must be said beside what it is booked as. */
const textOf = (wanted: Wanted): string =>
  wanted.as === 'moved' ? wanted.other : wanted.as === 'credit' ? `${wanted.accountNumber} at ${wanted.bankCode}` : ''
