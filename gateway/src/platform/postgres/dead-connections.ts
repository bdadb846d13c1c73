import pg from 'pg'

/** How often connections are checked, and after how many silent checks the database is asked. */
const LOOK_MILLISECONDS = 1_000
const QUIET_LOOKS_MAX = 5
/** After this many the connection ends in any case: no query may take as long. */
const HANGING_LOOKS_MAX = 75
/** How long the database may take to say whether it is working. */
const RESPONSE_MILLISECONDS_MAX = 5_000

/** A connection and what it waits for. */
interface Line {
  readonly client: pg.PoolClient
  /** Bytes sent when it was last idle: more were sent since if a query waits. */
  answeredUpTo: number
  bytesRead: number
  /** Silent checks while a query waits. */
  quietLooks: number
}

/** The byte counters of a socket, plain or TLS. */
const bytesOf = ({ connection }: pg.Client): { readonly bytesWritten: number; readonly bytesRead: number } =>
  connection.stream as unknown as { bytesWritten: number; bytesRead: number }

/**
 * Ends pooled connections that the network has dropped silently. A query may rightly take long, so the database is
 * asked over another connection whether it works on a silent one.
 */
export function closeDeadConnections(
  pool: pg.Pool,
  connectAlone: (options: pg.ClientConfig) => Promise<pg.Client>,
  isShared: boolean,
): { readonly close: () => void } {
  const lines = new Map<pg.PoolClient, Line>()
  let isQuerying = false

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
    if (isQuerying || quiet.length === 0) return
    isQuerying = true
    const atWork = await backendsAtWork(connectAlone, quiet.map(backendOf), isShared).finally(() => {
      isQuerying = false
    })
    // A response that arrived meanwhile counts.
    for (const line of quiet)
      if (isQuiet(line) && (!atWork.has(backendOf(line)) || line.quietLooks >= HANGING_LOOKS_MAX))
        line.client.connection.stream.destroy(new Error('The database does not respond on this connection'))
  }

  const looking = setInterval(() => void look(), LOOK_MILLISECONDS)
  looking.unref()
  return { close: () => clearInterval(looking) }
}

/** Whether nothing waits, or bytes arrived since the last check. */
function hasStirred({ client, answeredUpTo, bytesRead }: Line): boolean {
  const bytes = bytesOf(client)
  return bytes.bytesWritten === answeredUpTo || bytes.bytesRead !== bytesRead
}

/** The backend's process id, which the driver's types omit. */
const backendOf = ({ client }: Line): number => (client as pg.PoolClient & { readonly processID: number }).processID

/** Which backends are working; none if the database does not respond at all. */
async function backendsAtWork(
  connectAlone: (options: pg.ClientConfig) => Promise<pg.Client>,
  backends: readonly number[],
  isShared: boolean,
): Promise<ReadonlySet<number>> {
  let querying: pg.Client | undefined
  try {
    querying = await connectAlone({ query_timeout: RESPONSE_MILLISECONDS_MAX })
    const { rows } = await querying.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any ($1::integer[]) and state = 'active'`,
      [backends],
    )
    // Behind a pooler backends are unknown. It responds, and queries have a timeout.
    return new Set(isShared ? backends : rows.map(({ pid }) => pid))
  } catch (error) {
    // If it rejects the connection, for example because there are too many, it is alive, and queries have a timeout.
    return new Set(error instanceof pg.DatabaseError ? backends : [])
  } finally {
    querying?.end().catch(() => {})
  }
}
