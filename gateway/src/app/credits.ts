import type { Core } from '../core/core.ts'
import type { Keyring } from '../core/keyring.ts'
import type { Merchant } from '../core/merchants/index.ts'
import { type UnitOfWork, unitOfWork } from '../core/unit-of-work.ts'
import { accountKey, findAccounts, type Purpose, type VirtualAccount } from '../core/virtual-accounts/index.ts'
import { receiveTokens } from '../features/direct-debit/index.ts'
import { receiveReservedCredits } from '../features/reserved-accounts/index.ts'
import { receive } from '../features/transactions/index.ts'
import { receiveTopUps } from '../features/wallets/index.ts'
import { invariant } from '../kernel/errors.ts'
import type { Lane } from '../platform/lanes.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'

/** A credit, the account it arrived on, and whose that is. */
interface RoutedCredit {
  readonly credit: InboundCredit
  readonly account: VirtualAccount
  readonly merchant: Merchant
}

type CreditHandler = (
  unit: UnitOfWork,
  keyring: Keyring,
  credits: readonly RoutedCredit[],
) => Promise<readonly CreditOutcome[]>

/** Who receives money on an account, by the purpose of the account. A purpose without a handler does not compile. */
const HANDLERS: Readonly<Record<Purpose, CreditHandler>> = {
  transaction: (unit, _, credits) =>
    receive(
      unit,
      credits.map(({ credit, account }) => ({
        merchantId: account.merchantId,
        transactionId: account.ownerId,
        receipt: { ...credit, method: 'ACCOUNT_TRANSFER', card: null },
      })),
    ),
  wallet: (unit, _, credits) =>
    receiveTopUps(
      unit,
      credits.map(({ credit, account }) => ({ credit, merchantId: account.merchantId, walletId: account.ownerId })),
    ),
  mandate: (unit, _, credits) =>
    receiveTokens(
      unit,
      credits.map(({ credit, account }) => ({ merchantId: account.merchantId, mandateId: account.ownerId, credit })),
    ),
  'reserved-account': (unit, keyring, credits) =>
    receiveReservedCredits(
      unit,
      keyring,
      credits.map(({ credit, account, merchant }) => ({ credit, merchant, reservedAccountId: account.ownerId })),
    ),
}

interface Deps {
  readonly core: Core
  readonly metrics: Metrics
}

/** The lane for money that banks tell us of. */
export const creditLane = ({ core, metrics }: Deps): Lane<InboundCredit, CreditOutcome> =>
  metrics.lane({
    name: 'inbound credit',
    run: async (credits) => handOver(core, credits, await findRoutes(core, credits)),
  })

/**
 * Whose the accounts are. Asked before the transaction: a merchant that is not in memory takes a connection of its own,
 * which might never come while others hold theirs and wait for one. A handler looks at its owner again, under a lock.
 */
async function findRoutes(
  { db, directory }: Core,
  credits: readonly InboundCredit[],
): Promise<ReadonlyMap<string, Omit<RoutedCredit, 'credit'>>> {
  const accounts = await findAccounts(
    db,
    credits.map(({ bankCode, accountNumber }) => ({ bankCode, accountNumber })),
  )
  const routes = new Map<string, Omit<RoutedCredit, 'credit'>>()
  for (const [key, account] of accounts) {
    const merchant = directory.known(account.merchantId) ?? (await directory.byId(account.merchantId))
    invariant(merchant !== undefined, 'an account belongs to a merchant')
    routes.set(key, { account, merchant })
  }
  return routes
}

/**
 * Hands each credit to the handler of its account's purpose. Each purpose has a database transaction of its own, since a
 * handler locks its rows before the ledger's accounts, and the rows of a second one would be locked after them. Where a
 * later one fails, the whole set is tried again: a credit that was received already is answered as it was then.
 */
async function handOver(
  core: Core,
  credits: readonly InboundCredit[],
  routes: ReadonlyMap<string, Omit<RoutedCredit, 'credit'>>,
): Promise<readonly CreditOutcome[]> {
  const outcomes = new Map<InboundCredit, CreditOutcome>()
  const routed = credits.flatMap((credit) => {
    const route = routes.get(accountKey(credit))
    if (route === undefined) outcomes.set(credit, { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' })
    return route === undefined ? [] : { credit, ...route }
  })
  for (const [purpose, group] of Map.groupBy(routed, ({ account }) => account.purpose)) {
    const answers = await unitOfWork(core, (unit) => HANDLERS[purpose](unit, core.keyring, group))
    for (const [index, { credit }] of group.entries()) outcomes.set(credit, answers[index] as CreditOutcome)
  }
  return credits.map((credit) => outcomes.get(credit) as CreditOutcome)
}
