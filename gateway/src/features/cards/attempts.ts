import type { Vault } from '../../core/vault.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type Db, inTransaction, optimistic } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { CardRail } from '../../rails/card.ts'
import { type ChargeWish, type Opened, openAttempts, openFirstAttempts } from './open.ts'
import type { AttemptRow } from './repository.ts'
import { reverse } from './reversal.ts'
import { type CardOutcome, isFresh, type Settled, settleOutcomes } from './settle.ts'

export interface CardDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly metrics: Metrics
  readonly vault: Vault
  readonly log: Log
  readonly rails: { readonly card: CardRail }
  readonly publicUrl: () => string
  readonly pokeDelivery: () => void
}

/** The steps of charging a card. Each is committed before the next begins, and safe to repeat. */
export interface Attempts {
  /** Writes down the intention to charge, unless the transaction may not be charged now. */
  readonly open: (wish: ChargeWish) => Promise<Opened>
  /** Writes down what the network said, and sends money back that can no longer be kept. */
  readonly settle: (outcome: CardOutcome) => Promise<Settled>
  /** Asks the network what became of an attempt, and writes it down. */
  readonly ask: (attempt: AttemptRow) => Promise<Settled>
}

export function cardAttempts(deps: CardDeps): Attempts {
  const { db, clock, ids, metrics, rails, pokeDelivery } = deps
  const openFirst = metrics.lane({
    name: 'card open first',
    run: (wishes: readonly ChargeWish[]) => openFirstAttempts(db, ids, clock.now(), wishes),
  })
  const open = metrics.lane({
    name: 'card open',
    run: (wishes: readonly ChargeWish[]) => inTransaction(db, (tx) => openAttempts(tx, ids, clock.now(), wishes)),
  })
  const write = metrics.lane({
    name: 'card outcome',
    run: async (outcomes: readonly CardOutcome[]) => {
      const settled = await optimistic(outcomes.filter(isFresh), (trusted) =>
        inTransaction(db, (tx) => settleOutcomes(tx, deps, clock.now(), outcomes, trusted)),
      )
      pokeDelivery()
      return settled
    },
  })

  async function settle(outcome: CardOutcome): Promise<Settled> {
    const settled = await write(outcome)
    return settled.attempt.status === 'REVERSING'
      ? { ...settled, attempt: await reverse(deps, settled.attempt) }
      : settled
  }

  return {
    open: async (wish) => (await openFirst(wish)) ?? open(wish),
    settle,
    ask: async (attempt) => settle({ attempt, outcome: await rails.card.find(attempt.reference), cardNumber: null }),
  }
}
