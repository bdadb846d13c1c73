import type { Db } from '../../platform/db.ts'
import { selectProgress, type TransactionKey, type TransactionRow } from '../transactions/index.ts'

const LOOK_MILLISECONDS = 500
const KEYS_PER_STATEMENT_MAX = 1_000

/** Tells payers' pages of this process when something has become of their payments. */
export interface Live {
  /** Calls whenever the payment has come further than what was known of it; answers how to stop. */
  readonly follow: (known: TransactionRow, onChange: () => void) => () => void
}

interface Follower {
  readonly key: TransactionKey
  readonly onChange: () => void
  progress: string
}

type Progress = Pick<TransactionRow, 'status' | 'amountPaid' | 'completedAt'>
const progressText = ({ status, amountPaid, completedAt }: Progress): string =>
  `${status} ${amountPaid} ${completedAt?.getTime()}`

const nameOf = ({ merchantId, id }: TransactionKey): string => `${merchantId}/${id}`

/**
 * Looks at all payments that are followed, together, while any is. Cheaper than a word from PostgreSQL with every payment,
 * for which all commits would wait in turn, and it hears of what other processes did just as well.
 */
export function live(db: Db): Live {
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

  async function look(): Promise<void> {
    const keys = [...new Map([...followers].map(({ key }) => [nameOf(key), key])).values()]
    const found = new Map<string, string>()
    for (let from = 0; from < keys.length; from += KEYS_PER_STATEMENT_MAX)
      for (const row of await selectProgress(db, keys.slice(from, from + KEYS_PER_STATEMENT_MAX)))
        found.set(nameOf(row), progressText(row))
    for (const follower of followers) {
      const progress = found.get(nameOf(follower.key))
      if (progress === undefined || progress === follower.progress) continue
      follower.progress = progress
      follower.onChange()
    }
  }

  return {
    follow: (known, onChange) => {
      const follower = { key: { merchantId: known.merchantId, id: known.id }, onChange, progress: progressText(known) }
      followers.add(follower)
      lookSoon()
      return () => followers.delete(follower)
    },
  }
}
