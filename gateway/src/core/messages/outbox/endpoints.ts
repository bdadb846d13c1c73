import type { LeasedEvent } from '../../event-sender.ts'

/** Concurrent deliveries per merchant and kind of event. The limit keeps a dead endpoint from delaying others. */
export const SENT_AT_ONCE_MAX = 16
/** For a fast endpoint, up to this many events are leased ahead, so that one poll and one commit serve many events. */
const TAKEN_AHEAD_MAX = 256
/** More events are leased when only this many are left. */
const REFILL_AT = TAKEN_AHEAD_MAX / 2
const QUICK_MILLISECONDS_MAX = 250
/** An endpoint stays fast until a response takes longer than this or is not 200. */
const STILL_QUICK_MILLISECONDS_MAX = 1_000

/** How many more events may be leased for a merchant and kind. */
export interface Room {
  readonly merchantId: bigint
  readonly kind: LeasedEvent['kind']
  readonly room: number
}

/** A merchant's endpoint for a kind of event, as this process sees it. */
export interface Endpoint {
  /**
   * Resolves when it is the event's turn; returns false if the endpoint failed or became slow meanwhile: then the
   * event must not be sent. Every turn must be ended.
   */
  readonly turn: () => Promise<boolean>
  readonly endTurn: () => void
  /** Records a response. */
  readonly answered: (isDelivered: boolean, milliseconds: number) => void
  readonly room: () => number
  /** Whether events that are due may wait in the table. */
  readonly hasBacklog: () => boolean
  /** Releases a leased event. */
  readonly leave: () => void
}

/** The endpoints with leased events. */
export interface Endpoints {
  readonly enter: (event: Addressed) => Endpoint
  readonly rooms: () => readonly Room[]
  /** Returns for each new event whether it can be sent directly. None can while older events wait in the table. */
  readonly choose: (events: readonly Addressed[]) => readonly boolean[]
  /** Records which events were leased. If an endpoint still has room, no other event of it waits in the table. */
  readonly leased: (rooms: readonly Room[], events: readonly Addressed[]) => void
}

type Addressed = Pick<LeasedEvent, 'merchantId' | 'kind'>

export function openEndpoints(): Endpoints {
  const known = new Map<string, Known & { readonly place: Addressed }>()
  return {
    enter: ({ merchantId, kind }) => {
      const key = keyOf({ merchantId, kind })
      let one = known.get(key)
      if (one === undefined) {
        one = { ...openEndpoint(() => known.delete(key)), place: { merchantId, kind } }
        known.set(key, one)
      }
      one.entered()
      return one.endpoint
    },
    rooms: () => [...known.values()].map(({ place, endpoint }) => ({ ...place, room: endpoint.room() })),
    choose: (events) => {
      const rooms = new Map<string, number>()
      return events.map((event) => {
        const key = keyOf(event)
        const one = known.get(key)
        const room = rooms.get(key) ?? one?.roomForNew() ?? SENT_AT_ONCE_MAX
        rooms.set(key, room - 1)
        if (room <= 0) one?.setBacklog(true)
        return room > 0
      })
    },
    leased: (rooms, events) => {
      const counts = new Map<string, number>()
      for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
      for (const place of rooms) {
        const key = keyOf(place)
        if (place.room > 0) known.get(key)?.setBacklog((counts.get(key) ?? 0) >= place.room)
        counts.delete(key)
      }
      for (const [key, count] of counts) if (count >= SENT_AT_ONCE_MAX) known.get(key)?.setBacklog(true)
    },
  }
}

const keyOf = ({ merchantId, kind }: Addressed): string => `${merchantId}/${kind}`

interface Known {
  readonly entered: () => void
  readonly setBacklog: (has: boolean) => void
  /** How many new events may be sent directly, without being read from the table. */
  readonly roomForNew: () => number
  readonly endpoint: Endpoint
}

function openEndpoint(onEmpty: () => void): Known {
  const waiting: (() => void)[] = []
  let taken = 0
  let sending = 0
  let isQuick = false
  let hasBacklog = false
  return {
    entered: () => {
      taken++
    },
    setBacklog: (has) => {
      hasBacklog = has
    },
    roomForNew: () => (hasBacklog ? 0 : (isQuick ? TAKEN_AHEAD_MAX : SENT_AT_ONCE_MAX) - taken),
    endpoint: {
      turn: async () => {
        if (sending < SENT_AT_ONCE_MAX) {
          sending++
          return true
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
        return isQuick
      },
      endTurn: () => {
        const next = waiting.shift()
        if (next === undefined) sending--
        else next()
      },
      answered: (isDelivered, milliseconds) => {
        isQuick = isDelivered && milliseconds <= (isQuick ? STILL_QUICK_MILLISECONDS_MAX : QUICK_MILLISECONDS_MAX)
      },
      room: () => {
        if (isQuick) return taken <= REFILL_AT ? TAKEN_AHEAD_MAX - taken : 0
        return Math.max(0, SENT_AT_ONCE_MAX - taken)
      },
      hasBacklog: () => hasBacklog,
      leave: () => {
        if (--taken === 0) onEmpty()
      },
    },
  }
}
