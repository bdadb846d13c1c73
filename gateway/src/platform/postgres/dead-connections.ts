import pg from 'pg'

/** How often connections are checked, and after how many checks without traffic we query the database about them. */
const CHECK_MILLISECONDS = 1_000
const QUIET_CHECKS_MAX = 5
/** After this many checks without traffic the connection is ended in any case, because no query may take that long. */
const HANGING_CHECKS_MAX = 75
/** How long the database may take to report which connections it is working on. */
const RESPONSE_MILLISECONDS_MAX = 5_000

/** A connection and its traffic so far. */
interface WatchedConnection {
  readonly client: pg.PoolClient
  /** The bytes sent when the connection was last idle. If more were sent since, a query waits for its response. */
  answeredUpTo: number
  bytesRead: number
  /** The number of checks without traffic while a query waits. */
  quietChecks: number
}

/** The byte counters of a socket, plain or TLS. */
const bytesOf = ({ connection }: pg.Client): { readonly bytesWritten: number; readonly bytesRead: number } =>
  connection.stream as unknown as { bytesWritten: number; bytesRead: number }

/**
 * Ends pooled connections that the network has dropped without notice. A query may be slow for good reasons, so we ask
 * the database over another connection whether the query still runs.
 */
export function closeDeadConnections(
  pool: pg.Pool,
  connectAlone: (options: pg.ClientConfig) => Promise<pg.Client>,
  isShared: boolean,
): { readonly close: () => void } {
  const connections = new Map<pg.PoolClient, WatchedConnection>()
  let isQuerying = false

  pool.on('connect', (client) => {
    const { bytesWritten, bytesRead } = bytesOf(client)
    const watched: WatchedConnection = { client, answeredUpTo: bytesWritten, bytesRead, quietChecks: 0 }
    connections.set(client, watched)
    client.on('drain', () => {
      watched.answeredUpTo = bytesOf(client).bytesWritten
    })
  })
  pool.on('remove', (client) => connections.delete(client))

  const isQuiet = (watched: WatchedConnection): boolean =>
    watched.quietChecks >= QUIET_CHECKS_MAX && !isIdleOrResponding(watched)

  async function check(): Promise<void> {
    for (const watched of connections.values()) {
      watched.quietChecks = isIdleOrResponding(watched) ? 0 : watched.quietChecks + 1
      watched.bytesRead = bytesOf(watched.client).bytesRead
    }
    const quiet = [...connections.values()].filter(isQuiet)
    if (isQuerying || quiet.length === 0) return
    isQuerying = true
    const working = await workingBackends(connectAlone, quiet.map(backendOf), isShared).finally(() => {
      isQuerying = false
    })
    // A connection that received a response meanwhile is kept.
    for (const watched of quiet)
      if (isQuiet(watched) && (!working.has(backendOf(watched)) || watched.quietChecks >= HANGING_CHECKS_MAX))
        watched.client.connection.stream.destroy(new Error('The database does not respond on this connection'))
  }

  const checking = setInterval(() => void check(), CHECK_MILLISECONDS)
  checking.unref()
  return { close: () => clearInterval(checking) }
}

/** Whether no query waits, or bytes arrived since the last check. */
function isIdleOrResponding({ client, answeredUpTo, bytesRead }: WatchedConnection): boolean {
  const bytes = bytesOf(client)
  return bytes.bytesWritten === answeredUpTo || bytes.bytesRead !== bytesRead
}

/** The backend's process id, which the driver's types omit. */
const backendOf = ({ client }: WatchedConnection): number =>
  (client as pg.PoolClient & { readonly processID: number }).processID

/** The backends that are working; none if the database does not respond at all. */
async function workingBackends(
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
    // Behind a pooler the backends are unknown. The pooler responds, and queries have a timeout, so the connections are
    // kept.
    return new Set(isShared ? backends : rows.map(({ pid }) => pid))
  } catch (error) {
    // A database that rejects the connection, for example because there are too many, is alive. Queries have a timeout,
    // so the connections are kept.
    return new Set(error instanceof pg.DatabaseError ? backends : [])
  } finally {
    querying?.end().catch(() => {})
  }
}
