import type { PartnerRails } from './not-sent.ts'
import type { Capability } from './protocol/index.ts'

/** The name of a single unnamed adapter: in orders and credits from before it reported one, and always in version 1. */
export const ADAPTER = 'adapter'

/** The known facts about a partner. */
export interface PartnerFacts {
  /** The protocol version in use; undefined until known. */
  readonly protocol?: '1' | '2' | undefined
  readonly capabilities?: readonly string[] | undefined
  /** When it last responded or notified us. */
  readonly lastHeardAt?: Date | undefined
  /** Whether it did not respond to the last request for its manifest; undefined if it has none. */
  readonly isAway?: boolean | undefined
}

/** An order's id and time, in addition to its reference. */
export interface Placed {
  readonly sequence: string
  readonly placedAt: Date
}

/** A connected partner. */
export interface ConnectedPartner {
  /** Its code in orders and ledger; undefined until reported. */
  readonly code: () => string | undefined
  readonly rails: PartnerRails
  /** The rails for one order, whose id and time go with every request; absent if not needed. */
  readonly railsFor?: (placed: Placed) => PartnerRails
  /** Whether it has a capability; assumed until known. */
  readonly can: (capability: Capability) => boolean
  /** Fetches its code and capabilities. */
  readonly connect: () => Promise<unknown>
  readonly facts: () => PartnerFacts
}

/** The connected partners, in the operator's order. */
export interface Partners {
  readonly all: readonly ConnectedPartner[]
  /** The same, as known at this moment. */
  readonly known: (code: string | null) => ConnectedPartner | undefined
  /** The partner of an order; undefined if it is not connected or has not identified itself. */
  readonly of: (code: string | null) => Promise<ConnectedPartner | undefined>
  /**
   * Whether an account, order or payment of an owner belongs to a reporting partner. A single unnamed adapter has
   * everything; what is from before partners had names belongs to the first.
   */
  readonly isOf: (reporter: string, owner: string | null) => boolean
}

export function connectedPartners(
  all: readonly ConnectedPartner[],
  /** Simulated partners: they may report on any account, and any partner may report on theirs. */
  played: readonly string[] = [],
): Partners {
  const isFirst = (owner: string | null): boolean => owner === null || owner === '' || owner === ADAPTER
  const known = (code: string | null): ConnectedPartner | undefined =>
    // From before partners had names: there was one, which is still the first.
    code === null || code === ADAPTER ? all[0] : all.find((partner) => partner.code() === code)
  return {
    all,
    known,
    isOf: (reporter, owner) =>
      reporter === owner ||
      reporter === ADAPTER ||
      played.includes(reporter) ||
      (owner !== null && played.includes(owner)) ||
      (isFirst(owner) && all[0]?.code() === reporter),
    of: async (code) => {
      const present = known(code)
      if (present !== undefined) return present
      for (const partner of all) {
        if (partner.code() === undefined) await partner.connect()
        const named = partner.code()
        // A partner that never reports a name is the only one.
        if (named === code || (named === ADAPTER && all.length === 1)) return partner
      }
      return undefined
    },
  }
}

/** A single partner that can do everything its rails do. */
export const onePartner = (code: string, rails: PartnerRails): Partners =>
  connectedPartners([{ code: () => code, rails, can: () => true, connect: async () => {}, facts: () => ({}) }])

/** No partner: nothing is sent, and earlier sends stay unknown. */
export const noPartners: Partners = connectedPartners([])
