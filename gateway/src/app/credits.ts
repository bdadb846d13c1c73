import type { Core } from '../core/core.ts'
import type { ArrivedCredit, ReceiveCredits } from '../core/feature.ts'
import { type AccountPurpose, accountKey, findAccounts } from '../core/money/virtual-accounts/index.ts'
import { unitOfWork } from '../core/unit-of-work.ts'
import { invariant } from '../kernel/errors.ts'
import type { Lane } from '../platform/lanes.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'

/** Who receives money on an account, by the purpose of the account. A purpose without a receiver does not compile. */
export type Receivers = Readonly<Record<AccountPurpose, ReceiveCredits>>

/** Where a credit belongs. */
type Route = Omit<ArrivedCredit, 'credit'>

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
  readonly receivers: Receivers
}

/** The lane for money that banks tell us of. */
export const creditLane = ({ core, metrics, receivers }: Deps): Lane<InboundCredit, CreditOutcome> =>
  metrics.lane({
    name: 'inbound credit',
    run: async (credits) => handOver(core, receivers, credits, await findRoutes(core, credits)),
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
    const merchant = directory.known(account.merchantId) ?? (await directory.byId(account.merchantId))
    invariant(merchant !== undefined, 'an account belongs to a merchant')
    routes.set(key, { account, merchant })
  }
  return routes
}

/**
 * Hands each credit to the receiver of its account's purpose. Each purpose has a database transaction of its own, since a
 * receiver locks its rows before the ledger's accounts, and the rows of a second one would be locked after them. Where a
 * later one fails, the whole set is tried again: a credit that was received already is answered as it was then.
 */
async function handOver(
  core: Core,
  receivers: Receivers,
  credits: readonly InboundCredit[],
  routes: ReadonlyMap<string, Route>,
): Promise<readonly CreditOutcome[]> {
  const outcomes = new Map<InboundCredit, CreditOutcome>()
  const routed = credits.flatMap((credit) => {
    const route = routes.get(accountKey(credit))
    if (route === undefined) outcomes.set(credit, { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' })
    return route === undefined ? [] : { credit, ...route }
  })
  for (const [purpose, group] of Map.groupBy(routed, ({ account }) => account.purpose)) {
    const answers = await unitOfWork(core, (unit) => receivers[purpose](unit, group))
    for (const [index, { credit }] of group.entries()) outcomes.set(credit, answers[index] as CreditOutcome)
  }
  return credits.map((credit) => outcomes.get(credit) as CreditOutcome)
}
