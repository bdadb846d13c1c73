import pg from 'pg'
import { connectionOptions, type Db } from './db.ts'

export interface Listening {
  readonly close: () => Promise<void>
}

const RECONNECT_MILLISECONDS = 500

/**
 * Hears what other processes say on a channel, over a connection of its own. After a broken connection it listens again
 * and calls `onMissed`, since something may have been said meanwhile.
 */
export async function listen(
  db: Db,
  channel: string,
  onWord: (word: string) => void,
  onMissed: () => void,
): Promise<Listening> {
  let client: pg.Client
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    client = new pg.Client(connectionOptions(db.url))
    client.on('notification', ({ payload }) => onWord(payload ?? ''))
    client.on('error', () => {}) // 'end' follows
    client.once('end', () => {
      if (!closed) retry = setTimeout(reconnect, RECONNECT_MILLISECONDS)
    })
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }

  async function reconnect(): Promise<void> {
    try {
      await connect()
      onMissed()
    } catch {
      if (!closed) retry = setTimeout(reconnect, RECONNECT_MILLISECONDS)
    }
  }

  await connect()
  return {
    close: async () => {
      closed = true
      clearTimeout(retry)
      await client.end().catch(() => {})
    },
  }
}
