import type { Core } from '../../core/core.ts'
import { HOUSE, type Journal, postNew } from '../../core/money/ledger/index.ts'
import { StatementError } from '../../core/money/statements/index.ts'
import { isSamePerson } from '../../core/orders/index.ts'
import { type AuditRecord, audit, NO_MERCHANT } from '../../core/security/audit.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { lagosDay } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { kobo, toNairaText, ZERO } from '../../kernel/money.ts'
import { isLockTimeout } from '../../platform/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { holdUnknown } from '../returns/index.ts'
import {
  type DecisionRow,
  endProposals,
  findProposed,
  insertDecision,
  selectDecisions,
  updateDecision,
  type Wanted,
} from './decision-repository.ts'
import { assignEntries, type EntryRow, insertEntries, selectEntriesOf } from './entry-repository.ts'
import { changeItem, type ItemRow, lockItem, removeItems, selectCrediting } from './item-repository.ts'
import { decisionJournal, isBooked } from './journals.ts'
import { matchPartner } from './match.ts'
import { nameOfLine, referencesOf } from './matching.ts'
import { assignLines, findAccount, type LineRow, selectLinesOf } from './statement-repository.ts'

/** Who acts, as the audit has it. */
export type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** What a person says of an item. */
export interface Word {
  readonly wanted: Wanted
  /** The person's name or address: however it is written, it is one pair of eyes. */
  readonly by: string
  readonly because: string
}

/**
 * Takes down what a person says is to be done about an item, where money moves. Where another has said the same, it is carried
 * out in this very transaction. Whoever says otherwise than the one before begins anew.
 */
export async function decide(unit: UnitOfWork, id: bigint, word: Word, by: By): Promise<DecisionRow> {
  const item = await openItem(unit, id)
  const lines = await selectLinesOf(unit.tx, item.partner, [id])
  await checkWanted(unit, item, lines, word.wanted)
  const before = await findProposed(unit.tx, item.partner, id)
  if (before !== undefined && isSaid(before, item, word)) {
    if (isSamePerson(before.proposedBy, word.by))
      throw new StatementError('Whoever proposed it cannot confirm it: another person must.')
    const decision: DecisionRow = {
      ...before,
      state: 'CARRIED_OUT',
      confirmedBy: word.by,
      confirmedBecause: word.because,
      confirmedAt: unit.at,
    }
    updateDecision(unit.tx, decision)
    auditWord(unit, 'reconciliation.confirm', item, word, by)
    await carryOut(unit, item, lines, decision)
    return decision
  }
  endProposals(unit.tx, item.partner, [id])
  const decision = proposal(unit, item, word)
  insertDecision(unit.tx, decision)
  auditWord(unit, 'reconciliation.propose', item, word, by)
  return decision
}

const isSaid = (before: DecisionRow, item: ItemRow, { wanted }: Word): boolean =>
  before.difference === item.difference &&
  JSON.stringify(Object.entries(before.wanted).sort()) === JSON.stringify(Object.entries(wanted).sort())

const proposal = ({ ids, at }: UnitOfWork, item: ItemRow, word: Word): DecisionRow => ({
  merchantId: HOUSE,
  id: ids.id(),
  partner: item.partner,
  itemId: item.id,
  wanted: word.wanted,
  difference: item.difference,
  proposedBy: word.by,
  proposedBecause: word.because,
  proposedAt: at,
  confirmedBy: null,
  confirmedBecause: null,
  confirmedAt: null,
  state: 'PROPOSED',
})

/** The item that a person names, where nothing is settled yet. */
async function openItem({ tx }: UnitOfWork, id: bigint): Promise<ItemRow> {
  const item = await lockItem(tx, id)
  if (item === undefined || item.settledOn !== null || item.state === 'CREDITING')
    throw new StatementError(`No person is called for ${id}.`)
  return item
}

async function checkWanted(unit: UnitOfWork, item: ItemRow, lines: readonly LineRow[], wanted: Wanted): Promise<void> {
  const { partner, difference } = item
  if (wanted.as === 'moved') {
    if (wanted.other === partner) throw new StatementError('It cannot have moved to where it is.')
    if ((await findAccount(unit.tx, wanted.other)) === undefined)
      throw new StatementError(`No account at ${wanted.other} is known.`)
  }
  if (wanted.as === 'suspense' && (difference < 0n || lines.length === 0))
    throw new StatementError('Only money that the bank has more than the books can be in suspense.')
  if (wanted.as === 'credit') {
    const entries = await selectEntriesOf(unit.tx, partner, [item.id])
    if (difference < 0n || lines.length !== 1 || entries.length > 0)
      throw new StatementError(
        'Only one line of money that came in, and that nobody told of, can be received as a credit.',
      )
  }
}

/** Does what was decided; where a journal is booked for it, that is what was missing in the books. */
async function carryOut(
  unit: UnitOfWork,
  item: ItemRow,
  lines: readonly LineRow[],
  decision: DecisionRow,
): Promise<void> {
  const { wanted } = decision
  if (wanted.as === 'credit') {
    changeItem(unit.tx, item, { state: 'CREDITING', note: null })
    return
  }
  const entries = await selectEntriesOf(unit.tx, item.partner, [item.id])
  const journal = bookingOf(unit, item, lines, decision)
  const entry: EntryRow = {
    partner: item.partner,
    merchantId: HOUSE,
    key: journal.key,
    day: lagosDay(unit.at),
    amount: item.difference,
    kind: wanted.as === 'cost' ? 'COST' : 'PAYMENT',
    method: entries[0]?.method ?? 'others',
    income: ZERO,
    named: [],
    itemId: item.id,
  }
  const there: readonly EntryRow[] =
    wanted.as === 'moved'
      ? [
          {
            ...entry,
            partner: wanted.other,
            amount: kobo(-item.difference),
            named: lines.flatMap(referencesOf),
            itemId: null,
          },
        ]
      : []
  await insertEntries(unit.tx, [entry, ...there])
  const settledOn = Math.max(entry.day, ...[...lines, ...entries].map(({ day }) => day))
  changeItem(unit.tx, item, { state: 'BOOKED', difference: ZERO, settledOn, note: decision.proposedBecause })
}

function bookingOf(
  unit: UnitOfWork,
  { partner, difference }: ItemRow,
  lines: readonly LineRow[],
  decision: DecisionRow,
): Journal {
  if (isBooked(decision.wanted)) {
    const journal = decisionJournal(decision)
    postNew(unit, [journal])
    return journal
  }
  const [line] = lines
  invariant(line !== undefined, 'money in suspense stands in a statement')
  const payer = { name: line.name, accountNumber: null, bankCode: null, bvn: null }
  return holdUnknown(unit, { partner, railReference: `${nameOfLine(line)}/${decision.id}`, amount: difference, payer })
}

/** Writes down why an item is as it is; nothing is booked, and it counts as explained until it is settled. */
export async function explain(unit: UnitOfWork, id: bigint, because: string, by: By): Promise<ItemRow> {
  const item = await openItem(unit, id)
  changeItem(unit.tx, item, { state: 'EXPLAINED', note: because })
  auditItem(unit, 'reconciliation.explain', item, { because }, by)
  return { ...item, state: 'EXPLAINED', note: because }
}

/** Puts items together that belong together, as a person says, where with that nothing is left over. */
export async function join(unit: UnitOfWork, ids: readonly bigint[], because: string, by: By): Promise<ItemRow> {
  const items: ItemRow[] = []
  for (const id of [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))) items.push(await openItem(unit, id))
  const [first, ...others] = items
  if (first === undefined || others.length === 0) throw new StatementError('Name two or more of them.')
  const { partner } = first
  if (others.some((item) => item.partner !== partner)) throw new StatementError('They must be of one partner.')
  const left = items.reduce((sum, { difference }) => sum + difference, 0n)
  if (left !== 0n) throw new StatementError(`Together they leave ${toNairaText(kobo(left))} over.`)
  const all = items.map(({ id }) => id)
  const [lines, entries] = [await selectLinesOf(unit.tx, partner, all), await selectEntriesOf(unit.tx, partner, all)]
  await assignLines(
    unit.tx,
    partner,
    lines.map(({ id }) => ({ id, itemId: first.id })),
  )
  await assignEntries(
    unit.tx,
    partner,
    entries.map(({ merchantId, key }) => ({ merchantId, key, itemId: first.id })),
  )
  const days = [...lines, ...entries].map(({ day }) => day)
  const joined: ItemRow = {
    ...first,
    state: 'MATCHED',
    matchedBy: 'person',
    day: Math.min(...days),
    settledOn: Math.max(...days),
    difference: ZERO,
    note: because,
  }
  changeItem(unit.tx, first, joined)
  endProposals(unit.tx, partner, all)
  removeItems(
    unit.tx,
    partner,
    others.map(({ id }) => id),
  )
  auditItem(unit, 'reconciliation.join', first, { because, with: others.map(({ id }) => String(id)) }, by)
  return joined
}

const auditWord = (unit: UnitOfWork, act: string, item: ItemRow, { by: person, because, wanted }: Word, by: By): void =>
  auditItem(unit, act, item, { by: person, because, wanted }, by)

const auditItem = (
  unit: UnitOfWork,
  act: string,
  { id, partner, difference }: ItemRow,
  details: object,
  by: By,
): void =>
  audit(unit, {
    ...by,
    merchantId: NO_MERCHANT,
    act,
    reference: String(id),
    details: { partner, difference: toNairaText(difference), ...details },
  })

/** Receives money that two people say is a credit of which nobody told: through the same door as all others. */
export const statementCreditSweep = (
  core: Core,
  receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>,
): Sweep => ({
  name: 'receive credits of statements',
  run: async (_, limit) => {
    const items = await selectCrediting(core.db, limit)
    const partners = new Set(items.map(({ partner }) => partner))
    for (const item of items) {
      const [line] = await selectLinesOf(core.db, item.partner, [item.id])
      const [decision] = await selectDecisions(core.db, item.partner, [item.id])
      invariant(line !== undefined && decision?.wanted.as === 'credit', 'a credit of a statement has its line')
      const { bankCode, accountNumber } = decision.wanted
      const outcome = await receiveCredit({
        partner: item.partner,
        railReference: referencesOf(line)[0] ?? nameOfLine(line),
        bankCode,
        accountNumber,
        amount: line.amount,
        payer: { name: line.name, accountNumber: null, bankCode: null, bvn: null },
        narration: line.narration,
        sentBackBy: 'us',
      })
      await unitOfWork(core, async (unit) =>
        changeItem(unit.tx, item, { note: 'reason' in outcome ? outcome.reason : outcome.kind }),
      )
    }
    // The line and what was booked for it are put together at once, so that the proof holds; who works on the partner just now does it, too.
    for (const partner of partners)
      await unitOfWork(core, (unit) => matchPartner(unit, partner)).catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error
      })
    return items.length
  },
})
