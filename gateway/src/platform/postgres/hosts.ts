import pg from 'pg'
import { BehindTimeline, type TimelineFence } from './timeline.ts'

/** Which of several servers to use, in libpq's words. A read-only server is a standby or was made read-only. */
const SESSION_TYPES = ['any', 'read-write', 'primary', 'read-only', 'standby'] as const
type Requested = (typeof SESSION_TYPES)[number]

/** The servers of a URL. */
interface NamedHosts {
  /** One URL per server, in order. */
  readonly urls: readonly string[]
  readonly sessionType: Requested
}

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/

/**
 * Reads a URL with one or several servers, as in libpq: `postgres://kobo@one:5432,two:5432/kobo`. Of several servers
 * the writable one is used, unless `target_session_attrs` says otherwise.
 */
export function readHosts(url: string): NamedHosts {
  const [, start = '', named = '', path = '', query = ''] = ADDRESS.exec(url) ?? []
  const hosts = named.split(',')
  const parameters = new URLSearchParams(query)
  const requestedType = parameters.get('target_session_attrs')
  if (hosts.length === 1 && requestedType === null) return { urls: [url], sessionType: 'any' }
  const sessionType = SESSION_TYPES.find((word) => word === (requestedType ?? 'read-write'))
  if (sessionType === undefined)
    throw new Error(`must have a target_session_attrs that is one of ${SESSION_TYPES.join(', ')}`)
  parameters.delete('target_session_attrs')
  const rest = path + (parameters.size === 0 ? '' : `?${parameters}`)
  return { urls: hosts.map((host) => start + host + rest), sessionType }
}

/** The servers of a database, one of which is in use. */
export interface Hosts {
  readonly count: number
  /** The class of a pool's connections. Connecting fails if the server is of the wrong kind. */
  readonly Client: new (
    config?: pg.ClientConfig,
  ) => pg.Client
  /** A dedicated connection to the first suitable server. */
  readonly connect: (options: pg.ClientConfig) => Promise<pg.Client>
}

/** How long one server may take to accept a connection: one of several servers, or the only one. */
const OF_SEVERAL_MILLISECONDS_MAX = 3_000
const CONNECT_MILLISECONDS_MAX = 5_000

/** Opens the servers of a URL. Remembers which one was suitable, and tries the next one after a failure. */
export function openHosts(url: string, fence?: TimelineFence): Hosts {
  const { urls, sessionType } = readHosts(url)
  const millisecondsMax = urls.length > 1 ? OF_SEVERAL_MILLISECONDS_MAX : CONNECT_MILLISECONDS_MAX
  let present = 0

  class HostClient extends pg.Client {
    readonly #host = present
    readonly #isOn = new Map<string, boolean>()

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: millisecondsMax, connectionString: urls[present] })
      // A connection may break while the fence checks it; its query then fails and reports it.
      this.on('error', () => {})
      // The server reports its parameters on connecting and after a change, so no query is needed.
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
        this.#isOn.set(parameterName, parameterValue === 'on'),
      )
    }

    /** A pool passes a callback; other callers get a promise. */
    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): undefined
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      if (callback === undefined)
        return new Promise((resolve, reject) =>
          this.connect((error: Error | null) => (error === null ? resolve(this) : reject(error))),
        )
      super.connect((error: Error | null) => {
        const failure = error ?? mismatchOf(sessionType, this.#isOn)
        if (failure === null && fence !== undefined)
          fence.admit(this).then(
            () => this.#conclude(null, true, callback),
            (behind: Error) => this.#conclude(behind, true, callback),
          )
        else this.#conclude(failure, error === null, callback)
      })
      return undefined
    }

    /** Ends an attempt to connect. After a failure the next server is tried. */
    #conclude(failure: Error | null, isConnected: boolean, callback: (error: Error) => void): void {
      if (failure !== null && this.#host === present) present = (present + 1) % urls.length
      if (failure !== null && isConnected) this.end().catch(() => {})
      callback(failure as Error) // null without a failure, which the driver's types omit
    }
  }

  return {
    count: urls.length,
    Client: HostClient,
    connect: async (options) => {
      let behind: unknown
      for (let tried = 1; ; tried++) {
        const client = new HostClient(options)
        client.on('error', () => {}) // the client's queries fail and report it
        try {
          await client.connect()
          return client
        } catch (error) {
          client.connection.stream.destroy()
          // An error about a former primary is more useful than one about a server that does not respond.
          if (error instanceof BehindTimeline) behind = error
          if (tried === urls.length) throw behind ?? error
        }
      }
    },
  }
}

/** Returns an error if a server is of the wrong kind; null if it is suitable. */
function mismatchOf(sessionType: Requested, isOn: ReadonlyMap<string, boolean>): Error | null {
  const isStandby = isOn.get('in_hot_standby') === true
  const isReadOnly = isStandby || isOn.get('default_transaction_read_only') === true
  const matches = {
    any: true,
    'read-write': !isReadOnly,
    primary: !isStandby,
    'read-only': isReadOnly,
    standby: isStandby,
  }
  return matches[sessionType] ? null : new Error(`this server is ${isStandby ? 'a standby' : 'not'} ${sessionType}`)
}
