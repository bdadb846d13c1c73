import type { HintStream, ListName } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import type { Log } from '../../platform/log.ts'
import { setsOf } from '../../platform/sets.ts'
import { type Reader, readList } from './lists.ts'

/** So often it is looked whether there is something new, once for all who hear of the same list. */
const LOOK_MILLISECONDS = 2_000
/** So many lists are looked at together. */
const TOGETHER_MAX = 10
/** So many a session hears at once: browsers have few connections to one host, and calls need some of them. */
const OF_SESSION_MAX = 3
/** After so long a stream ends, and whoever opens it again shows a session that is still good. */
const STREAM_MILLISECONDS_MAX = 600_000

interface Watched {
  readonly merchant: Merchant
  readonly list: ListName
  readonly tell: Set<() => void>
  /** What was newest when it was last looked. */
  newest: string | undefined
}

export interface Hints {
  readonly of: (merchant: Merchant, person: SignedIn, list: ListName) => HintStream
}

/**
 * Tells readers that something of a list has changed. It is found by looking, and only while somebody hears: no payment
 * writes or says a word for it, on whichever node it is made.
 */
export function openHints(core: Core, log: Log): Hints {
  const watch = openWatch(core, log)
  const enter = openPlaces()
  return {
    of: (merchant, { sessionId }, list) => ({
      begin: async ({ send, end }) => {
        const unwatch = await watch(merchant, list, () => send({ changed: list }))
        const exit = enter(sessionId, () => {
          send({ ended: 'too many' })
          end()
        })
        const over = setTimeout(end, STREAM_MILLISECONDS_MAX).unref()
        return () => {
          clearTimeout(over)
          unwatch()
          exit()
        }
      },
    }),
  }
}

/** Watches a list from now on: it has been looked at when this is over, so that nothing that comes later is missed. */
type Watch = (merchant: Merchant, list: ListName, tell: () => void) => Promise<() => void>

function openWatch({ db, clock }: Core, log: Log): Watch {
  const watched = new Map<string, Watched>()
  let isWaiting = false

  async function look(one: Watched): Promise<void> {
    const newest = await newestOf({ db, merchant: one.merchant, at: clock.now() }, one.list)
    const isOther = one.newest !== undefined && one.newest !== newest
    one.newest = newest
    if (isOther) for (const tell of one.tell) tell()
  }

  async function lookAtAll(): Promise<void> {
    try {
      for (const set of setsOf([...watched.values()], TOGETHER_MAX)) await Promise.all(set.map(look))
    } catch (error) {
      log.warn({ error }, 'what has changed could not be looked up for the dashboard; trying again')
    }
    isWaiting = false
    lookSoon()
  }

  function lookSoon(): void {
    if (watched.size === 0 || isWaiting) return
    isWaiting = true
    setTimeout(() => void lookAtAll(), LOOK_MILLISECONDS).unref()
  }

  return async (merchant, list, tell) => {
    const key = `${merchant.id} ${list}`
    const one = watched.get(key) ?? { merchant, list, tell: new Set(), newest: undefined }
    watched.set(key, one)
    one.tell.add(tell)
    const unwatch = (): void => {
      one.tell.delete(tell)
      if (one.tell.size === 0 && watched.get(key) === one) watched.delete(key)
    }
    try {
      if (one.newest === undefined) await look(one)
    } catch (error) {
      unwatch()
      throw error
    }
    lookSoon()
    return unwatch
  }
}

/** The newest of the list and the newest event: what changes about a row is told as an event. */
async function newestOf(reader: Reader, list: ListName): Promise<string> {
  const pages = await Promise.all([list, 'events' as const].map((name) => readList(reader, name, {}, 1)))
  return pages.map(({ rows }) => rows[0]?.id ?? '').join(' ')
}

/** Gives places to sessions: `leave` is called where it is needed for a newer one. Answers how to give it back. */
function openPlaces(): (sessionId: bigint, leave: () => void) => () => void {
  const ofSession = new Map<bigint, Set<() => void>>()
  return (sessionId, leave) => {
    const places = ofSession.get(sessionId) ?? new Set()
    const [oldest] = places
    if (places.size >= OF_SESSION_MAX) oldest?.()
    ofSession.set(sessionId, places.add(leave))
    return () => {
      places.delete(leave)
      if (places.size === 0 && ofSession.get(sessionId) === places) ofSession.delete(sessionId)
    }
  }
}
