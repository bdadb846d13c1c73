import type pg from 'pg'
import { monotonic } from '../../kernel/clock.ts'
import type { Db } from './db.ts'

/** Notifications between processes, over one dedicated connection. */
export interface Channels {
  readonly subscribe: (channel: string, listener: Listener) => Promise<void>
  /**
   * Whether a value read at this `monotonic` time may still be used. A later change would have been announced, unless
   * it happened in the last few seconds.
   */
  readonly isCurrent: (readAt: number) => boolean
  readonly close: () => Promise<void>
}

export interface Listener {
  readonly onMessage: (word: string) => void
  /** Called after an interruption, because notifications may have been missed. It is retried if it fails. */
  readonly onMissed: () => unknown
}

const RECONNECT_MILLISECONDS = 500
/** The network may drop a connection without notice, so a heartbeat checks it. */
const HEARTBEAT_MILLISECONDS = 2_000
const RESPONSE_MILLISECONDS_MAX = 5_000
/** A value read longer ago than this, and not confirmed since, is not used. */
const SILENCE_MILLISECONDS_MAX = 10_000

export async function openChannels(db: Db): Promise<Channels> {
  const listeners = new Map<string, Listener>()
  let client: pg.Client
  let closed = false
  let retry: NodeJS.Timeout | undefined
  /** All notifications sent before this moment were received. */
  let aliveUntil = monotonic()

  const listenTo = (channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

  /** Reconnects once, although a failing connection reports twice: by its error and its end. */
  function retrySoon(): void {
    clearTimeout(retry)
    if (!closed) retry = setTimeout(reconnect, RECONNECT_MILLISECONDS)
  }

  async function connect(): Promise<void> {
    // A query that gets no response in time ends the connection.
    const opened = await db.connectSession({ query_timeout: RESPONSE_MILLISECONDS_MAX })
    client = opened
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.onMessage(payload ?? ''))
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
    const sentAt = monotonic()
    const testedClient = client
    await testedClient.query('select 1')
    // If the connection was replaced meanwhile, the new one has not responded yet.
    if (testedClient === client) aliveUntil = sentAt
  }

  await connect()
  // A failed connection closes itself and is reopened.
  const heartbeat = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MILLISECONDS)
  heartbeat.unref()
  return {
    subscribe: async (channel, listener) => {
      listeners.set(channel, listener)
      // If the connection breaks meanwhile, the next one subscribes again and reports the gap.
      await listenTo(channel).catch(() => {})
    },
    isCurrent: (readAt) => monotonic() - Math.max(readAt, aliveUntil) <= SILENCE_MILLISECONDS_MAX,
    close: async () => {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
