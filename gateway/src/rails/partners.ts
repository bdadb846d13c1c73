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
  /** Returns the partner's code in orders and ledger; undefined until the partner has reported it. */
  readonly code: () => string | undefined
  readonly rails: PartnerRails
  /** Returns rails that send an order's id and time with every request; absent if the partner does not need them. */
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
  /** Finds the partner with this code, if it is known without connecting. */
  readonly known: (code: string | null) => ConnectedPartner | undefined
  /** Finds the partner of an order, connecting if necessary; undefined if no connected partner has this code. */
  readonly of: (code: string | null) => Promise<ConnectedPartner | undefined>
  /**
   * Whether a partner may report about an account, order or payment of the partner `owner`. A single unnamed adapter
   * may report about everything. Data older than partner codes belongs to the first partner.
   */
  readonly isOf: (reporter: string, owner: string | null) => boolean
}

export function connectedPartners(
  all: readonly ConnectedPartner[],
  /** Simulated partners: they may report about any account, and any partner may report about theirs. */
  simulated: readonly string[] = [],
): Partners {
  const isOlderThanCodes = (owner: string | null): boolean => owner === null || owner === '' || owner === ADAPTER
  const known = (code: string | null): ConnectedPartner | undefined =>
    // This is data older than partner codes, when there was one partner. It is still the first.
    code === null || code === ADAPTER ? all[0] : all.find((partner) => partner.code() === code)
  return {
    all,
    known,
    isOf: (reporter, owner) =>
      reporter === owner ||
      reporter === ADAPTER ||
      simulated.includes(reporter) ||
      (owner !== null && simulated.includes(owner)) ||
      (isOlderThanCodes(owner) && all[0]?.code() === reporter),
    of: async (code) => {
      const found = known(code)
      if (found !== undefined) return found
      for (const partner of all) {
        if (partner.code() === undefined) await partner.connect()
        const reported = partner.code()
        // A partner that never reports a code is the only partner.
        if (reported === code || (reported === ADAPTER && all.length === 1)) return partner
      }
      return undefined
    },
  }
}

/** Creates the partners of a gateway with one partner, which can do everything that its rails offer. */
export const onePartner = (code: string, rails: PartnerRails): Partners =>
  connectedPartners([{ code: () => code, rails, can: () => true, connect: async () => {}, facts: () => ({}) }])

/** No partner is connected: nothing is sent, and the outcomes of earlier orders stay unknown. */
export const noPartners: Partners = connectedPartners([])
