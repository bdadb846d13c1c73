import { monotonic } from '../../kernel/clock.ts'
import { isDatabaseLoss } from './connection-loss.ts'

/** A write that waits because the database was unavailable. */
interface Unwritten {
  readonly write: () => Promise<unknown>
  readonly until: number
}

const RETRY_MILLISECONDS = 250
/** Beyond this number, writes are dropped, because correctness does not depend on them. */
const UNWRITTEN_MAX = 10_000

/** Repeats a write when the database is back, within a time limit. It must be safe to run the write twice. */
export type WriteLater = (write: () => Promise<unknown>, secondsMax: number) => void

export function openWriteLater(): WriteLater {
  let unwritten: Unwritten[] = []
  let isWaiting = false

  async function writeAll(): Promise<void> {
    while (unwritten[0] !== undefined) {
      const { write, until } = unwritten[0]
      const isUnavailable = monotonic() < until && (await write().then(() => false, isDatabaseLoss))
      if (isUnavailable) break
      unwritten = unwritten.slice(1)
    }
    isWaiting = false
    if (unwritten.length > 0) writeSoon()
  }

  function writeSoon(): void {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void writeAll(), RETRY_MILLISECONDS).unref()
  }

  return (write, secondsMax) => {
    if (unwritten.length >= UNWRITTEN_MAX) return
    unwritten.push({ write, until: monotonic() + secondsMax * 1_000 })
    writeSoon()
  }
}
