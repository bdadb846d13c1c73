import pg from 'pg'
import { connectionOptions, type Db } from './db.ts'

/** What other processes say, heard over one connection that is nobody else's. */
export interface Channels {
  /** Hears a channel from now on. */
  readonly hear: (channel: string, listener: Listener) => Promise<void>
  readonly close: () => Promise<void>
}

export interface Listener {
  readonly onWord: (word: string) => void
  /** The connection was broken and is back: something may have been said meanwhile. */
  readonly onMissed: () => void
}

const RECONNECT_MILLISECONDS = 500

export async function openChannels(db: Db): Promise<Channels> {
  const listeners = new Map<string, Listener>()
  let client: pg.Client
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const listenTo = (channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

  /** A connection that fails tells it twice, by its failure and by its end: it is tried again once. */
  function retrySoon(): void {
    clearTimeout(retry)
    if (!closed) retry = setTimeout(reconnect, RECONNECT_MILLISECONDS)
  }

  async function connect(): Promise<void> {
    client = new pg.Client(connectionOptions(db.url))
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.onWord(payload ?? ''))
    client.on('error', () => {}) // 'end' follows
    client.once('end', retrySoon)
    await client.connect()
    for (const channel of listeners.keys()) await listenTo(channel)
  }

  async function reconnect(): Promise<void> {
    try {
      await connect()
      for (const { onMissed } of listeners.values()) onMissed()
    } catch {
      retrySoon()
    }
  }

  await connect()
  return {
    hear: async (channel, listener) => {
      listeners.set(channel, listener)
      await listenTo(channel)
    },
    close: async () => {
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
