import type { PartnerRails } from './not-sent.ts'
import type { Capability } from './protocol/index.ts'

/**
 * The code of a single adapter that has reported no code, as in protocol version 1. Older orders and credits may have
 * it.
 */
export const ADAPTER = 'adapter'

/** The known facts about a partner. */
export interface PartnerFacts {
  /** The protocol version in use; undefined until known. */
  readonly protocol?: '1' | '2' | undefined
  readonly capabilities?: readonly string[] | undefined
  /** When the partner last responded or notified us. */
  readonly lastHeardAt?: Date | undefined
  /** Whether the partner did not respond to the last request for its manifest; undefined if it has no manifest. */
  readonly isAway?: boolean | undefined
}

/** An order's id and time, which are sent in addition to its reference. */
export interface Placed {
  readonly sequence: string
  readonly placedAt: Date
}

export interface ConnectedPartner {
  /** The partner's code in orders and ledger; undefined until the partner has reported it. */
  readonly code: () => string | undefined
  readonly rails: PartnerRails
  /** The rails for one order, which send its id and time with every request; absent if not needed. */
  readonly railsFor?: (placed: Placed) => PartnerRails
  /** Whether the partner has a capability; assumed to be true until its manifest is known. */
  readonly can: (capability: Capability) => boolean
  /** Fetches the partner's code and capabilities. */
  readonly connect: () => Promise<unknown>
  readonly facts: () => PartnerFacts
}

/** The connected partners, in the operator's order. */
export interface Partners {
  readonly all: readonly ConnectedPartner[]
  /** The partner with this code, as far as known now, without connecting. */
  readonly known: (code: string | null) => ConnectedPartner | undefined
  /** The partner of an order; undefined if it is not connected or has not identified itself. */
  readonly of: (code: string | null) => Promise<ConnectedPartner | undefined>
  /**
   * Whether a partner may report about an account, order or payment of the partner `owner`. A single unnamed adapter
   * may report about everything. Data from before partners had codes belongs to the first partner.
   */
  readonly isOf: (reporter: string, owner: string | null) => boolean
}

export function connectedPartners(
  all: readonly ConnectedPartner[],
  /** Simulated partners: they may report about any account, and any partner may report about theirs. */
  played: readonly string[] = [],
): Partners {
  const isFirst = (owner: string | null): boolean => owner === null || owner === '' || owner === ADAPTER
  const known = (code: string | null): ConnectedPartner | undefined =>
    // Data from before partners had codes: there was one partner, which is still the first.
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
        // A partner that never reports a code is the only partner.
        if (named === code || (named === ADAPTER && all.length === 1)) return partner
      }
      return undefined
    },
  }
}

/** A single partner that can do everything that its rails offer. */
export const onePartner = (code: string, rails: PartnerRails): Partners =>
  connectedPartners([{ code: () => code, rails, can: () => true, connect: async () => {}, facts: () => ({}) }])

/** No partner is connected: nothing is sent, and the outcomes of earlier orders stay unknown. */
export const noPartners: Partners = connectedPartners([])
