import pg from 'pg'
import { connectionOptions } from './db.ts'

const RETAKE_MILLISECONDS = 500

/**
 * Takes a lock that PostgreSQL releases when its holder dies. Returns undefined if another process holds it. After a
 * broken connection the lock is taken again.
 */
export async function takeSessionLock(url: string, key: number): Promise<(() => Promise<void>) | undefined> {
  let holder: pg.Client
  let released = false
  let retry: NodeJS.Timeout | undefined

  async function take(): Promise<boolean> {
    const client = new pg.Client(connectionOptions(url))
    client.on('error', () => {}) // the event 'end' follows
    holder = client
    try {
      await client.connect()
      const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [key])
      if (rows[0]?.taken !== true) {
        await client.end()
        return false
      }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    client.once('end', retakeSoon)
    return true
  }

  function retakeSoon(): void {
    if (!released) retry = setTimeout(retake, RETAKE_MILLISECONDS)
  }

  async function retake(): Promise<void> {
    if (!(await take().catch(() => false))) retakeSoon()
  }

  if (!(await take())) return undefined
  return async () => {
    released = true
    clearTimeout(retry)
    await holder.end().catch(() => {})
  }
}
