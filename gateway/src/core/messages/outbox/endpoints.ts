import type { LeasedEvent } from './repository.ts'

/** So many events of a merchant's kind are sent at once: a dead receiver keeps nobody else waiting. */
export const SENT_AT_ONCE_MAX = 16
/** Of a receiver that answers quickly more are taken ahead, so that a look, a lease and a commit serve many of them. */
const TAKEN_AHEAD_MAX = 256
/** Further ones are taken once so few are left: by helpings, not one for each that went out. */
const LEFT_FEW = TAKEN_AHEAD_MAX / 2
const QUICK_MILLISECONDS_MAX = 250
/** One that was quick is so until an answer takes longer, or is another than 200. */
const STILL_QUICK_MILLISECONDS_MAX = 1_000

/** How many events more may be taken of a merchant's kind. */
export interface Room {
  readonly merchantId: bigint
  readonly kind: LeasedEvent['kind']
  readonly room: number
}

/** Where a merchant's events of a kind go, as this process sees it. */
export interface Endpoint {
  /**
   * Resolves when it is an event's turn, and tells whether it may be sent: one that had to wait is not where its receiver has
   * meanwhile become slow, or wants none. Whoever was given a turn ends it.
   */
  readonly turn: () => Promise<boolean>
  readonly endTurn: () => void
  /** Learns how the receiver answered. */
  readonly answered: (isDelivered: boolean, milliseconds: number) => void
  readonly room: () => number
  /** An event is no longer this process's. */
  readonly leave: () => void
}

/** The endpoints for which this process has taken events. */
export interface Endpoints {
  /** The endpoint of an event that was taken just now. */
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
