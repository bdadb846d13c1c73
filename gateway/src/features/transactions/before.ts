import type { IdSource } from '../../kernel/ids.ts'
import { next } from '../../kernel/machine.ts'
import type { Tx } from '../../platform/db.ts'
import type { CreditOutcome } from '../../rails/bank.ts'
import { transactionMachine } from './machine.ts'
import type { Decisions, PaymentRow } from './payment-repository.ts'
import { type Arrival, receive } from './receive.ts'
import { lockDueToSettle, setSettled, type TransactionKey, type TransactionRow } from './repository.ts'

export const receiveMoney = (
  tx: Tx,
  ids: IdSource,
  at: Date,
  arrivals: readonly Arrival[],
  known?: {
    readonly transactions: readonly TransactionRow[]
    readonly unlocked: ReadonlySet<bigint>
    readonly decided: Decisions
    readonly payments: readonly PaymentRow[]
  },
): Promise<readonly CreditOutcome[]> =>
  receive(
    { tx, ids, at, wake: () => {} },
    arrivals,
    known === undefined
      ? {}
      : {
          transactions: known.transactions,
          unlocked: known.unlocked,
          decisions: known.decided,
          payments: known.payments,
        },
  )

export function declined(transaction: TransactionRow): TransactionRow | undefined {
  const status = next(transactionMachine, transaction.status, 'decline')
  return status === undefined ? undefined : { ...transaction, status }
}

const SETTLING_LOCK = 20_260_307
export const lockSettlements = async (tx: Tx): Promise<void> => {
  await tx`select pg_advisory_xact_lock(${SETTLING_LOCK})`
}
export const lockSettling = lockDueToSettle
export const markSettled = (tx: Tx, keys: readonly TransactionKey[]): void => setSettled(tx, keys)
