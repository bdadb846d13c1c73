import { accountKey, findAccounts, type Purpose, type VirtualAccount } from '../core/virtual-accounts/index.ts'
import { receiveCredits } from '../features/transactions/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { IdSource } from '../kernel/ids.ts'
import { type Db, inTransaction, type Tx } from '../platform/db.ts'
import type { Lane } from '../platform/lanes.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'

/** A credit and the account it arrived on. */
interface RoutedCredit {
  readonly credit: InboundCredit
  readonly account: VirtualAccount
}

type CreditHandler = (
  tx: Tx,
  ids: IdSource,
  at: Date,
  credits: readonly RoutedCredit[],
) => Promise<readonly CreditOutcome[]>

/** Who receives money on an account, by the purpose of the account. A purpose without a handler does not compile. */
const HANDLERS: Readonly<Record<Purpose, CreditHandler>> = {
  transaction: (tx, ids, at, credits) =>
    receiveCredits(
      tx,
      ids,
      at,
      credits.map(({ credit, account }) => ({
        credit,
        merchantId: account.merchantId,
        transactionId: account.ownerId,
      })),
    ),
}

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly metrics: Metrics
  readonly pokeDelivery: () => void
}

/** The lane for money that banks tell us of. */
export function creditLane({ db, clock, ids, metrics, pokeDelivery }: Deps): Lane<InboundCredit, CreditOutcome> {
  return metrics.lane({
    name: 'inbound credit',
    run: async (credits) => {
      const outcomes = await inTransaction(db, (tx) => receive(tx, ids, clock.now(), credits))
      pokeDelivery()
      return outcomes
    },
  })
}

async function receive(
  tx: Tx,
  ids: IdSource,
  at: Date,
  credits: readonly InboundCredit[],
): Promise<readonly CreditOutcome[]> {
  const accounts = await findAccounts(
    tx,
    credits.map(({ bankCode, accountNumber }) => ({ bankCode, accountNumber })),
  )
  const outcomes = new Map<InboundCredit, CreditOutcome>()
  const routed = credits.flatMap((credit) => {
    const account = accounts.get(accountKey(credit))
    if (account === undefined) outcomes.set(credit, { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' })
    return account === undefined ? [] : { credit, account }
  })
  for (const [purpose, group] of Map.groupBy(routed, ({ account }) => account.purpose)) {
    const answers = await HANDLERS[purpose](tx, ids, at, group)
    for (const [index, { credit }] of group.entries()) outcomes.set(credit, answers[index] as CreditOutcome)
  }
  return credits.map((credit) => outcomes.get(credit) as CreditOutcome)
}
