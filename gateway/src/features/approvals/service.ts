import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import { type KeyHolder, type Merchant, selectKeyHolders } from '../../core/merchants/index.ts'
import { audit } from '../../core/security/audit.ts'
import { findPerson, type Member, type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { type Kobo, toNairaText } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { approversOf, isSole } from './approvers.ts'
import { approvalErrors } from './errors.ts'
import { type LockedPayout, type Payout, type Payouts, WAITING } from './payouts.ts'
import { AUTHORIZE_SECONDS_MAX, approvalsLeft, policyOf } from './policy.ts'
import {
  type DecisionRow,
  endRequests,
  findRequest,
  insertDecision,
  type RequestRow,
  selectDecisions,
  selectRequests,
} from './repository.ts'
import { hashOfFacts } from './request.ts'

export interface ApprovalDeps {
  readonly core: Core
  readonly payouts: Payouts
}

interface Waiting {
  readonly request: RequestRow
  readonly payout: LockedPayout
}

/** Locks a payout for a decision. Rejects one that no longer awaits approval. */
async function lockWaiting(
  { payouts }: ApprovalDeps,
  unit: UnitOfWork,
  merchantId: bigint,
  id: bigint,
): Promise<Waiting> {
  const request = await findRequest(unit.tx, merchantId, id)
  if (request === undefined) throw approvalErrors.unknownRequest()
  if (unit.at >= secondsAfter(request.createdAt, AUTHORIZE_SECONDS_MAX)) throw approvalErrors.notWaiting('EXPIRED')
  const payout = await payouts.of(request.kind).lock(unit, { merchantId, id })
  if (payout.status !== WAITING) throw approvalErrors.notWaiting(payout.status)
  return { request, payout }
}

/** Returns the users whose approvals count: those who may still approve. */
const counted = (decisions: readonly DecisionRow[], approvers: ReadonlySet<bigint>): readonly bigint[] =>
  decisions
    .filter(({ verdict, personId }) => verdict === 'APPROVE' && approvers.has(personId))
    .map((one) => one.personId)

/** Returns the team members who know a secret key that was valid at, or after, a payout's creation. */
const holdersSince = (holders: readonly KeyHolder[], { createdAt }: RequestRow): ReadonlySet<bigint> =>
  new Set(
    holders.filter(({ expiresAt }) => expiresAt === null || expiresAt > createdAt).map(({ personId }) => personId),
  )

/** Whether an approver may release their own payout. */
const mayAlone = (merchant: Merchant, team: readonly Member[], personId: bigint, amount: Kobo, at: Date): boolean =>
  isSole(team, personId, at) && amount <= policyOf(merchant).soleUpTo

/**
 * Approves a payout that is unchanged since the approver saw it. The last approval needed releases it; the approver's
 * fresh second factor replaces the emailed OTP. The wallet was debited when the payout was made.
 */
export async function approve(
  deps: ApprovalDeps,
  merchant: Merchant,
  { personId }: SignedIn,
  { id, hash }: { readonly id: bigint; readonly hash: string },
  by: By,
): Promise<void> {
  const send = await unitOfWork(deps.core, async (unit) => {
    const { tx, at } = unit
    const { request, payout } = await lockWaiting(deps, unit, merchant.id, id)
    const [decisions, team, holders] = await Promise.all([
      selectDecisions(tx, merchant.id, [id]),
      selectTeam(tx, merchant.id),
      selectKeyHolders(tx, merchant.id),
    ])
    if (decisions.some((one) => one.personId === personId)) throw approvalErrors.approvedAlready()
    const approvers = approversOf(team)
    const keyHolders = holdersSince(holders, request)
    const isAlone = mayAlone(merchant, team, personId, payout.amount, at)
    if (request.madeBy === personId && !isAlone) throw approvalErrors.ownRequest()
    const isOwn = isAlone && (request.madeBy === personId || (request.madeBy === null && keyHolders.has(personId)))
    if (hash !== request.hash || hashOfFacts(payout.facts) !== request.hash) throw approvalErrors.changedSince()
    insertDecision(tx, { merchantId: merchant.id, ownerId: id, personId, verdict: 'APPROVE', reason: null, isOwn, at })
    // An approver who may release their own payout needs no second approver.
    const isLast = isOwn || approvalsLeft(request, [...counted(decisions, approvers), personId], keyHolders) === 0
    const details = { kind: request.kind, amount: toNairaText(payout.amount), hash, isOwn, isLast }
    audit(unit, { ...by, merchantId: merchant.id, act: 'payout.approve', reference: payout.reference, details })
    if (!isLast) return undefined
    endRequests(tx, [{ merchantId: merchant.id, id }], at)
    return payout.release()
  })
  await send?.()
}

/** Rejects a payout and returns its money to the wallet. The maker may reject it too. */
export async function reject(
  deps: ApprovalDeps,
  merchant: Merchant,
  { personId }: SignedIn,
  { id, reason }: { readonly id: bigint; readonly reason: string },
  by: By,
): Promise<void> {
  await unitOfWork(deps.core, async (unit) => {
    const { tx, at } = unit
    const { request, payout } = await lockWaiting(deps, unit, merchant.id, id)
    const isOwn = request.madeBy === personId
    const decisions = await selectDecisions(tx, merchant.id, [id])
    if (decisions.some((one) => one.personId === personId)) throw approvalErrors.approvedAlready()
    insertDecision(tx, { merchantId: merchant.id, ownerId: id, personId, verdict: 'REJECT', reason, isOwn, at })
    endRequests(tx, [{ merchantId: merchant.id, id }], at)
    await payout.reject(reason)
    const details = { kind: request.kind, amount: toNairaText(payout.amount), reason }
    audit(unit, { ...by, merchantId: merchant.id, act: 'payout.reject', reference: payout.reference, details })
  })
}

/** An approval request with its payout, its decisions and the names of those who made them. */
export interface ListedRequest {
  readonly request: RequestRow
  readonly payout: Payout
  readonly decisions: readonly (DecisionRow & { readonly counts: boolean })[]
  readonly left: number
  readonly names: ReadonlyMap<bigint, string>
  readonly isOwn: boolean
  readonly mayDecide: boolean
}

const LISTED_MAX = 50

/** Reads a merchant's approval requests, newest first. */
export async function listRequests(
  deps: ApprovalDeps,
  merchant: Merchant,
  person: SignedIn,
  { view, before }: { readonly view: 'waiting' | 'all'; readonly before: bigint | undefined },
): Promise<readonly ListedRequest[]> {
  const { db, clock } = deps.core
  const openSince = secondsAfter(clock.now(), -AUTHORIZE_SECONDS_MAX)
  const requests = await selectRequests(db, merchant.id, view === 'waiting' ? { openSince } : { before }, LISTED_MAX)
  const listed = await describe(deps, merchant, person, requests)
  return view === 'all' ? listed : listed.filter(({ payout }) => payout.status === WAITING)
}

async function describe(
  { core: { db, clock }, payouts }: ApprovalDeps,
  merchant: Merchant,
  person: SignedIn,
  requests: readonly RequestRow[],
): Promise<readonly ListedRequest[]> {
  const ids = requests.map(({ ownerId }) => ownerId)
  const byKind = Map.groupBy(requests, ({ kind }) => kind)
  const [selected, decisions, team, holders] = await Promise.all([
    Promise.all(
      [...byKind].map(([kind, some]) =>
        payouts.of(kind).select(
          db,
          some.map(({ merchantId, ownerId: id }) => ({ merchantId, id })),
        ),
      ),
    ),
    selectDecisions(db, merchant.id, ids),
    selectTeam(db, merchant.id),
    selectKeyHolders(db, merchant.id),
  ])
  const described = new Map(selected.flat().map((payout) => [payout.id, payout]))
  const names = new Map(team.map(({ personId, name }) => [personId, name]))
  const approvers = approversOf(team)
  const { personId } = person
  return requests.flatMap((request) => {
    const payout = described.get(request.ownerId)
    if (payout === undefined) return []
    const own = decisions.filter(({ ownerId }) => ownerId === request.ownerId)
    const isOwn = request.madeBy === personId
    const mayOwn = mayAlone(merchant, team, personId, payout.amount, clock.now())
    const mayDecide =
      payout.status === WAITING &&
      person.may('payout.approve') &&
      !own.some((one) => one.personId === personId) &&
      (!isOwn || mayOwn)
    return {
      request,
      payout,
      decisions: own.map((one) => ({ ...one, counts: one.verdict === 'REJECT' || approvers.has(one.personId) })),
      left:
        payout.status === WAITING ? approvalsLeft(request, counted(own, approvers), holdersSince(holders, request)) : 0,
      names,
      isOwn,
      mayDecide,
    }
  })
}

/** Finds the names of the people who rejected payouts, by payout. */
export async function rejectedBy(
  db: Db,
  merchantId: bigint,
  payoutIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (payoutIds.length === 0) return new Map()
  const rejections = (await selectDecisions(db, merchantId, payoutIds)).filter(({ verdict }) => verdict === 'REJECT')
  const people = await Promise.all(
    [...new Set(rejections.map(({ personId }) => personId))].map((id) => findPerson(db, id)),
  )
  const names = new Map(people.flatMap((person) => (person === undefined ? [] : [[person.id, person.name] as const])))
  return new Map(rejections.map(({ ownerId, personId }) => [ownerId, names.get(personId) ?? '']))
}

export async function readRequest(
  deps: ApprovalDeps,
  merchant: Merchant,
  person: SignedIn,
  id: bigint,
): Promise<ListedRequest> {
  const request = await findRequest(deps.core.db, merchant.id, id)
  const [listed] = request === undefined ? [] : await describe(deps, merchant, person, [request])
  if (listed === undefined) throw approvalErrors.unknownRequest()
  return listed
}
