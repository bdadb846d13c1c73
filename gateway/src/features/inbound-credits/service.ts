import {
  type AccountPurpose,
  type AssignedAccount,
  accountKey,
  findAccounts,
  findEarlierAccounts,
  isAssigned,
} from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { ArrivedCredit, ReceiveCredits } from '../../core/feature.ts'
import {
  countConflicts,
  creditOf,
  type Decided,
  endTaking,
  outcomeOf,
  postCosts,
  selectTaking,
  storeConflicts,
} from '../../core/money/credits/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { HOUSE } from '../../kernel/house.ts'
import type { Lane } from '../../platform/lanes/lane.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import { isUniqueViolation } from '../../platform/postgres/db.ts'
import type { CreditOutcome, CreditOwner, InboundCredit } from '../../rails/bank.ts'
import type { ReturnRail } from '../../rails/returns.ts'
import { statementCreditSweep } from '../reconciliation/index.ts'
import {
  countWaiting,
  NO_OWNER,
  type RejectedCredit,
  rejectInactive,
  rejectMisdirected,
  rejectUnassigned,
  returnCredits,
} from '../returns/index.ts'
import type { Ownership } from './ownership.ts'

/** The receiver of credits for each purpose of an account. A purpose without a receiver does not compile. */
export type Receivers = Readonly<Record<AccountPurpose, ReceiveCredits>>

/** The destination of a credit. */
type Route = Omit<ArrivedCredit, 'credit'>

/** The current destination of an account number, and whether the number had another owner before. */
type Found = Route & { readonly isReassigned: boolean }

interface Deps {
  readonly core: Core
  readonly log: Log
  readonly metrics: Metrics
  readonly receivers: Receivers
  readonly returnRail: Pick<ReturnRail, 'isOffered'>
  readonly ownership: Ownership
}

/** Opens the lane for credits reported by banks. */
export function creditLane(deps: Deps): Lane<InboundCredit, CreditOutcome> {
  const { core, metrics } = deps
  metrics.sharedGauge(
    'kobo_credit_conflicts',
    'Credits that contradict an earlier report, by state; OPEN ones need manual review',
    'state',
    () => countConflicts(core.db),
  )
  metrics.sharedGauge(
    'kobo_credits_waiting',
    'Credits without a merchant or a return address, by partner; they need manual review',
    'partner',
    () => countWaiting(core.db),
  )
  return metrics.lane({
    name: 'inbound credit',
    blockedBy: (credit) => accountKey(credit),
    run: (credits) => receiveAll(deps, credits),
  })
}

/** Receives credits whose account numbers belong to the reporting partner, and rejects the others. */
async function receiveAll(deps: Deps, credits: readonly InboundCredit[]): Promise<readonly CreditOutcome[]> {
  const { core, ownership } = deps
  const routes = await findRoutes(core, credits)
  const isOwn = (credit: InboundCredit): boolean =>
    ownership.ownsNumber(credit.partner, credit, routes.get(accountKey(credit))?.account.partner ?? null)
  const own = credits.filter(isOwn)
  const outcomes = (await handOver(deps, own, routes)).values()
  for (const { partner, railReference: reference } of credits.filter((credit) => !own.includes(credit)))
    await ownership.violation({ partner, operation: 'credits', why: 'not its account', reference })
  return credits.map((credit) => (own.includes(credit) ? (outcomes.next().value as CreditOutcome) : NOT_ITS_ACCOUNT))
}

const NOT_ITS_ACCOUNT: CreditOutcome = { kind: 'rejected', reason: 'NOT_YOUR_ACCOUNT' }

/** Receives the credits that operators have resolved, through the same lane as all others. */
export const creditSweeps = (
  core: Core,
  receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>,
): readonly Sweep[] => [conflictSweep(core, receiveCredit), statementCreditSweep(core, receiveCredit)]

/** Receives conflicting credits that, as an operator has decided, are separate credits. */
const conflictSweep = (core: Core, receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>): Sweep => ({
  name: 'receive resolved conflicts',
  run: async (_, limit) => {
    const conflicts = await selectTaking(core.db, limit)
    for (const conflict of conflicts) {
      const outcome = await receiveCredit(creditOf(core.keyring, conflict))
      invariant(outcome.kind !== 'conflict', 'our own reference is used once')
      const rejected = 'reason' in outcome ? outcome.reason : null
      await unitOfWork(core, (unit) => endTaking(unit.tx, conflict, rejected))
    }
    return conflicts.length
  },
})

/**
 * Finds the owners of the accounts. Runs before the database transaction: reading an uncached merchant needs a second
 * connection, and waiting for one inside a transaction could deadlock. A receiver checks the owner again, under a lock.
 */
async function findRoutes(
  { db, directory }: Core,
  credits: readonly InboundCredit[],
): Promise<ReadonlyMap<string, Found>> {
  const accounts = await findAccounts(
    db,
    credits.map(({ bankCode, accountNumber }) => ({ bankCode, accountNumber })),
  )
  const routes = new Map<string, Found>()
  for (const [key, account] of accounts) {
    if (!isAssigned(account)) continue
    const merchant = directory.known(account.merchantId) ?? (await directory.byId(account.merchantId))
    invariant(merchant !== undefined, 'an account belongs to a merchant')
    routes.set(key, { account, merchant, isReassigned: account.isReassigned })
  }
  return routes
}

/**
 * Hands each credit to the receiver of its account's purpose. Each purpose, on each shard, has its own database
 * transaction. A receiver locks its rows before the ledger's accounts; in a shared transaction, a second receiver would
 * lock its rows after the accounts. If a later transaction fails, the whole batch is retried, and a credit that was
 * already received gets its earlier outcome.
 */
async function handOver(
  deps: Deps,
  credits: readonly InboundCredit[],
  routes: ReadonlyMap<string, Found>,
): Promise<readonly CreditOutcome[]> {
  const outcomes = new Map<InboundCredit, CreditOutcome>()
  const unassigned: InboundCredit[] = []
  const early: InboundCredit[] = []
  const routed: ArrivedCredit[] = []
  for (const credit of credits) {
    const route = routes.get(accountKey(credit))
    if (credit.owner !== undefined && !isOwner(route?.account, credit.owner)) early.push(credit)
    else if (route === undefined) unassigned.push(credit)
    else if (credit.owner === undefined && isEarly(deps.core, credit, route)) early.push(credit)
    else routed.push({ credit, account: route.account, merchant: route.merchant })
  }
  const unrouted: InboundCredit[] = []
  for (const credit of early) {
    const route = await findEarlierRoute(deps.core, credit, credit.owner)
    if (route === undefined) unrouted.push(credit)
    else routed.push({ credit, ...route })
  }
  const isOfClosed = ({ merchant }: ArrivedCredit): boolean => merchant.standing === 'CLOSED'
  const groupKey = (one: ArrivedCredit) =>
    `${isOfClosed(one)} ${one.account.purpose} ${deps.core.shards.of(one.account.merchantId)}`
  for (const group of Map.groupBy(routed, groupKey).values()) {
    const first = group[0] as ArrivedCredit
    const receive = () =>
      unitOfWork(deps.core, async (unit) => {
        if (isOfClosed(first)) return receiveForClosed(deps, unit, group)
        const decided = await deps.receivers[first.account.purpose](unit, group)
        return conclude(deps, unit, group.map(intendedFor), decided)
      })
    const responses = await retryIfTaken(receive)
    for (const [index, { credit }] of group.entries()) outcomes.set(credit, responses[index] as CreditOutcome)
  }
  if (unassigned.length > 0)
    for (const [credit, outcome] of await receiveUnassigned(deps, unassigned)) outcomes.set(credit, outcome)
  if (unrouted.length > 0)
    for (const [credit, outcome] of await receiveUnrouted(deps, unrouted)) outcomes.set(credit, outcome)
  return credits.map((credit) => outcomes.get(credit) as CreditOutcome)
}

/** Tolerance for a bank's clock and for rounded times. */
const CLOCK_TOLERANCE_SECONDS = 120

/** Converts the arrival time of a credit to business time. */
const arrivalOf = ({ clock, wall }: Core, arrivedAt: Date): Date =>
  new Date(clock.now().getTime() - wall.now().getTime() + arrivedAt.getTime())

/** Whether a credit may have arrived before its number was assigned to its current owner. */
const isEarly = (core: Core, { arrivedAt }: InboundCredit, { account, isReassigned }: Found): boolean =>
  arrivedAt === undefined
    ? isReassigned
    : secondsAfter(arrivalOf(core, arrivedAt), CLOCK_TOLERANCE_SECONDS) < account.openedAt

/**
 * Whether an account belongs to the owner that a credit was reported for. Without an account: whether the credit has no
 * owner either.
 */
function isOwner(
  account: AssignedAccount | undefined,
  { merchantId, purpose, ownerId, reportedAt }: CreditOwner,
): boolean {
  if (account === undefined) return merchantId === HOUSE
  if (account.merchantId !== merchantId) return false
  return purpose === null ? account.openedAt <= reportedAt : account.purpose === purpose && account.ownerId === ownerId
}

/** Finds the owner of the number at the time when a credit arrived, if known. That owner's receiver decides on it. */
async function findEarlierRoute(core: Core, credit: InboundCredit, owner?: CreditOwner): Promise<Route | undefined> {
  const at = owner?.reportedAt ?? (credit.arrivedAt === undefined ? undefined : arrivalOf(core, credit.arrivedAt))
  if (at === undefined) return undefined
  const { bankCode, accountNumber } = credit
  const found = await findEarlierAccounts(core.db, [{ bankCode, accountNumber, at }])
  const account = found.get(accountKey(credit))
  if (account === undefined || !isAssigned(account)) return undefined
  if (owner !== undefined && !isOwner(account, owner)) return undefined
  const merchant = await core.directory.byId(account.merchantId)
  return merchant === undefined ? undefined : { account, merchant }
}

/** Returns the credits for a closed merchant to their payers. The merchant's own ledger does not change. */
async function receiveForClosed(
  deps: Deps,
  unit: UnitOfWork,
  arrived: readonly ArrivedCredit[],
): Promise<readonly CreditOutcome[]> {
  const credits = arrived.map(({ credit }) => credit)
  return conclude(
    deps,
    unit,
    credits.map((credit) => ({ credit, ...NO_OWNER })),
    await rejectInactive(unit, credits),
  )
}

/** Holds credits in suspense for manual review, because the owner of their number on arrival is unknown. */
async function receiveUnrouted(
  deps: Deps,
  credits: readonly InboundCredit[],
): Promise<readonly (readonly [InboundCredit, CreditOutcome])[]> {
  const outcomes = await retryIfTaken(() =>
    unitOfWork(deps.core, async (unit) =>
      conclude(
        deps,
        unit,
        credits.map((credit) => ({ credit, ...NO_OWNER, needsReview: true })),
        await rejectMisdirected(unit, credits),
      ),
    ),
  )
  return credits.map((credit, index) => [credit, outcomes[index] as CreditOutcome] as const)
}

/** Rejects credits on unassigned numbers. If a number has been assigned meanwhile, its credits go to the owner. */
async function receiveUnassigned(
  deps: Deps,
  credits: readonly InboundCredit[],
): Promise<readonly (readonly [InboundCredit, CreditOutcome])[]> {
  const responses = await retryIfTaken(() =>
    unitOfWork(deps.core, async (unit) => {
      const decided = await rejectUnassigned(unit, credits)
      const rejected = credits.filter((_, index) => decided[index] !== undefined)
      const outcomes = await conclude(
        deps,
        unit,
        rejected.map((credit) => ({ credit, ...NO_OWNER })),
        decided.filter((one) => one !== undefined),
      )
      return new Map(rejected.map((credit, index) => [credit, outcomes[index] as CreditOutcome]))
    }),
  )
  const assigned = credits.filter((credit) => !responses.has(credit))
  if (assigned.length === 0) return [...responses]
  const outcomes = await handOver(deps, assigned, await findRoutes(deps.core, assigned))
  return [...responses, ...assigned.map((credit, index) => [credit, outcomes[index] as CreditOutcome] as const)]
}

/**
 * Retries after a unique violation. Duplicates wait for each other at the lock on their account or on their name.
 * Credits of two banks with the same reference conflict only when they are inserted; the retry of the second one sees
 * the first.
 */
async function retryIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return work()
  }
}

/** A credit and its intended recipient. */
type IntendedCredit = Omit<RejectedCredit, 'decided'>

const intendedFor = ({ credit, account: { merchantId, purpose, ownerId } }: ArrivedCredit): IntendedCredit => ({
  credit,
  merchantId,
  purpose,
  ownerId,
})

/**
 * Queues the returns of rejected credits, stores conflicts for manual review, and posts the partners' own charges.
 * Usually there is nothing to do. Returns the outcomes of the credits.
 */
async function conclude(
  { core, log, returnRail }: Deps,
  unit: UnitOfWork,
  credits: readonly IntendedCredit[],
  decided: readonly Decided[],
): Promise<readonly CreditOutcome[]> {
  const isNewlyAccepted = ({ kind, isRepeat }: Decided): boolean => kind === 'accepted' && isRepeat === undefined
  if (decided.every(isNewlyAccepted) && credits.every(({ credit }) => credit.cost === undefined)) return decided
  const conflicting = credits.filter((_, index) => decided[index]?.kind === 'conflict')
  const rejected = credits.flatMap((one, index): readonly RejectedCredit[] => {
    const rejected = decided[index]
    return rejected?.kind === 'rejected'
      ? [{ ...one, merchantId: rejected.owner ?? one.merchantId, decided: rejected }]
      : []
  })
  const { outcomes, fresh } = await storeConflicts(
    unit,
    core.keyring,
    conflicting.map(({ credit, merchantId, purpose, ownerId }) => ({ ...credit, merchantId, purpose, ownerId })),
  )
  if (fresh > 0) log.error({ conflicts: fresh }, 'conflicting credits stored; manual review required')
  const stored = outcomes.values()
  const reported = credits.filter((_, index) => {
    const one = decided[index]
    return one !== undefined && one.kind !== 'conflict' && one.isRepeat === undefined
  })
  const returned = (await returnCredits(unit, returnRail, rejected, postCosts(unit, reported))).values()
  return decided.map(({ kind }) => {
    const responses = kind === 'conflict' ? stored : returned
    return kind === 'accepted' ? outcomeOf(null) : (responses.next().value as CreditOutcome)
  })
}
