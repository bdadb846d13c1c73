import type { Core } from '../../core/core.ts'
import { setsOf } from '../../platform/sets.ts'
import { countReturns, type ReturnCount, type ReturnRow } from '../returns/index.ts'
import { selectProgress, type TransactionKey, type TransactionRow } from '../transactions/index.ts'

const LOOK_MILLISECONDS = 500
const KEYS_PER_STATEMENT_MAX = 1_000

/** Tells payers' pages of this process when something has become of their payments. */
export interface Live {
  /** Calls whenever the payment, or money that it did not take, has come further than what was known; answers how to stop. */
  readonly follow: (known: Known, onChange: () => void) => () => void
}

interface Follower {
  readonly key: TransactionKey
  readonly onChange: () => void
  progress: string
}

/** What a page knows of a payment: the payment, and the money that it did not take. */
interface Known {
  readonly transaction: TransactionRow
  readonly returns: readonly Pick<ReturnRow, 'state'>[]
}

type Progress = Pick<TransactionRow, 'status' | 'amountPaid' | 'completedAt'>
type Returns = Pick<ReturnCount, 'all' | 'returned'>
const NO_RETURNS: Returns = { all: 0, returned: 0 }
const progressText = ({ status, amountPaid, completedAt }: Progress, { all, returned }: Returns): string =>
  `${status} ${amountPaid} ${completedAt?.getTime()} ${all} ${returned}`

const nameOf = ({ merchantId, id }: TransactionKey): string => `${merchantId}/${id}`

/**
 * Looks at all payments that are followed, together, while any is. Cheaper than a word from PostgreSQL with every payment,
 * for which all commits would wait in turn, and it hears of what other processes did just as well.
 */
export function live({ db, shards }: Pick<Core, 'db' | 'shards'>): Live {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined

  const lookSoon = (): void => {
    if (timer !== undefined || followers.size === 0) return
    timer = setTimeout(async () => {
      await look().catch(() => {}) // the database is away: the next look will find what happened
      timer = undefined
      lookSoon()
    }, LOOK_MILLISECONDS)
    timer.unref()
  }

  /** Up to so many keys of one shard. */
  const inSets = (keys: readonly TransactionKey[]): readonly (readonly TransactionKey[])[] =>
    [...Map.groupBy(keys, ({ merchantId }) => shards.of(merchantId)).values()].flatMap((all) => [
      ...setsOf(all, KEYS_PER_STATEMENT_MAX),
    ])

  async function look(): Promise<void> {
    const keys = [...new Map([...followers].map(({ key }) => [nameOf(key), key])).values()]
    const found = new Map<string, string>()
    for (const some of inSets(keys)) {
      const [rows, counts] = await Promise.all([selectProgress(db, some), countReturns(db, 'transaction', some)])
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
      lookSoon()
      return () => followers.delete(follower)
    },
  }
}
