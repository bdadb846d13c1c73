import { monotonic } from '../../kernel/clock.ts'
import type { Channels } from './channels.ts'

/** Values are read again after this time, in case a change was not announced. */
const CACHED_MILLISECONDS_MAX = 300_000

/** A small value, cached in every process and read again when another process announces a change. */
export interface Cached<T> {
  readonly present: () => T
  readonly readAgain: () => Promise<void>
}

/**
 * Reads a value once, and again when its channel announces a change, the channel was interrupted, or the value is old.
 */
export async function openCached<T>(channels: Channels, channel: string, read: () => Promise<T>): Promise<Cached<T>> {
  let value: T
  let readAt = monotonic()
  let isOutdated = false
  let reading: Promise<void> | undefined

  async function readNow(): Promise<void> {
    isOutdated = false
    const startedAt = monotonic()
    try {
      value = await read()
      readAt = startedAt
    } catch (error) {
      isOutdated = true // the next caller reads the value again
      throw error
    }
  }

  /** Reads the value again. A read in progress may miss a change announced meanwhile, so another read follows it. */
  const readAgain = async (): Promise<void> => {
    if (reading !== undefined) await reading.catch(() => {})
    reading ??= readNow().finally(() => {
      reading = undefined
    })
    await reading
  }

  const isOld = (): boolean =>
    isOutdated || monotonic() - readAt > CACHED_MILLISECONDS_MAX || !channels.isCurrent(readAt)

  await channels.subscribe(channel, { onMessage: () => void readAgain().catch(() => {}), onMissed: readAgain })
  value = await read()
  return {
    present: () => {
      if (reading === undefined && isOld()) void readAgain().catch(() => {})
      return value
    },
    readAgain,
  }
}
