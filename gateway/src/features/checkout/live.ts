import type { Core } from '../../core/core.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import { countReturns, type ReturnCount, type ReturnRow } from '../returns/index.ts'
import { type Transaction, type TransactionKey, transactionReads } from '../transactions/index.ts'

const POLL_MILLISECONDS = 500
const KEYS_PER_STATEMENT_MAX = 1_000

/** Sends live updates of payments to the checkout pages of this process. */
export interface Live {
  /**
   * Calls back whenever the payment, or money that it did not accept, differs from the known state. Returns the
   * function that stops it.
   */
  readonly follow: (known: Known, onChange: () => void) => () => void
}

interface Follower {
  readonly key: TransactionKey
  readonly onChange: () => void
  progress: string
}

/** The state known to a page: the payment, and the money it did not accept. */
interface Known {
  readonly transaction: Transaction
  readonly returns: readonly Pick<ReturnRow, 'state'>[]
}

type Progress = Pick<Transaction, 'status' | 'amountPaid' | 'completedAt'>
type Returns = Pick<ReturnCount, 'all' | 'returned'>
const NO_RETURNS: Returns = { all: 0, returned: 0 }
const progressText = ({ status, amountPaid, completedAt }: Progress, { all, returned }: Returns): string =>
  `${status} ${amountPaid} ${completedAt?.getTime()} ${all} ${returned}`

const nameOf = ({ merchantId, id }: TransactionKey): string => `${merchantId}/${id}`

/**
 * Polls all followed payments together, while there are any. A PostgreSQL notification per payment would cost more,
 * because it would serialise all commits. Polling also sees the changes of other processes.
 */
export function live({ db, shards }: Pick<Core, 'db' | 'shards'>): Live {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined

  const pollSoon = (): void => {
    if (timer !== undefined || followers.size === 0) return
    timer = setTimeout(async () => {
      await poll().catch(() => {}) // the database is unavailable: the next poll catches up
      timer = undefined
      pollSoon()
    }, POLL_MILLISECONDS)
    timer.unref()
  }

  /** Splits keys into chunks; each chunk belongs to one shard. */
  const inChunks = (keys: readonly TransactionKey[]): readonly (readonly TransactionKey[])[] =>
    [...Map.groupBy(keys, ({ merchantId }) => shards.of(merchantId)).values()].flatMap((all) => [
      ...chunksOf(all, KEYS_PER_STATEMENT_MAX),
    ])

  async function poll(): Promise<void> {
    const keys = [...new Map([...followers].map(({ key }) => [nameOf(key), key])).values()]
    const found = new Map<string, string>()
    for (const some of inChunks(keys)) {
      const [rows, counts] = await Promise.all([
        transactionReads.progress(db, some),
        countReturns(db, 'transaction', some),
      ])
      const returns = new Map(counts.map((count) => [nameOf(count), count]))
      for (const row of rows) found.set(nameOf(row), progressText(row, returns.get(nameOf(row)) ?? NO_RETURNS))
    }
    for (const follower of followers) {
      const progress = found.get(nameOf(follower.key))
      if (progress === undefined || progress === follower.progress) continue
      follower.progress = progress
      follower.onChange()
    }
  }

  return {
    follow: ({ transaction, returns }, onChange) => {
      const { merchantId, id } = transaction
      const returned = returns.filter(({ state }) => state === 'RETURNED').length
      const progress = progressText(transaction, { all: returns.length, returned })
      const follower = { key: { merchantId, id }, onChange, progress }
      followers.add(follower)
      pollSoon()
      return () => followers.delete(follower)
    },
  }
}
