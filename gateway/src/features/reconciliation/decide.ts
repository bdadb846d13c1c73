import { StatementError } from '../../core/bank-statements/index.ts'
import type { Core } from '../../core/core.ts'
import { findMerchantId } from '../../core/merchants/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import { isProposer } from '../../core/orders/index.ts'
import { type AuditRecord, audit, NO_MERCHANT, personOf } from '../../core/security/audit.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { lagosDay } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { HOUSE } from '../../kernel/house.ts'
import { kobo, toNairaText, ZERO } from '../../kernel/money.ts'
import { isLockTimeout } from '../../platform/postgres/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { holdUnknown } from '../returns/index.ts'
import { chargeMerchant } from './charges.ts'
import {
  type DecisionRow,
  endProposals,
  findProposed,
  insertDecision,
  type Resolution,
  selectDecisions,
  updateDecision,
} from './decision-repository.ts'
import {
  assignEntries,
  type EntryRow,
  findOutgoing,
  insertEntries,
  selectEntriesOf,
  selectOutgoing,
} from './entry-repository.ts'
import { changeItem, type ItemRow, lockItem, removeItems, reopenUnmatched, selectCrediting } from './item-repository.ts'
import { decisionJournal, isPostedResolution } from './journals.ts'
import { matchPartner } from './match.ts'
import { hashedNames, isHashed, nameOfLine, namesOf, referencesOf } from './matching.ts'
import { assignLines, findAccount, type LineRow, nameLines, selectLinesOf } from './statement-repository.ts'

/** The actor, as the audit log records it. */
export type By = Pick<AuditRecord, 'actor' | 'name' | 'address'>

/** An operator's decision about an item. */
export interface OperatorDecision {
  readonly wanted: Resolution
  /** The operator's name or email address, compared without case and spaces. */
  readonly by: string
  readonly because: string
}

/**
 * Records an operator's decision about an item. If it equals another operator's proposal, it is carried out in the same
 * transaction; otherwise it becomes the proposal.
 */
export async function decide(unit: UnitOfWork, id: bigint, decided: OperatorDecision, by: By): Promise<DecisionRow> {
  const item = await openItem(unit, id)
  const lines = await selectLinesOf(unit.tx, item.partner, [id])
  const others = decided.wanted.as === 'join' ? await othersOf(unit, item, decided.wanted.others) : []
  await checkResolution(unit, item, lines, decided.wanted)
  const before = await findProposed(unit.tx, item.partner, id)
  if (before !== undefined && isSameResolution(before, item, decided)) {
    if (isProposer(before, { id: personOf(by.actor), name: decided.by }))
      throw new StatementError('You cannot confirm your own proposal: another operator must.')
    const decision: DecisionRow = {
      ...before,
      state: 'CARRIED_OUT',
      confirmedBy: decided.by,
      confirmedBecause: decided.because,
      confirmedAt: unit.at,
    }
    updateDecision(unit.tx, decision)
    auditDecision(unit, 'reconciliation.confirm', item, decided, by)
    if (decided.wanted.as === 'join') await joinItems(unit, item, others, decided.because)
    else await carryOut(unit, item, lines, decision)
    return decision
  }
  endProposals(unit.tx, item.partner, [id])
  const decision = proposal(unit, item, decided, by)
  insertDecision(unit.tx, decision)
  auditDecision(unit, 'reconciliation.propose', item, decided, by)
  return decision
}

const isSameResolution = (before: DecisionRow, item: ItemRow, { wanted }: OperatorDecision): boolean =>
  before.difference === item.difference &&
  JSON.stringify(Object.entries(before.wanted).sort()) === JSON.stringify(Object.entries(wanted).sort())

const proposal = ({ ids, at }: UnitOfWork, item: ItemRow, decided: OperatorDecision, by: By): DecisionRow => ({
  merchantId: HOUSE,
  id: ids.id(),
  partner: item.partner,
  itemId: item.id,
  wanted: decided.wanted,
  difference: item.difference,
  proposedBy: decided.by,
  proposedById: personOf(by.actor),
  proposedBecause: decided.because,
  proposedAt: at,
  confirmedBy: null,
  confirmedBecause: null,
  confirmedAt: null,
  state: 'PROPOSED',
})

/** Locks an item that is still open. */
async function openItem({ tx }: UnitOfWork, id: bigint): Promise<ItemRow> {
  const item = await lockItem(tx, id)
  if (item === undefined || item.settledOn !== null || item.state === 'CREDITING')
    throw new StatementError(`${id} is not an open exception.`)
  return item
}

async function checkResolution(
  unit: UnitOfWork,
  item: ItemRow,
  lines: readonly LineRow[],
  resolution: Resolution,
): Promise<void> {
  const { partner, difference } = item
  if (resolution.as === 'moved') {
    if (resolution.other === partner) throw new StatementError('The other partner must differ from the item’s own.')
    if ((await findAccount(unit.tx, resolution.other)) === undefined)
      throw new StatementError(`No account at ${resolution.other} is registered.`)
  }
  if (resolution.as === 'merchant') {
    if (difference > 0n || lines.length === 0)
      throw new StatementError('Only a statement line with outgoing money can be charged to a merchant.')
    if ((await findMerchantId(unit.tx, resolution.merchantCode)) === undefined)
      throw new StatementError(`No merchant has the code ${resolution.merchantCode}.`)
  }
  if (resolution.as === 'suspense' && (difference < 0n || lines.length === 0))
    throw new StatementError('Only a statement line with incoming money can be posted to suspense.')
  if (resolution.as === 'credit') {
    const entries = await selectEntriesOf(unit.tx, partner, [item.id])
    if (difference < 0n || lines.length !== 1 || entries.length > 0)
      throw new StatementError(
        'Only a single incoming statement line without a ledger entry can be received as a credit.',
      )
    const outgoing = await findReturned(unit, lines[0] as LineRow)
    if (outgoing !== undefined)
      throw new StatementError(
        `The line has the reference of ${outgoing.key}, which left this account: it came back and is no credit. Query the partner about the order (kobo orders ask ${outgoing.named[0]}): it reports a reversal. If it cannot, post the line to suspense.`,
      )
    if (creditReference(lines[0], resolution) === null)
      throw new StatementError(
        'The line has no reference of the bank: give the one that the bank’s notification has or would have.',
      )
  }
}

/** How long after a payment its money may come back. */
const RETURN_DAYS_MAX = 60

/**
 * Finds the outgoing payment whose money came back with a statement line, by the line's references or by the hash that
 * the connector sent.
 */
async function findReturned({ tx }: UnitOfWork, line: LineRow): ReturnType<typeof findOutgoing> {
  const names = namesOf(line)
  const days = { from: line.day - RETURN_DAYS_MAX, to: line.day }
  const found = await findOutgoing(tx, line.partner, names, days)
  if (found !== undefined || !names.some(isHashed)) return found
  const sent = await selectOutgoing(tx, line.partner, kobo(-line.amount), days)
  return sent.find((entry) => hashedNames(entry).some((name) => names.includes(name)))
}

/**
 * Returns the reference under which a statement line is received: the bank's own, so that a late notification counts as
 * a repeat. The payer's text cannot be used, because other payers may write the same.
 */
const creditReference = (
  line: Pick<LineRow, 'bankReference'> | undefined,
  { reference }: Extract<Resolution, { readonly as: 'credit' }>,
): string | null => reference ?? line?.bankReference ?? null

/** Carries out a decision. If it posts a journal, this journal becomes the item's missing ledger entry. */
async function carryOut(
  unit: UnitOfWork,
  item: ItemRow,
  lines: readonly LineRow[],
  decision: DecisionRow,
): Promise<void> {
  const { wanted } = decision
  if (wanted.as === 'credit') {
    changeItem(unit.tx, item, { state: 'CREDITING', note: null })
    if (wanted.reference !== undefined)
      nameLines(
        unit.tx,
        item.partner,
        lines.map(({ id }) => id),
        wanted.reference,
      )
    return
  }
  const entries = await selectEntriesOf(unit.tx, item.partner, [item.id])
  const journal = await postDecision(unit, item, lines, decision)
  const entry: EntryRow = {
    partner: item.partner,
    merchantId: journal.merchantId,
    key: journal.key,
    day: lagosDay(unit.at),
    amount: item.difference,
    kind: wanted.as === 'cost' ? 'COST' : 'PAYMENT',
    method: entries[0]?.method ?? 'others',
    income: ZERO,
    named: [],
    itemId: item.id,
  }
  const entriesElsewhere: readonly EntryRow[] =
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
  await insertEntries(unit.tx, [entry, ...entriesElsewhere])
  const settledOn = Math.max(entry.day, ...[...lines, ...entries].map(({ day }) => day))
  changeItem(unit.tx, item, { state: 'BOOKED', difference: ZERO, settledOn, note: decision.proposedBecause })
}

async function postDecision(
  unit: UnitOfWork,
  { partner, difference }: ItemRow,
  lines: readonly LineRow[],
  decision: DecisionRow,
): Promise<Journal> {
  const { id, wanted, proposedBecause: because } = decision
  if (wanted.as === 'merchant') {
    const merchantId = await findMerchantId(unit.tx, wanted.merchantCode)
    invariant(merchantId !== undefined, 'merchants are never deleted')
    return chargeMerchant(unit, { id, merchantId, partner, amount: kobo(-difference), because })
  }
  if (isPostedResolution(decision.wanted)) {
    const journal = decisionJournal(decision)
    postNew(unit, [journal])
    return journal
  }
  const [line] = lines
  invariant(line !== undefined, 'money in suspense has a statement line')
  const payer = { name: line.name, accountNumber: null, bankCode: null, bvn: null }
  return holdUnknown(unit, { partner, railReference: `${nameOfLine(line)}/${decision.id}`, amount: difference, payer })
}

/** Records an explanation of an item. Nothing is posted, and the item counts as explained until it is settled. */
export async function explain(unit: UnitOfWork, id: bigint, because: string, by: By): Promise<ItemRow> {
  const item = await openItem(unit, id)
  changeItem(unit.tx, item, { state: 'EXPLAINED', note: because })
  auditItem(unit, 'reconciliation.explain', item, { because }, by)
  return { ...item, state: 'EXPLAINED', note: because }
}

/** Locks the other items, which together must cancel out the first. */
async function othersOf(unit: UnitOfWork, first: ItemRow, ids: readonly string[]): Promise<readonly ItemRow[]> {
  const others: ItemRow[] = []
  for (const id of ids.map(BigInt)) others.push(await openItem(unit, id))
  if (others.length === 0) throw new StatementError('Give two or more items.')
  if (others.some((item) => item.partner !== first.partner))
    throw new StatementError('All items must be of one partner.')
  const total = [first, ...others].reduce((sum, { difference }) => sum + difference, 0n)
  if (total !== 0n) throw new StatementError(`The items do not add up to zero: ${toNairaText(kobo(total))} remains.`)
  return others
}

/** Joins items that add up to zero into the first of them. */
async function joinItems(unit: UnitOfWork, first: ItemRow, others: readonly ItemRow[], note: string): Promise<void> {
  const { partner } = first
  const all = [first, ...others].map(({ id }) => id)
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
  changeItem(unit.tx, first, {
    state: 'MATCHED',
    matchedBy: 'person',
    day: Math.min(...days),
    settledOn: Math.max(...days),
    difference: ZERO,
    note,
  })
  endProposals(unit.tx, partner, all)
  removeItems(
    unit.tx,
    partner,
    others.map(({ id }) => id),
  )
}

/** Returns the decision that joins items; it is the same for any order of their ids. */
export function joining(ids: readonly bigint[]): { readonly id: bigint; readonly wanted: Resolution } {
  const [id = 0n, ...others] = [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1))
  return { id, wanted: { as: 'join', others: others.map(String) } }
}

const auditDecision = (
  unit: UnitOfWork,
  act: string,
  item: ItemRow,
  { by: person, because, wanted }: OperatorDecision,
  by: By,
): void => auditItem(unit, act, item, { by: person, because, wanted }, by)

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

/** Creates the sweep that receives credits which a partner did not report, after two operators have confirmed them. */
export const statementCreditSweep = (
  core: Core,
  receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>,
): Sweep => ({
  name: 'receive statement credits',
  run: async (_, limit) => {
    const items = await selectCrediting(core.db, limit)
    const outcomes = new Map<bigint, CreditOutcome>()
    for (const item of items) outcomes.set(item.id, await receiveItem(core, receiveCredit, item))
    for (const [partner, some] of Map.groupBy(items, (item) => item.partner))
      await unitOfWork(core, async (unit) => {
        // Matches the lines with their new entries at once, so that the day stays balanced.
        await matchPartner(unit, partner)
        for (const { id } of some) reopenUnmatched(unit.tx, partner, id, whyUnmatched(outcomes.get(id)))
      }).catch((error: unknown) => {
        if (!isLockTimeout(error)) throw error
      })
    return items.length
  },
})

/** Receives the credit of a statement line. If it was received before, nothing changes. */
async function receiveItem(
  core: Core,
  receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>,
  item: ItemRow,
): Promise<CreditOutcome> {
  const [line] = await selectLinesOf(core.db, item.partner, [item.id])
  const [decision] = await selectDecisions(core.db, item.partner, [item.id])
  invariant(line !== undefined && decision?.wanted.as === 'credit', 'a statement credit has its line')
  const { bankCode, accountNumber } = decision.wanted
  return receiveCredit({
    partner: item.partner,
    // A decision made before references were required has none.
    railReference: creditReference(line, decision.wanted) ?? nameOfLine(line),
    bankCode,
    accountNumber,
    amount: line.amount,
    payer: { name: line.name, accountNumber: null, bankCode: null, bvn: null },
    narration: line.narration,
    sentBackBy: 'us',
  })
}

/** Explains to the operators, who must decide again, why a received line has no ledger entry of its own. */
function whyUnmatched(outcome: CreditOutcome | undefined): string {
  if (outcome?.kind === 'conflict')
    return 'Not received: its reference names another credit. See kobo credits conflicts list.'
  if (outcome?.kind === 'rejected') return `Not received: ${outcome.reason}.`
  return 'Not received again: a credit with its reference, account and amount is already in the ledger.'
}
