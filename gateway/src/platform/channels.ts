import type pg from 'pg'
import { monotonic } from '../kernel/clock.ts'
import type { Db } from './db.ts'

/** What other processes say, heard over one connection that is nobody else's. */
export interface Channels {
  /** Hears a channel from now on. */
  readonly hear: (channel: string, listener: Listener) => Promise<void>
  /**
   * Whether what was read at a moment, by `monotonic`, can be relied on: had anything been said about it since, it would have
   * been heard, but for the last few seconds.
   */
  readonly vouchesFor: (readAt: number) => boolean
  readonly close: () => Promise<void>
}

export interface Listener {
  readonly onWord: (word: string) => void
  /** The connection was broken and is back: something may have been said meanwhile. Where this fails, it is done again. */
  readonly onMissed: () => unknown
}

const RECONNECT_MILLISECONDS = 500
/** A connection that the network dropped without a word stays silent for ever: so it is asked for a sign of life. */
const HEARTBEAT_MILLISECONDS = 2_000
const ANSWER_MILLISECONDS_MAX = 5_000
/** What was read longer ago than this, and not vouched for since, is not relied on. */
const SILENCE_MILLISECONDS_MAX = 10_000

export async function openChannels(db: Db): Promise<Channels> {
  const listeners = new Map<string, Listener>()
  let client: pg.Client
  let closed = false
  let retry: NodeJS.Timeout | undefined
  /** All that was said before this moment has been heard. */
  let heardUpTo = monotonic()

  const listenTo = (channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

  /** A connection that fails tells it twice, by its failure and by its end: it is tried again once. */
  function retrySoon(): void {
    clearTimeout(retry)
    if (!closed) retry = setTimeout(reconnect, RECONNECT_MILLISECONDS)
  }

  async function connect(): Promise<void> {
    // A question that is not answered in time ends the connection.
    const opened = await db.connectSession({ query_timeout: ANSWER_MILLISECONDS_MAX })
    client = opened
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.onWord(payload ?? ''))
    client.once('end', () => {
      if (opened === client) retrySoon()
    })
    if (closed) return client.end()
    for (const channel of listeners.keys()) await listenTo(channel)
  }

  async function reconnect(): Promise<void> {
    try {
      await connect()
      for (const { onMissed } of listeners.values()) await onMissed()
    } catch {
      client.connection.stream.destroy()
      retrySoon()
    }
  }

  async function beat(): Promise<void> {
    const askedAt = monotonic()
    const asked = client
    await asked.query('select 1')
    // One that was opened meanwhile has answered nothing yet.
    if (asked === client) heardUpTo = askedAt
  }

  await connect()
  const heartbeat = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MILLISECONDS) // it ends by itself, and is opened anew
  heartbeat.unref()
  return {
    hear: async (channel, listener) => {
      listeners.set(channel, listener)
      // Where the connection breaks meanwhile: the next one hears this channel too, and tells its listener what was missed.
      await listenTo(channel).catch(() => {})
    },
    vouchesFor: (readAt) => monotonic() - Math.max(readAt, heardUpTo) <= SILENCE_MILLISECONDS_MAX,
    close: async () => {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
