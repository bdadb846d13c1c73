import { accountKey, restNumbers, UNASSIGNED } from '../../core/account-numbers/index.ts'
import { claimDecided, type Decided, openMemory, outcomeOf } from '../../core/money/credits/index.ts'
import { type Journal, postNew } from '../../core/money/ledger/index.ts'
import { placeOrders } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { HOUSE } from '../../kernel/house.ts'
import { ulid } from '../../kernel/ids.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import type { ReturnRail } from '../../rails/returns.ts'
import { returned, returnHeld } from './journals.ts'
import { returnOrder } from './orders.ts'
import { insertReturns, lockWaiting, type ReturnRow, selectByName, updateReturns } from './repository.ts'

export interface RejectedCredit extends Pick<ReturnRow, 'merchantId' | 'purpose' | 'ownerId'> {
  readonly credit: InboundCredit
  readonly decided: Extract<Decided, { readonly kind: 'rejected' }>
  /** Whether it needs manual review before it is returned. */
  readonly needsReview?: boolean
}

/**
 * Returns rejected credits, in the transaction that rejects them. Unless its partner returns it, a credit is posted to
 * suspense, and an order returns it or it waits for manual review. A repeated notification gets the same response.
 */
export async function returnCredits(
  unit: UnitOfWork,
  rail: Pick<ReturnRail, 'isOffered'>,
  rejected: readonly RejectedCredit[],
  /** Journals of the caller. All are posted together, because ledger accounts are locked only once, at the end. */
  otherJournals: readonly Journal[] = [],
): Promise<readonly CreditOutcome[]> {
  const fresh = rejected.filter(({ decided }) => decided.isRepeat !== true).map((one) => newReturn(unit, rail, one))
  insertReturns(unit.tx, fresh)
  placeOrders(
    unit,
    fresh.flatMap((row) => (row.state === 'RETURNING' ? returnOrder(row, unit.at) : [])),
  )
  const stored = await selectByName(
    unit.tx,
    rejected.map(({ credit, merchantId }) => ({ ...credit, merchantId })),
  )
  postNew(unit, [...fresh.filter(({ state }) => state !== 'BY_PARTNER').map(returnHeld), ...otherJournals])
  const known = new Map(stored.map((row) => [nameOf(row), row]))
  return rejected.map(({ credit, merchantId, decided }) => {
    const row = known.get(nameOf({ ...credit, merchantId }))
    // The credit was rejected before Kobo stored returns; its partner returned it.
    return row === undefined ? outcomeOf(decided.reason) : earlierDecision(row)
  })
}

type Named = Pick<ReturnRow, 'merchantId' | 'partner' | 'bankCode' | 'railReference'>
const nameOf = ({ merchantId, partner, bankCode, railReference }: Named): string =>
  [merchantId, partner, bankCode, railReference].join(' ')

const earlierDecision = ({ state, reason }: ReturnRow): CreditOutcome => ({
  kind: state === 'BY_PARTNER' ? 'rejected' : 'held',
  reason,
})

function newReturn(
  { ids, at }: UnitOfWork,
  rail: Pick<ReturnRail, 'isOffered'>,
  { credit, decided, merchantId, purpose, ownerId, needsReview = false }: RejectedCredit,
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
    sessionId: null,
    note: null,
  }
  if (row.state === 'BY_PARTNER' || needsReview) return row
  if (rail.isOffered(row.partner)) return returning(row, ids.id(), 'the partner')
  const { name: accountName, accountNumber, bankCode } = payer
  return accountNumber === null || bankCode === null
    ? row
    : returning(row, ids.id(), { bankCode, accountNumber, accountName })
}

/** The destination of a returned credit: an account, or its origin, which the partner knows. */
export type Destination =
  | 'the partner'
  | { readonly bankCode: string; readonly accountNumber: string; readonly accountName: string | null }

const returning = (row: ReturnRow, orderId: bigint, to: Destination): ReturnRow => ({
  ...row,
  state: 'RETURNING',
  way: to === 'the partner' ? 'SEND_BACK' : 'TRANSFER',
  destinationBankCode: to === 'the partner' ? null : to.bankCode,
  destinationAccountNumber: to === 'the partner' ? null : to.accountNumber,
  destinationAccountName: to === 'the partner' ? null : to.accountName,
  orderId,
  sends: row.sends + 1,
})

/** Sends a credit under manual review to the destination that the operator chose. Returns its row, if there is one. */
export async function sendReturnTo(unit: UnitOfWork, id: bigint, to: Destination): Promise<ReturnRow | undefined> {
  const waiting = await lockWaiting(unit.tx, id)
  if (waiting === undefined) return undefined
  const row = returning(waiting, unit.ids.id(), to)
  updateReturns(unit.tx, [row])
  placeOrders(unit, [returnOrder(row, unit.at)])
  return row
}

/** Records that a credit under manual review was returned by other means; returns its row, if there is one. */
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
 * Rejects credits on unassigned account numbers. Returns a decision for each; undefined if its number was assigned
 * meanwhile.
 */
export async function rejectUnassigned(
  unit: UnitOfWork,
  credits: readonly InboundCredit[],
): Promise<readonly (Decided | undefined)[]> {
  const unassigned = await restNumbers(unit, HOUSE, credits)
  const isUnassigned = (credit: InboundCredit): boolean => unassigned.has(accountKey(credit))
  const decided = (await rejectAll(unit, credits.filter(isUnassigned), ACCOUNT_NOT_FOUND)).values()
  return credits.map((credit) => (isUnassigned(credit) ? decided.next().value : undefined))
}

/**
 * Rejects credits that arrived before their account numbers had the current owner. They may belong to an earlier owner,
 * so they need manual review.
 */
export const rejectMisdirected = (unit: UnitOfWork, credits: readonly InboundCredit[]): Promise<readonly Decided[]> =>
  rejectAll(unit, credits, ACCOUNT_REASSIGNED)

/** Rejects credits for closed merchants. A credit that was decided before gets the same response as then. */
export const rejectInactive = (unit: UnitOfWork, credits: readonly InboundCredit[]): Promise<readonly Decided[]> =>
  rejectAll(unit, credits, ACCOUNT_INACTIVE)

/** Rejects credits on Kobo's own account instead of a merchant's. A repeated notification gets the same response. */
async function rejectAll(unit: UnitOfWork, credits: readonly InboundCredit[], reason: string): Promise<Decided[]> {
  const own = credits.map((credit) => ({ ...credit, merchantId: HOUSE }))
  const memory = openMemory(await claimDecided(unit.tx, own, await selectByName(unit.tx, own)))
  return own.map((one) => {
    const known = memory.earlierDecision(one)
    if (known !== undefined) return known
    memory.remember(one, reason)
    return outcomeOf(reason)
  })
}

const ACCOUNT_NOT_FOUND = 'ACCOUNT_NOT_FOUND'
const ACCOUNT_REASSIGNED = 'ACCOUNT_REASSIGNED'
const ACCOUNT_INACTIVE = 'ACCOUNT_INACTIVE'

/** The owner of credits that belong to no one. */
export const NO_OWNER = { merchantId: HOUSE, purpose: UNASSIGNED, ownerId: 0n } as const

/** Holds unexplained money of a bank statement in suspense until manual review. Returns its journal. */
export function holdUnknown(
  unit: UnitOfWork,
  credit: Pick<InboundCredit, 'partner' | 'railReference' | 'amount' | 'payer'>,
): Journal {
  const unknown: InboundCredit = { ...credit, bankCode: '', accountNumber: '' }
  const decided = { kind: 'rejected', reason: UNKNOWN_IN_STATEMENT } as const
  const row = newReturn(unit, { isOffered: () => false }, { ...NO_OWNER, credit: unknown, decided, needsReview: true })
  insertReturns(unit.tx, [row])
  const journal = returnHeld(row)
  postNew(unit, [journal])
  return journal
}

const UNKNOWN_IN_STATEMENT = 'UNKNOWN_IN_STATEMENT'
