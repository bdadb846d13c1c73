import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type pg from 'pg'
import { monotonic } from '../../kernel/clock.ts'

/** How far a server's history goes. After a failover or a restore, PostgreSQL starts a new timeline. */
export interface Position {
  /** The cluster's identifier, which a primary and its standbys share. */
  readonly system: string
  readonly timeline: number
  /** When an operator last accepted this history in place of a newer one, in Unix milliseconds; 0 for never. */
  readonly acceptedAt: number
  /** The bytes of WAL that were flushed before a commit that was acknowledged; absent if none is known. */
  readonly walBytes?: number | undefined
}

/**
 * Rejects connections to a primary that is behind. A former primary that was not stopped keeps accepting writes on its
 * old timeline, and all these writes are lost. A server that was restored to an earlier moment lacks what was
 * acknowledged since. So the newest position that this installation has seen is stored outside the database, and
 * survives restarts.
 */
export interface TimelineFence {
  /** Throws `BehindTimeline` if a new connection leads to a server that is behind. */
  readonly admit: (client: pg.Client) => Promise<void>
  /** The newest positions, one per cluster. */
  readonly newest: () => readonly Position[]
  /** A query that fails on a server that is behind, for connections that a pooler may lead to another server. */
  readonly guard: () => string | undefined
  /** Learns a position from another process, and ends connections that are behind it. */
  readonly learn: (position: Position) => void
  /** Sets how a newer timeline is announced to other processes, which happens before it is used. */
  readonly announceBy: (announce: () => Promise<unknown>) => void
  /** Records how much WAL was flushed before a commit that was acknowledged. */
  readonly acknowledge: (at: Acknowledged) => void
}

export interface Acknowledged {
  readonly system: string
  readonly timeline: number
  readonly walBytes: number
}

export class BehindTimeline extends Error {}

export interface FenceOptions {
  /** The file for positions. Processes that share it learn from each other. Without it positions are kept in memory. */
  readonly file?: string | undefined
  /**
   * Whether an operator must also accept a change to another cluster. It is false in the sandbox, which may start over
   * with a new cluster at any time.
   */
  readonly isOneCluster: boolean
  /** Whether positions are only read from the file. */
  readonly isReader?: boolean
  /** Called when the fence starts to reject connections, and when the positions cannot be stored. */
  readonly warn?: ((text: string) => void) | undefined
}

/**
 * Reads a server's position. The timeline is null on a standby, which has no position of its own. A promoted server's
 * timeline began where its replay had ended.
 */
const POSITION_QUERY = `
  select system_identifier::text as system,
         case when not pg_is_in_recovery()
              then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline,
         case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0')::float8 end as "flushedBytes",
         (pg_last_wal_replay_lsn() - '0/0')::float8 as "replayedBytes"
    from pg_control_system()`
/** Returns a query that fails if the server is behind; none for several clusters, whose timelines do not compare. */
function guardQuery([only, ...others]: readonly Position[]): string | undefined {
  if (only === undefined || others.length > 0) return undefined
  return `
    do $$ begin
      if (case when not pg_is_in_recovery()
               then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer < ${only.timeline} end) then
        raise read_only_sql_transaction using message = 'this server is behind timeline ${only.timeline}';
      end if;
    end $$`
}
const ACCEPTED_QUERY = `select coalesce(extract(epoch from max(accepted_at)) * 1000, 0)::bigint::text as at from accepted_timeline`
/** A server that accepts connections but responds to no query within this time counts as unavailable. */
const QUERY_MILLISECONDS_MAX = 5_000
const POSITION = { text: POSITION_QUERY, query_timeout: QUERY_MILLISECONDS_MAX }
const ACCEPTED = { text: ACCEPTED_QUERY, query_timeout: QUERY_MILLISECONDS_MAX }
const UNDEFINED_TABLE = '42P01'

type Found = {
  readonly system: string
  readonly timeline: number | null
  readonly flushedBytes: number | null
  readonly replayedBytes: number | null
}

const NOTHING: Found = { system: '', timeline: null, flushedBytes: null, replayedBytes: null }

/** How often the bytes of WAL are stored. After a restart, a restore to a moment within this time goes unnoticed. */
const STORED_MILLISECONDS = 60_000

export function openTimelineFence({ file, isReader = false, isOneCluster, warn }: FenceOptions): TimelineFence {
  let isWarned = false
  let storedAt = Number.NEGATIVE_INFINITY
  let announce: () => Promise<unknown> = async () => undefined
  let announced: Promise<unknown> = Promise.resolve()
  const admitted = new Map<pg.Client, Position>()
  const { newest, whyBehind, storeIfNewer, storeIfLonger } = openPositions(isOneCluster, (found) => {
    for (const [client, position] of admitted)
      if (position.system === found.system && isBefore(position, found))
        client.connection.stream.destroy(new Error('This database server is no longer the primary'))
  })
  const refresh = (): void => {
    for (const position of readPositions(file)) {
      storeIfNewer(position)
      storeIfLonger(position)
    }
  }

  const store = (): void => {
    if (file !== undefined && !isReader) storePositions(file, newest(), warn)
  }

  return {
    newest,
    guard: () => guardQuery(newest()),
    learn: (position) => {
      if (storeIfNewer(position)) store()
    },
    announceBy: (how) => {
      announce = how
    },
    acknowledge: (at) => {
      if (!storeIfLonger(at) || monotonic() < storedAt + STORED_MILLISECONDS) return
      storedAt = monotonic()
      store()
    },
    admit: async (client) => {
      refresh()
      const before = newest() // more may be acknowledged during the query
      const { system, timeline, flushedBytes, replayedBytes } = (await client.query<Found>(POSITION)).rows[0] ?? NOTHING
      if (timeline === null) return
      refresh()
      const isNewTimeline = newest().some((one) => one.system === system && one.timeline < timeline)
      const bytes = (isNewTimeline ? replayedBytes : null) ?? flushedBytes ?? 0
      const why = (found: Position): string | undefined => whyBehind(found, bytes < walBytesOf(before, found))
      let found: Position = { system, timeline, acceptedAt: 0 }
      // Read only if needed, because a new database does not have this table yet.
      if (newest().some(({ acceptedAt }) => acceptedAt > 0) || why(found) !== undefined)
        found = { ...found, acceptedAt: await readAccepted(client) }
      const behind = why(found)
      if (behind !== undefined) {
        const text = `This database server must not be used. ${behind}: what it acknowledges would be lost. Stop it, or if it was restored on purpose, run "kobo database accept-timeline".`
        if (!isWarned) warn?.(text)
        isWarned = true
        throw new BehindTimeline(text)
      }
      isWarned = false
      // Stored and announced before any write here is confirmed, because readers of a former primary would not find
      // that write.
      if (storeIfNewer(found)) {
        store()
        announced = announce()
      }
      admitted.set(client, found)
      client.once('end', () => admitted.delete(client))
      await announced
    },
  }
}

/** The bytes of WAL that were acknowledged in this history of a cluster. */
const walBytesOf = (positions: readonly Position[], { system, acceptedAt }: Position): number =>
  positions.find((one) => one.system === system && one.acceptedAt === acceptedAt)?.walBytes ?? 0

/** The newest positions in memory, one per cluster. */
function openPositions(isOneCluster: boolean, onRaise: (position: Position) => void) {
  let newest: readonly Position[] = []
  /** Timelines of servers that lacked work when they were found: they stay rejected even when their WAL has grown. */
  const lacking = new Set<string>()

  const keep = (position: Position): void => {
    newest = isOneCluster ? [position] : [...newest.filter(({ system }) => system !== position.system), position]
  }

  function isLacking({ system, timeline, acceptedAt }: Position, isShort: boolean): boolean {
    const name = `${system} ${timeline} ${acceptedAt}`
    if (isShort) lacking.add(name)
    return lacking.has(name)
  }

  /** Why a server that may have less WAL than was acknowledged must not be used; undefined if it may be used. */
  function whyBehind(found: Position, isShort = false): string | undefined {
    const known = newest.find(({ system }) => system === found.system)
    if (known === undefined) {
      const isAccepted = newest.every(({ acceptedAt }) => found.acceptedAt > acceptedAt)
      return isOneCluster && !isAccepted ? 'It belongs to a cluster other than the one Kobo has worked on' : undefined
    }
    if (isBefore(found, known))
      return `It is on timeline ${found.timeline}, and Kobo has already worked on timeline ${known.timeline}`
    return isLacking(found, isShort)
      ? 'It lacks work that Kobo has already acknowledged, because it was restored to an earlier moment or was a standby that was behind'
      : undefined
  }

  return {
    newest: () => newest,
    whyBehind,
    /** Stores a position; returns whether it was new. */
    storeIfNewer: (found: Position): boolean => {
      const known = newest.find(({ system }) => system === found.system)
      if (whyBehind(found) !== undefined || (known !== undefined && !isBefore(known, found))) return false
      keep({ ...found, walBytes: known?.acceptedAt === found.acceptedAt ? known.walBytes : found.walBytes })
      onRaise(found)
      return true
    },
    /** Stores more bytes of WAL; returns whether they were more. */
    storeIfLonger: ({ system, timeline, walBytes = 0 }: Omit<Position, 'acceptedAt'>): boolean => {
      const known = newest.find((one) => one.system === system && one.timeline === timeline)
      if (known === undefined || walBytes <= (known.walBytes ?? 0)) return false
      keep({ ...known, walBytes })
      return true
    },
  }
}

/** Whether one history of a cluster is older than another. */
const isBefore = (one: Position, other: Position): boolean =>
  one.acceptedAt === other.acceptedAt ? one.timeline < other.timeline : one.acceptedAt < other.acceptedAt

async function readAccepted(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query<{ at: string }>(ACCEPTED)
    return Number(rows[0]?.at ?? 0)
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return 0
    throw error
  }
}

const isPosition = (value: unknown): value is Position => {
  const { system, timeline, acceptedAt } = (value ?? {}) as Partial<Record<keyof Position, unknown>>
  return typeof system === 'string' && Number.isSafeInteger(timeline) && Number.isSafeInteger(acceptedAt)
}

function readPositions(file: string | undefined): readonly Position[] {
  try {
    const stored: unknown = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(stored) ? stored.filter(isPosition) : []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(
      `${file} cannot be read (${(error as Error).message}). Make it readable, or remove it if it is damaged.`,
    )
  }
}

function storePositions(file: string, positions: readonly Position[], warn: FenceOptions['warn']): void {
  try {
    writePositions(file, positions)
  } catch (error) {
    warn?.(`The database’s timeline cannot be stored in ${file}: ${(error as Error).message}`)
  }
}

/** Replaces the whole file and flushes it to disk, so that a power cut cannot undo it. */
function writePositions(file: string, positions: readonly Position[]): void {
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  const handle = openSync(part, 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(positions)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(part, file)
}
