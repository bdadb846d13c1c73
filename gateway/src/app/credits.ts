import type { Core } from '../core/core.ts'
import type { ArrivedCredit, ReceiveCredits } from '../core/feature.ts'
import {
  countConflicts,
  creditOf,
  type Decided,
  endTaking,
  keepConflicts,
  keepCosts,
  outcomeOf,
  selectTaking,
} from '../core/money/credits/index.ts'
import {
  type AccountPurpose,
  accountKey,
  findAccounts,
  findEarlierAccounts,
  isGiven,
} from '../core/money/virtual-accounts/index.ts'
import type { Sweep } from '../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../core/unit-of-work.ts'
import { statementCreditSweep } from '../features/reconciliation/index.ts'
import {
  countWaiting,
  NOBODY,
  receiveForNobody,
  refuseStrays,
  sendBack,
  type UnwantedCredit,
} from '../features/returns/index.ts'
import { secondsAfter } from '../kernel/clock.ts'
import { invariant } from '../kernel/errors.ts'
import { isTaken } from '../platform/db.ts'
import type { Lane } from '../platform/lanes.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'
import type { ReturnRail } from '../rails/returns.ts'

/** Who receives money on an account, by the purpose of the account. A purpose without a receiver does not compile. */
export type Receivers = Readonly<Record<AccountPurpose, ReceiveCredits>>

/** Where a credit belongs. */
type Route = Omit<ArrivedCredit, 'credit'>

interface Deps {
  readonly core: Core
  readonly log: Log
  readonly metrics: Metrics
  readonly receivers: Receivers
  readonly returnRail: Pick<ReturnRail, 'isOffered'>
}

/** The lane for money that banks tell us of. */
export function creditLane(deps: Deps): Lane<InboundCredit, CreditOutcome> {
  const { core, metrics } = deps
  metrics.sharedGauge(
    'kobo_credit_conflicts',
    'Credits that contradict what was told before, by state; a person is called for those that are OPEN',
    'state',
    () => countConflicts(core.db),
  )
  metrics.sharedGauge(
    'kobo_credits_waiting',
    'Credits that were not taken and that nobody knows where to send, by partner; a person is called for them',
    'partner',
    () => countWaiting(core.db),
  )
  return metrics.lane({
    name: 'inbound credit',
    apartBy: (credit) => accountKey(credit),
    run: async (credits) => handOver(deps, credits, await findRoutes(core, credits)),
  })
}

/** What people say is to be received as a credit, which is: through the same door as all others. */
export const creditSweeps = (
  core: Core,
  receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>,
): readonly Sweep[] => [conflictSweep(core, receiveCredit), statementCreditSweep(core, receiveCredit)]

/** Receives the conflicts that a person says are credits of their own. */
const conflictSweep = (core: Core, receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>): Sweep => ({
  name: 'take credits in conflict',
  run: async (_, limit) => {
    const conflicts = await selectTaking(core.db, limit)
    for (const conflict of conflicts) {
      const outcome = await receiveCredit(creditOf(core.keyring, conflict))
      invariant(outcome.kind !== 'conflict', 'a reference of our own is used once')
      const refused = 'reason' in outcome ? outcome.reason : null
      await unitOfWork(core, (unit) => endTaking(unit.tx, conflict, refused))
    }
    return conflicts.length
  },
})

/**
 * Whose the accounts are. Asked before the transaction: a merchant that is not in memory takes a connection of its own,
 * which might never come while others hold theirs and wait for one. A receiver looks at its owner again, under a lock.
 */
async function findRoutes(
  { db, directory }: Core,
  credits: readonly InboundCredit[],
): Promise<ReadonlyMap<string, Route>> {
  const accounts = await findAccounts(
    db,
    credits.map(({ bankCode, accountNumber }) => ({ bankCode, accountNumber })),
  )
  const routes = new Map<string, Route>()
  for (const [key, account] of accounts) {
    if (!isGiven(account)) continue
    const merchant = directory.known(account.merchantId) ?? (await directory.byId(account.merchantId))
    invariant(merchant !== undefined, 'an account belongs to a merchant')
    routes.set(key, { account, merchant })
  }
  return routes
}

/**
 * Hands each credit to the receiver of its account's purpose. Each purpose, on each shard, has a database transaction of its own: a
 * receiver locks its rows before the ledger's accounts, and the rows of a second one would be locked after them. Where a
 * later one fails, the whole set is tried again: a credit that was received already is answered as it was then.
 */
async function handOver(
  deps: Deps,
  credits: readonly InboundCredit[],
  routes: ReadonlyMap<string, Route>,
): Promise<readonly CreditOutcome[]> {
  const outcomes = new Map<InboundCredit, CreditOutcome>()
  const nobodys: InboundCredit[] = []
  const early: InboundCredit[] = []
  const routed: ArrivedCredit[] = []
  for (const credit of credits) {
    const route = routes.get(accountKey(credit))
    if (route === undefined) nobodys.push(credit)
    else if (isEarly(deps.core, credit, route)) early.push(credit)
    else routed.push({ credit, ...route })
  }
  const astray: InboundCredit[] = []
  for (const credit of early) {
    const route = await findEarlierRoute(deps.core, credit)
    if (route === undefined) astray.push(credit)
    else routed.push({ credit, ...route })
  }
  const together = ({ account }: ArrivedCredit) => `${account.purpose} ${deps.core.shards.of(account.merchantId)}`
  for (const group of Map.groupBy(routed, together).values()) {
    const { purpose } = (group[0] as ArrivedCredit).account
    const receive = () =>
      unitOfWork(deps.core, async (unit) => {
        const decided = await deps.receivers[purpose](unit, group)
        return answersTo(deps, unit, group.map(cameFor), decided)
      })
    const answers = await againWhereTaken(receive)
    for (const [index, { credit }] of group.entries()) outcomes.set(credit, answers[index] as CreditOutcome)
  }
  if (nobodys.length > 0)
    for (const [credit, outcome] of await receiveNobodys(deps, nobodys)) outcomes.set(credit, outcome)
  if (astray.length > 0)
    for (const [credit, outcome] of await receiveStrays(deps, astray)) outcomes.set(credit, outcome)
  return credits.map((credit) => outcomes.get(credit) as CreditOutcome)
}

/** So far may a bank's clock be from ours, or its times be rounded. */
const CLOCKS_APART_SECONDS = 120

/** When a credit arrived, in business time. */
const arrivalOf = ({ clock, wall }: Core, arrivedAt: Date): Date =>
  new Date(clock.now().getTime() - wall.now().getTime() + arrivedAt.getTime())

/** Whether a credit arrived before its number was given to whose it is now. */
const isEarly = (core: Core, { arrivedAt }: InboundCredit, { account }: Route): boolean =>
  arrivedAt !== undefined && secondsAfter(arrivalOf(core, arrivedAt), CLOCKS_APART_SECONDS) < account.openedAt

/** Whose the number was when a credit arrived on it, where that is known: its receiver says what becomes of the credit. */
async function findEarlierRoute(core: Core, credit: InboundCredit): Promise<Route | undefined> {
  if (credit.arrivedAt === undefined) return undefined
  const { bankCode, accountNumber } = credit
  const found = await findEarlierAccounts(core.db, [{ bankCode, accountNumber, at: arrivalOf(core, credit.arrivedAt) }])
  const account = found.get(accountKey(credit))
  if (account === undefined || !isGiven(account)) return undefined
  const merchant = await core.directory.byId(account.merchantId)
  return merchant === undefined ? undefined : { account, merchant }
}

/** Credits of a time in which nobody knows whose their numbers were: each waits in suspense for a person. */
async function receiveStrays(
  deps: Deps,
  credits: readonly InboundCredit[],
): Promise<readonly (readonly [InboundCredit, CreditOutcome])[]> {
  const outcomes = await againWhereTaken(() =>
    unitOfWork(deps.core, async (unit) =>
      answersTo(
        deps,
        unit,
        credits.map((credit) => ({ credit, ...NOBODY, isForPerson: true })),
        await refuseStrays(unit, credits),
      ),
    ),
  )
  return credits.map((credit, index) => [credit, outcomes[index] as CreditOutcome] as const)
}

/** Credits on numbers that nobody was given. Where one was in the meantime, its credits are handed over after all. */
async function receiveNobodys(
  deps: Deps,
  credits: readonly InboundCredit[],
): Promise<readonly (readonly [InboundCredit, CreditOutcome])[]> {
  const answers = await againWhereTaken(() =>
    unitOfWork(deps.core, async (unit) => {
      const decided = await receiveForNobody(unit, credits)
      const refused = credits.filter((_, index) => decided[index] !== undefined)
      const outcomes = await answersTo(
        deps,
        unit,
        refused.map((credit) => ({ credit, ...NOBODY })),
        decided.filter((one) => one !== undefined),
      )
      return new Map(refused.map((credit, index) => [credit, outcomes[index] as CreditOutcome]))
    }),
  )
  const somebodys = credits.filter((credit) => !answers.has(credit))
  if (somebodys.length === 0) return [...answers]
  const outcomes = await handOver(deps, somebodys, await findRoutes(deps.core, somebodys))
  return [...answers, ...somebodys.map((credit, index) => [credit, outcomes[index] as CreditOutcome] as const)]
}

/**
 * Twins wait for each other at their account. One that has its name from a credit on another account meets it only where
 * both are written: whoever comes second looks again, and then sees the first.
 */
async function againWhereTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTaken(error)) throw error
    return work()
  }
}

/** A credit, and for whom it came. */
type CameFor = Omit<UnwantedCredit, 'decided'>

const cameFor = ({ credit, account: { merchantId, purpose, ownerId } }: ArrivedCredit): CameFor => ({
  credit,
  merchantId,
  purpose,
  ownerId,
})

/**
 * The answers to credits, once those that were not taken are on their way back, and those that contradict what was told
 * before are kept for a person, and what partners kept for themselves is booked. Mostly there is nothing of it.
 */
async function answersTo(
  { core, log, returnRail }: Deps,
  unit: UnitOfWork,
  credits: readonly CameFor[],
  decided: readonly Decided[],
): Promise<readonly CreditOutcome[]> {
  const isKept = ({ kind, isRepeat }: Decided): boolean => kind === 'accepted' && isRepeat === undefined
  if (decided.every(isKept) && credits.every(({ credit }) => credit.cost === undefined)) return decided
  const contrary = credits.filter((_, index) => decided[index]?.kind === 'conflict')
  const unwanted = credits.flatMap((one, index): readonly UnwantedCredit[] => {
    const refused = decided[index]
    return refused?.kind === 'rejected' ? [{ ...one, decided: refused }] : []
  })
  const { outcomes, fresh } = await keepConflicts(
    unit,
    core.keyring,
    contrary.map(({ credit, merchantId }) => ({ ...credit, merchantId })),
  )
  if (fresh > 0) log.error({ conflicts: fresh }, 'credits contradict what was told before; a person must look at them')
  const kept = outcomes.values()
  const told = credits.filter((_, index) => {
    const one = decided[index]
    return one !== undefined && one.kind !== 'conflict' && one.isRepeat === undefined
  })
  const back = (await sendBack(unit, returnRail, unwanted, keepCosts(unit, told))).values()
  return decided.map(({ kind }) => {
    const answers = kind === 'conflict' ? kept : back
    return kind === 'accepted' ? outcomeOf(null) : (answers.next().value as CreditOutcome)
  })
}
