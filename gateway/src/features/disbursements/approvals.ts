import { permissionsOfRole } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { findOrder } from '../../core/orders/index.ts'
import { audit } from '../../core/security/audit.ts'
import { type Member, type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import {
  findRequest,
  insertDecision,
  type RequestRow,
  type RequestWithStatus,
  selectDecisions,
  selectRequest,
  selectRequests,
} from './approval-repository.ts'
import { hashOfFacts } from './approval-request.ts'
import { singleTransfer, wholeBatch } from './authorize.ts'
import { rejectTransfers } from './conclude.ts'
import { approvalErrors } from './errors.ts'
import { AUTHORIZE_SECONDS_MAX } from './otp.ts'
import { policyOf } from './policy.ts'
import { type BatchRow, lockBatches, lockItems, lockTransfers, type TransferRow } from './repository.ts'
import type { TransferDeps } from './service.ts'

/** A payout awaiting approval, locked, with its transfers. */
interface Waiting {
  readonly request: RequestRow
  readonly reference: string
  readonly amount: Kobo
  readonly transfers: readonly TransferRow[]
  /** Releases the payout; returns the transfer to send at once, if it is a single one. */
  readonly release: () => Promise<TransferRow | undefined>
}

/** Locks a payout for a decision. Rejects one that no longer awaits approval. */
async function lockWaiting(unit: UnitOfWork, merchantId: bigint, ownerId: bigint): Promise<Waiting> {
  const { tx, at } = unit
  const request = await findRequest(tx, merchantId, ownerId)
  if (request === undefined) throw approvalErrors.unknownRequest()
  if (at >= secondsAfter(request.createdAt, AUTHORIZE_SECONDS_MAX)) throw approvalErrors.notWaiting('EXPIRED')
  const { row, transfers } = await lockOwner(tx, request)
  if (row.status !== 'PENDING_AUTHORIZATION') throw approvalErrors.notWaiting(row.status)
  if ('totalAmount' in row)
    return {
      request,
      reference: row.batchReference,
      amount: row.totalAmount,
      transfers,
      release: async () => void (await wholeBatch.move(unit, row, 'authorize')),
    }
  return {
    request,
    reference: row.reference,
    amount: row.amount,
    transfers,
    release: () => singleTransfer.move(unit, row, 'authorize'),
  }
}

async function lockOwner(
  tx: Tx,
  { merchantId, ownerId: id, kind }: RequestRow,
): Promise<{ readonly row: TransferRow | BatchRow; readonly transfers: readonly TransferRow[] }> {
  const [row] =
    kind === 'TRANSFER' ? await lockTransfers(tx, [{ merchantId, id }]) : await lockBatches(tx, [{ merchantId, id }])
  invariant(row !== undefined, 'a waiting payout exists')
  return { row, transfers: 'totalAmount' in row ? await lockItems(tx, row) : [row] }
}

/** Team members who may approve payouts. */
const approversOf = (team: readonly Member[]): readonly Member[] =>
  team.filter(({ role, approves }) => permissionsOfRole(role, approves).includes('payout.approve'))

/**
 * Rejects approval by the maker, unless they are the only approver and the amount is within the limit; returns whether
 * that applies.
 */
async function checkMaker(
  { tx }: UnitOfWork,
  merchant: Merchant,
  { personId }: SignedIn,
  { request, amount }: Waiting,
): Promise<boolean> {
  if (request.madeBy !== personId) return false
  const isOnly = approversOf(await selectTeam(tx, merchant.id)).every((one) => one.personId === personId)
  if (!isOnly || amount > policyOf(merchant).soleUpTo) throw approvalErrors.ownRequest()
  return true
}

/**
 * Approves a payout that is unchanged since the approver saw it. The last approval needed releases it; the approver's
 * fresh second factor replaces the emailed OTP. The wallet was debited when the payout was made.
 */
export async function approve(
  deps: TransferDeps,
  merchant: Merchant,
  person: SignedIn,
  { id, hash }: { readonly id: bigint; readonly hash: string },
  by: By,
): Promise<void> {
  const { core } = deps
  const { personId } = person
  const sent = await unitOfWork(core, async (unit) => {
    const waiting = await lockWaiting(unit, merchant.id, id)
    const { request, reference, amount } = waiting
    const decisions = await selectDecisions(unit.tx, merchant.id, [id])
    if (decisions.some((one) => one.personId === personId)) throw approvalErrors.approvedAlready()
    const isOwn = await checkMaker(unit, merchant, person, waiting)
    if (hash !== request.hash || hashOfFacts(waiting.transfers) !== request.hash) throw approvalErrors.changedSince()
    const decided = { verdict: 'APPROVE', reason: null, isOwn, at: unit.at } as const
    insertDecision(unit.tx, { merchantId: merchant.id, ownerId: id, personId, ...decided })
    // A merchant's only approver is enough: there is no second one.
    const isLast = isOwn || decisions.length + 1 >= request.approvalsNeeded
    const details = { amount: toNairaText(amount), hash, isOwn, isLast }
    audit(unit, { ...by, merchantId: merchant.id, act: 'payout.approve', reference, details })
    return isLast ? waiting.release() : undefined
  })
  const order = sent === undefined ? undefined : await findOrder(core.db, sent)
  if (order !== undefined && sent !== undefined) await deps.transfers.send(order, sent)
}

/** Rejects a payout and returns its money to the wallet. The maker may reject it too. */
export async function reject(
  { core }: TransferDeps,
  merchant: Merchant,
  { personId }: SignedIn,
  { id, reason }: { readonly id: bigint; readonly reason: string },
  by: By,
): Promise<void> {
  await unitOfWork(core, async (unit) => {
    const { request, reference, transfers, amount } = await lockWaiting(unit, merchant.id, id)
    const isOwn = request.madeBy === personId
    const decisions = await selectDecisions(unit.tx, merchant.id, [id])
    if (decisions.some((one) => one.personId === personId)) throw approvalErrors.approvedAlready()
    insertDecision(unit.tx, {
      merchantId: merchant.id,
      ownerId: id,
      personId,
      verdict: 'REJECT',
      reason,
      isOwn,
      at: unit.at,
    })
    await rejectTransfers(unit, transfers, reason)
    const details = { amount: toNairaText(amount), reason }
    audit(unit, { ...by, merchantId: merchant.id, act: 'payout.reject', reference, details })
  })
}

/** An approval request with its decisions and the names of those who made them. */
export interface ListedRequest {
  readonly request: RequestWithStatus
  readonly decisions: Awaited<ReturnType<typeof selectDecisions>>
  readonly names: ReadonlyMap<bigint, string>
  readonly mayDecide: boolean
}

const LISTED_MAX = 50

/** Approval requests of a merchant, newest first. */
export async function listRequests(
  { core: { db, clock } }: TransferDeps,
  merchant: Merchant,
  person: SignedIn,
  { view, before }: { readonly view: 'waiting' | 'all'; readonly before: bigint | undefined },
): Promise<readonly ListedRequest[]> {
  const waitingSince = secondsAfter(clock.now(), -AUTHORIZE_SECONDS_MAX)
  const which = view === 'waiting' ? { waitingSince } : { before }
  const requests = await selectRequests(db, merchant.id, which, LISTED_MAX)
  const [decisions, team] = await Promise.all([
    selectDecisions(
      db,
      merchant.id,
      requests.map(({ ownerId }) => ownerId),
    ),
    selectTeam(db, merchant.id),
  ])
  const names = new Map(team.map(({ personId, name }) => [personId, name]))
  const isOnly = approversOf(team).every(({ personId }) => personId === person.personId)
  return requests.map((request) => {
    const own = decisions.filter(({ ownerId }) => ownerId === request.ownerId)
    const mayOwn = isOnly && request.amount <= policyOf(merchant).soleUpTo
    const mayDecide =
      request.status === 'PENDING_AUTHORIZATION' &&
      person.may('payout.approve') &&
      !own.some(({ personId }) => personId === person.personId) &&
      (request.madeBy !== person.personId || mayOwn)
    return { request, decisions: own, names, mayDecide }
  })
}

export async function readRequest(
  deps: TransferDeps,
  merchant: Merchant,
  person: SignedIn,
  id: bigint,
): Promise<ListedRequest> {
  const request = await selectRequest(deps.core.db, merchant.id, id)
  if (request === undefined) throw approvalErrors.unknownRequest()
  const [listed] = await listRequests(deps, merchant, person, { view: 'all', before: id + 1n })
  invariant(listed !== undefined && listed.request.ownerId === id, 'an existing request is listed')
  return listed
}
