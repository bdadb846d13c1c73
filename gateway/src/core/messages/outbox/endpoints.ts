import type { LeasedEvent } from './repository.ts'

/** Concurrent deliveries per merchant and kind of event. The limit keeps a dead endpoint from delaying others. */
export const SENT_AT_ONCE_MAX = 16
/** For a fast endpoint, up to this many events are leased ahead, so that one poll and one commit serve many events. */
const TAKEN_AHEAD_MAX = 256
/** More events are leased when only this many are left. */
const LEFT_FEW = TAKEN_AHEAD_MAX / 2
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
   * Resolves when it is the event's turn; returns false if the endpoint became slow or paused meanwhile, so that the
   * event is not sent. Every turn must be ended.
   */
  readonly turn: () => Promise<boolean>
  readonly endTurn: () => void
  /** Records a response. */
  readonly answered: (isDelivered: boolean, milliseconds: number) => void
  readonly room: () => number
  /** Releases a leased event. */
  readonly leave: () => void
}

/** The endpoints with leased events. */
export interface Endpoints {
  /** The endpoint of a newly leased event. */
  readonly enter: (event: Pick<LeasedEvent, 'merchantId' | 'kind'>) => Endpoint
  readonly rooms: () => readonly Room[]
}

export function openEndpoints(): Endpoints {
  const known = new Map<string, { readonly entered: () => void; readonly endpoint: Endpoint; readonly place: Place }>()
  return {
    enter: ({ merchantId, kind }) => {
      const key = `${merchantId}/${kind}`
      let one = known.get(key)
      if (one === undefined) {
        one = { ...openEndpoint(() => known.delete(key)), place: { merchantId, kind } }
        known.set(key, one)
      }
      one.entered()
      return one.endpoint
    },
    rooms: () => [...known.values()].map(({ place, endpoint }) => ({ ...place, room: endpoint.room() })),
  }
}

type Place = Pick<Room, 'merchantId' | 'kind'>

function openEndpoint(onEmpty: () => void): { readonly entered: () => void; readonly endpoint: Endpoint } {
  const waiting: (() => void)[] = []
  let taken = 0
  let sending = 0
  let isQuick = false
  return {
    entered: () => {
      taken++
    },
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
        if (isQuick) return taken <= LEFT_FEW ? TAKEN_AHEAD_MAX - taken : 0
        return Math.max(0, SENT_AT_ONCE_MAX - taken)
      },
      leave: () => {
        if (--taken === 0) onEmpty()
      },
    },
  }
}
