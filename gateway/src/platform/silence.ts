import pg from 'pg'

/** How often connections are looked at, and after how many looks without a byte the database is asked about one. */
const LOOK_MILLISECONDS = 1_000
const QUIET_LOOKS_MAX = 5
/** After so many it ends whatever the database says: no statement may take as long, so its process hangs. */
const HANGING_LOOKS_MAX = 75
/** How long the database may take to say whether it is at work. */
const ANSWER_MILLISECONDS_MAX = 5_000

/** A connection that somebody waits on, or does not. */
interface Line {
  readonly client: pg.PoolClient
  /** Bytes sent when last there was nothing left to wait for: more have been sent since where somebody waits. */
  answeredUpTo: number
  bytesRead: number
  /** Looks since the last byte came for somebody who waits. */
  quietLooks: number
}

/** Bytes that went over a connection: sockets of both kinds, plain and TLS, count them. */
const bytesOf = ({ connection }: pg.Client): { readonly bytesWritten: number; readonly bytesRead: number } =>
  connection.stream as unknown as { bytesWritten: number; bytesRead: number }

/**
 * Ends connections of a pool that the network has dropped without a word, so that nobody waits on one for ever. A statement
 * may rightly take long: so the database is asked, over a connection of its own, whether it is at work for a quiet one.
 */
export function endSilentConnections(
  pool: pg.Pool,
  connectAlone: (options: pg.ClientConfig) => Promise<pg.Client>,
  isShared: boolean,
): { readonly close: () => void } {
  const lines = new Map<pg.PoolClient, Line>()
  let isAsking = false

  pool.on('connect', (client) => {
    const { bytesWritten, bytesRead } = bytesOf(client)
    const line: Line = { client, answeredUpTo: bytesWritten, bytesRead, quietLooks: 0 }
    lines.set(client, line)
    client.on('drain', () => {
      line.answeredUpTo = bytesOf(client).bytesWritten
    })
  })
  pool.on('remove', (client) => lines.delete(client))

  const isQuiet = (line: Line): boolean => line.quietLooks >= QUIET_LOOKS_MAX && !hasStirred(line)

  async function look(): Promise<void> {
    for (const line of lines.values()) {
      line.quietLooks = hasStirred(line) ? 0 : line.quietLooks + 1
      line.bytesRead = bytesOf(line.client).bytesRead
    }
    const quiet = [...lines.values()].filter(isQuiet)
    if (isAsking || quiet.length === 0) return
    isAsking = true
    const atWork = await backendsAtWork(connectAlone, quiet.map(backendOf), isShared).finally(() => {
      isAsking = false
    })
    // An answer that came meanwhile came in time.
    for (const line of quiet)
      if (isQuiet(line) && (!atWork.has(backendOf(line)) || line.quietLooks >= HANGING_LOOKS_MAX))
        line.client.connection.stream.destroy(new Error('The database does not answer on this connection'))
  }

  const looking = setInterval(() => void look(), LOOK_MILLISECONDS)
  looking.unref()
  return { close: () => clearInterval(looking) }
}

/** Whether nobody waits, or bytes came since the last look. */
function hasStirred({ client, answeredUpTo, bytesRead }: Line): boolean {
  const bytes = bytesOf(client)
  return bytes.bytesWritten === answeredUpTo || bytes.bytesRead !== bytesRead
}

/** The process of the database at the other end; the driver knows it, its types do not. */
const backendOf = ({ client }: Line): number => (client as pg.PoolClient & { readonly processID: number }).processID

/** Which of these processes of the database are at work. Of those that nobody can tell about, none: it does not answer at all. */
async function backendsAtWork(
  connectAlone: (options: pg.ClientConfig) => Promise<pg.Client>,
  backends: readonly number[],
  isShared: boolean,
): Promise<ReadonlySet<number>> {
  let asking: pg.Client | undefined
  try {
    asking = await connectAlone({ query_timeout: ANSWER_MILLISECONDS_MAX })
    const { rows } = await asking.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any ($1::integer[]) and state = 'active'`,
      [backends],
    )
    // Behind a pooler nobody knows whose process is whose. It answers, and statements have a time-out of its own.
    return new Set(isShared ? backends : rows.map(({ pid }) => pid))
  } catch (error) {
    // Where it refuses to be asked, as with too many connections, it is there, and statements have a time-out of its own.
    return new Set(error instanceof pg.DatabaseError ? backends : [])
  } finally {
    asking?.end().catch(() => {})
  }
}
