import type { PartnerRails } from './not-sent.ts'
import type { Capability } from './protocol/index.ts'

/** What the one adapter without a name is called: in orders and credits from before it told one, and in the first version for ever. */
export const ADAPTER = 'adapter'

/** What is known of a partner. */
export interface PartnerFacts {
  /** Which version of the protocol it is spoken to in; undefined until that is known. */
  readonly protocol?: '1' | '2' | undefined
  readonly capabilities?: readonly string[] | undefined
  /** When it was last heard, by whatever it answered or told. */
  readonly lastHeardAt?: Date | undefined
}

/** What an order is known by beside its reference: its number, which no other has, and when it was placed. */
export interface Placed {
  readonly sequence: string
  readonly placedAt: Date
}

/** A partner that is connected. */
export interface ConnectedPartner {
  /** What it is called in orders and books; undefined until it has told. */
  readonly code: () => string | undefined
  readonly rails: PartnerRails
  /** The same for one order, which is told with all that is asked; left out where nobody asks for that. */
  readonly railsFor?: (placed: Placed) => PartnerRails
  /** Whether it can do something, as far as is known: while nothing is, it may. */
  readonly can: (capability: Capability) => boolean
  /** Finds out what it is called and can do. */
  readonly connect: () => Promise<unknown>
  readonly facts: () => PartnerFacts
}

/** All that are connected, in the order in which the operator names them. */
export interface Partners {
  readonly all: readonly ConnectedPartner[]
  /** The same, as far as is known at this moment. */
  readonly known: (code: string | null) => ConnectedPartner | undefined
  /** The one that an order went to, and nobody else; undefined where it is not connected, or has not told who it is. */
  readonly of: (code: string | null) => Promise<ConnectedPartner | undefined>
}

export function connectedPartners(all: readonly ConnectedPartner[]): Partners {
  const known = (code: string | null): ConnectedPartner | undefined =>
    // From before partners had names: then there was one, and it stays the first.
    code === null || code === ADAPTER ? all[0] : all.find((partner) => partner.code() === code)
  return {
    all,
    known,
    of: async (code) => {
      const present = known(code)
      if (present !== undefined) return present
      for (const partner of all) {
        if (partner.code() === undefined) await partner.connect()
        const told = partner.code()
        // Who never tells a name may be anyone, and is the only one.
        if (told === code || (told === ADAPTER && all.length === 1)) return partner
      }
      return undefined
    },
  }
}

/** One partner, always there, that can do all that its rails do. */
export const onePartner = (code: string, rails: PartnerRails): Partners =>
  connectedPartners([{ code: () => code, rails, can: () => true, connect: async () => {}, facts: () => ({}) }])

/** Nobody: what is sent is not sent, and what was sent before stays unknown. */
export const noPartners: Partners = connectedPartners([])
