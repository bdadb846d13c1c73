import { type Decided, decisionsOf, openMemory, outcomeOf } from '../../core/money/credits/index.ts'
import { HOUSE, type Journal, postNew } from '../../core/money/ledger/index.ts'
import { accountKey, NOBODYS, restNumbers } from '../../core/money/virtual-accounts/index.ts'
import { placeOrders } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { ulid } from '../../kernel/ids.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import type { ReturnRail } from '../../rails/returns.ts'
import { returned, returnHeld } from './journals.ts'
import { returnOrder } from './orders.ts'
import { insertReturns, lockWaiting, type ReturnRow, selectByName, updateReturns } from './repository.ts'

/** A credit that is not taken, and for whom it came. */
export interface UnwantedCredit extends Pick<ReturnRow, 'merchantId' | 'purpose' | 'ownerId'> {
  readonly credit: InboundCredit
  readonly decided: Extract<Decided, { readonly kind: 'rejected' }>
  /** Whether a person has to look at it before it goes anywhere. */
  readonly isForPerson?: boolean
}

/**
 * Sends credits back that their receivers did not take, in the very transaction in which they did not: each is booked to
 * suspense, and an order takes it back; or a person is called. One that was told of before is answered as it was then.
 */
export async function sendBack(
  unit: UnitOfWork,
  rail: Pick<ReturnRail, 'isOffered'>,
  unwanted: readonly UnwantedCredit[],
  /** What else is to be booked: accounts are locked once, and last. */
  beside: readonly Journal[] = [],
): Promise<readonly CreditOutcome[]> {
  const fresh = unwanted.filter(({ decided }) => decided.isRepeat !== true).map((one) => newReturn(unit, rail, one))
  insertReturns(unit.tx, fresh)
  placeOrders(
    unit,
    fresh.flatMap((row) => (row.state === 'RETURNING' ? returnOrder(row, unit.at) : [])),
  )
  const kept = await selectByName(
    unit.tx,
    unwanted.map(({ credit, merchantId }) => ({ ...credit, merchantId })),
  )
  postNew(unit, [...fresh.filter(({ state }) => state !== 'BY_PARTNER').map(returnHeld), ...beside])
  const known = new Map(kept.map((row) => [nameOf(row), row]))
  return unwanted.map(({ credit, merchantId, decided }) => {
    const row = known.get(nameOf({ ...credit, merchantId }))
    // What was refused before returns were kept, the partner was told to send back.
    return row === undefined ? outcomeOf(decided.reason) : answerTo(row)
  })
}

type Named = Pick<ReturnRow, 'merchantId' | 'partner' | 'bankCode' | 'railReference'>
const nameOf = ({ merchantId, partner, bankCode, railReference }: Named): string =>
  [merchantId, partner, bankCode, railReference].join(' ')

const answerTo = ({ state, reason }: ReturnRow): CreditOutcome => ({
  kind: state === 'BY_PARTNER' ? 'rejected' : 'held',
  reason,
})

function newReturn(
  { ids, at }: UnitOfWork,
  rail: Pick<ReturnRail, 'isOffered'>,
  { credit, decided, merchantId, purpose, ownerId, isForPerson = false }: UnwantedCredit,
): ReturnRow {
  const { payer } = credit
  const row: ReturnRow = {
    merchantId,
    id: ids.id(),
    reference: `RETN|${ulid(at)}`,
    partner: credit.partner,
    bankCode: credit.bankCode,
    railReference: credit.railReference,
    accountNumber: credit.accountNumber,
    amount: credit.amount,
    purpose,
    ownerId,
    reason: decided.reason,
    payerName: payer.name,
    payerAccountNumber: payer.accountNumber,
    payerBankCode: payer.bankCode,
    receivedAt: at,
    state: credit.sentBackBy === 'partner' ? 'BY_PARTNER' : 'WAITING',
    way: null,
    destinationBankCode: null,
    destinationAccountNumber: null,
    destinationAccountName: null,
    orderId: null,
    sends: 0,
    failure: null,
    returnedBy: null,
    returnedAt: null,
    note: null,
  }
  if (row.state === 'BY_PARTNER' || isForPerson) return row
  if (rail.isOffered(row.partner)) return underWay(row, ids.id(), 'the partner')
  const { name: accountName, accountNumber, bankCode } = payer
  return accountNumber === null || bankCode === null
    ? row
    : underWay(row, ids.id(), { bankCode, accountNumber, accountName })
}

/** Where a credit goes: to an account, or to where it came from, which its partner knows. */
export type Destination =
  | 'the partner'
  | { readonly bankCode: string; readonly accountNumber: string; readonly accountName: string | null }

const underWay = (row: ReturnRow, orderId: bigint, to: Destination): ReturnRow => ({
  ...row,
  state: 'RETURNING',
  way: to === 'the partner' ? 'SEND_BACK' : 'TRANSFER',
  destinationBankCode: to === 'the partner' ? null : to.bankCode,
  destinationAccountNumber: to === 'the partner' ? null : to.accountNumber,
  destinationAccountName: to === 'the partner' ? null : to.accountName,
  orderId,
  sends: row.sends + 1,
})

/** Sends a credit for which a person is called to where that person says; answers it, if there is one. */
export async function sendTo(unit: UnitOfWork, id: bigint, to: Destination): Promise<ReturnRow | undefined> {
  const waiting = await lockWaiting(unit.tx, id)
  if (waiting === undefined) return undefined
  const row = underWay(waiting, unit.ids.id(), to)
  updateReturns(unit.tx, [row])
  placeOrders(unit, [returnOrder(row, unit.at)])
  return row
}

/** Writes down that a credit for which a person is called is back by other means; answers it, if there is one. */
export async function settleReturn(unit: UnitOfWork, id: bigint, note: string): Promise<ReturnRow | undefined> {
  const waiting = await lockWaiting(unit.tx, id)
  if (waiting === undefined) return undefined
  const row: ReturnRow = {
    ...waiting,
    state: 'RETURNED',
    returnedBy: waiting.partner,
    returnedAt: unit.at,
    note,
  }
  updateReturns(unit.tx, [row])
  postNew(unit, [returned(row, waiting.partner)])
  return row
}

/**
 * Receives credits on numbers that nobody was given: none is taken. Answers for each, undefined where its number was opened
 * for somebody in the meantime.
 */
export async function receiveForNobody(
  unit: UnitOfWork,
  credits: readonly InboundCredit[],
): Promise<readonly (Decided | undefined)[]> {
  const nobodys = await restNumbers(unit, HOUSE, credits)
  const isNobodys = (credit: InboundCredit): boolean => nobodys.has(accountKey(credit))
  const decided = (await refuseAll(unit, credits.filter(isNobodys), ACCOUNT_NOT_FOUND)).values()
  return credits.map((credit) => (isNobodys(credit) ? decided.next().value : undefined))
}

/**
 * Receives credits that arrived before their numbers were given to whose they are now: none is taken. Whoever had the number
 * then may have got it, told of once before; so it goes nowhere until a person has looked at it.
 */
export const refuseStrays = (unit: UnitOfWork, credits: readonly InboundCredit[]): Promise<readonly Decided[]> =>
  refuseAll(unit, credits, ACCOUNT_REASSIGNED)

/** Takes none of the credits, which are the house's; one that was told of before is answered as it was then. */
async function refuseAll(unit: UnitOfWork, credits: readonly InboundCredit[], reason: string): Promise<Decided[]> {
  const told = credits.map((credit) => ({ ...credit, merchantId: HOUSE }))
  const memory = openMemory(decisionsOf(await selectByName(unit.tx, told)))
  return told.map((one) => {
    const known = memory.answerTo(one)
    if (known !== undefined) return known
    memory.remember(one, reason)
    return outcomeOf(reason)
  })
}

const ACCOUNT_NOT_FOUND = 'ACCOUNT_NOT_FOUND'
const ACCOUNT_REASSIGNED = 'ACCOUNT_REASSIGNED'

/** For whom credits came that came for nobody. */
export const NOBODY = { merchantId: HOUSE, purpose: NOBODYS, ownerId: 0n } as const

/**
 * Keeps money in suspense that a bank has, that nobody told of, and of which nobody knows whose it is: a person says where it
 * goes. Answers what is booked for it.
 */
export function holdUnknown(
  unit: UnitOfWork,
  credit: Pick<InboundCredit, 'partner' | 'railReference' | 'amount' | 'payer'>,
): Journal {
  const unknown: InboundCredit = { ...credit, bankCode: '', accountNumber: '' }
  const decided = { kind: 'rejected', reason: UNKNOWN_IN_STATEMENT } as const
  const row = newReturn(unit, { isOffered: () => false }, { ...NOBODY, credit: unknown, decided, isForPerson: true })
  insertReturns(unit.tx, [row])
  const journal = returnHeld(row)
  postNew(unit, [journal])
  return journal
}

const UNKNOWN_IN_STATEMENT = 'UNKNOWN_IN_STATEMENT'
