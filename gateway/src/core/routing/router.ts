import type { Clock } from '../../kernel/clock.ts'
import type { Kobo } from '../../kernel/money.ts'
import { ADAPTER, type Partners } from '../../rails/partners.ts'
import type { CurrentTable } from './current-table.ts'
import { type Health, openHealth } from './health.ts'
import { capabilityOf, partnersFor, type RoutingResult } from './rules.ts'

export interface RoutingFacts {
  readonly operation: string
  readonly destinationBank: string | null
  readonly amount: Kobo | null
  readonly merchantId: bigint | null
  readonly reference: string
}

/** The candidate partners in order, and the version of the table that chose them. */
export interface Candidates {
  readonly partners: readonly string[]
  readonly version: number | null
}

/** Chooses among connected partners, without a query. */
export interface Router {
  readonly partners: Partners
  readonly health: Health
  /** Whether there is more than one partner. */
  readonly hasSeveral: boolean
  readonly candidates: (what: RoutingFacts) => Candidates
}

interface Deps {
  readonly partners: Partners
  readonly wall: Clock
  /** The routing table in effect; without one, partners are in their configured order. */
  readonly table?: () => CurrentTable | undefined
}

export function openRouter({ partners, wall, table = () => undefined }: Deps): Router {
  const hasSeveral = partners.all.length > 1
  const codes = (): string[] => partners.all.map(({ code }) => code() ?? ADAPTER)

  /** Returns the connected partners that can do an operation: those that the table names, or else all. */
  function able(operation: string, named: readonly string[] | undefined): readonly string[] {
    const capability = capabilityOf(operation)
    const connected = partners.all.filter(({ can }) => capability === undefined || can(capability))
    const present = connected.map(({ code }) => code() ?? ADAPTER)
    return named === undefined ? present : named.filter((code) => present.includes(code))
  }

  return {
    partners,
    health: openHealth(wall),
    hasSeveral,
    candidates: (what) => {
      if (!hasSeveral) return { partners: codes(), version: null }
      const present = table()
      if (present === undefined) return { partners: able(what.operation, undefined), version: null }
      const routed: RoutingResult | undefined = partnersFor(present.routes, {
        ...what,
        merchant: what.merchantId === null ? null : (present.merchants.get(what.merchantId) ?? null),
      })
      return { partners: able(what.operation, routed?.use), version: routed === undefined ? null : present.version }
    },
  }
}
