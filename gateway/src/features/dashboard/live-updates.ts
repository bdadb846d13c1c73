import type { ListName, LiveUpdateStream } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { needsSignOnOf, type SignedIn, selectActiveSessions } from '../../core/sessions/index.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import type { Log } from '../../platform/observability/log.ts'
import { type Reader, readList } from './lists.ts'

/** How often watched lists and tills are checked. A till is checked more often, because a customer waits there. */
const POLL_MILLISECONDS = { lists: 2_000, tills: 500 }
/** The most lists that are checked at the same time. */
const LISTS_AT_ONCE_MAX = 10
/** Streams per session: browsers allow few connections to one host, and requests need some of them. */
const STREAMS_PER_SESSION_MAX = 3
/** After this long a stream ends; the browser reconnects and its session is checked again. */
const STREAM_MILLISECONDS_MAX = 600_000

interface Watched {
  readonly merchant: Merchant
  /** Reads a text that changes whenever the list changes. */
  readonly read: () => Promise<string>
  readonly readers: Set<LiveReader>
  /** The text at the last check. */
  newest: string | undefined
}

/** A stream and the session it belongs to. */
interface LiveReader {
  readonly person: Pick<SignedIn, 'sessionId' | 'role'>
  readonly notify: () => void
  readonly end: () => void
}

export interface LiveUpdates {
  readonly of: (merchant: Merchant, person: SignedIn, list: ListName) => LiveUpdateStream
  /** The live updates of a till. `read` returns a text that changes with every payment. */
  readonly ofTill: (
    merchant: Merchant,
    person: SignedIn,
    tillId: bigint,
    read: () => Promise<string>,
  ) => LiveUpdateStream
}

/**
 * Notifies browsers that a list has changed. Changes are found by polling, only while someone watches, so recording a
 * payment costs nothing more.
 */
export function openLiveUpdates(core: Core, log: Log): LiveUpdates {
  const watchLists = openWatch(core, log, POLL_MILLISECONDS.lists)
  const watchTills = openWatch(core, log, POLL_MILLISECONDS.tills)
  const enter = limitStreams()
  const stream = (
    person: SignedIn,
    changed: ListName | 'till',
    watch: (reader: LiveReader) => Promise<() => void>,
  ): LiveUpdateStream => ({
    begin: async ({ send, end }) => {
      const unwatch = await watch({ person, notify: () => send({ changed }), end })
      const exit = enter(person.sessionId, () => {
        send({ ended: 'too many' })
        end()
      })
      const timer = setTimeout(end, STREAM_MILLISECONDS_MAX).unref()
      return () => {
        clearTimeout(timer)
        unwatch()
        exit()
      }
    },
  })
  return {
    of: (merchant, person, list) =>
      stream(person, list, (reader) =>
        watchLists(list, merchant, () => newestOf({ db: core.db, merchant, at: core.clock.now() }, list), reader),
      ),
    ofTill: (merchant, person, tillId, read) =>
      stream(person, 'till', (reader) => watchTills(String(tillId), merchant, read, reader)),
  }
}

/** Starts watching a list. Resolves once the list has been checked, so that no later change is missed. */
type Watch = (list: string, merchant: Merchant, read: Watched['read'], reader: LiveReader) => Promise<() => void>

function openWatch({ db, wall }: Core, log: Log, everyMilliseconds: number): Watch {
  const watched = new Map<string, Watched>()
  let isWaiting = false

  async function check(one: Watched): Promise<void> {
    const newest = await one.read()
    const hasChanged = one.newest !== undefined && one.newest !== newest
    one.newest = newest
    if (hasChanged) for (const { notify } of one.readers) notify()
  }

  /**
   * Ends the streams of sessions that have ended, have changed to another merchant or role, or lost access to the team.
   */
  async function endOutdated(): Promise<void> {
    const all = [...watched.values()].flatMap(({ merchant, readers }) =>
      [...readers].map((reader) => ({ merchant, reader })),
    )
    const sessions = await selectActiveSessions(
      db,
      all.map(({ reader }) => reader.person.sessionId),
      wall.now(),
    )
    const active = new Map(sessions.map((one) => [one.id, one]))
    for (const { merchant, reader } of all) {
      const { sessionId, role } = reader.person
      const session = active.get(sessionId)
      if (session?.merchantId !== merchant.id || session.role !== role || needsSignOnOf(session)) reader.end()
    }
  }

  async function checkAll(): Promise<void> {
    try {
      await endOutdated()
      for (const some of chunksOf([...watched.values()], LISTS_AT_ONCE_MAX)) await Promise.all(some.map(check))
    } catch (error) {
      log.warn({ error }, 'live update check failed; retrying')
    }
    isWaiting = false
    checkSoon()
  }

  function checkSoon(): void {
    if (watched.size === 0 || isWaiting) return
    isWaiting = true
    setTimeout(() => void checkAll(), everyMilliseconds).unref()
  }

  return async (list, merchant, read, reader) => {
    const key = `${merchant.id} ${list}`
    const one = watched.get(key) ?? { merchant, read, readers: new Set(), newest: undefined }
    watched.set(key, one)
    one.readers.add(reader)
    const unwatch = (): void => {
      one.readers.delete(reader)
      if (one.readers.size === 0 && watched.get(key) === one) watched.delete(key)
    }
    try {
      if (one.newest === undefined) await check(one)
    } catch (error) {
      unwatch()
      throw error
    }
    checkSoon()
    return unwatch
  }
}

/** Returns the ids of the newest row and the newest event, because every change of a row creates an event. */
async function newestOf(reader: Reader, list: ListName): Promise<string> {
  const pages = await Promise.all([list, 'events' as const].map((name) => readList(reader, name, {}, 1)))
  return pages.map(({ rows }) => rows[0]?.id ?? '').join(' ')
}

/** Limits the streams of a session: a new one closes the oldest by calling its `leave`. Returns a release function. */
function limitStreams(): (sessionId: bigint, leave: () => void) => () => void {
  const ofSession = new Map<bigint, Set<() => void>>()
  return (sessionId, leave) => {
    const places = ofSession.get(sessionId) ?? new Set()
    const [oldest] = places
    if (places.size >= STREAMS_PER_SESSION_MAX) oldest?.()
    ofSession.set(sessionId, places.add(leave))
    return () => {
      places.delete(leave)
      if (places.size === 0 && ofSession.get(sessionId) === places) ofSession.delete(sessionId)
    }
  }
}
