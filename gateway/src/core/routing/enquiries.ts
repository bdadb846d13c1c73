import type { BillerRail } from '../../rails/biller.ts'
import type { IdentityRail } from '../../rails/identity.ts'
import type { ConnectedPartner } from '../../rails/partners.ts'
import type { TransferRail } from '../../rails/transfer.ts'
import { inRailSpan } from './rail-span.ts'
import type { Router, RoutingFacts } from './router.ts'

/**
 * Queries to partners that change nothing. A healthy partner is queried first; if it does not respond, another one is.
 */
export interface Enquiries {
  readonly transfer: Pick<TransferRail, 'nameEnquiry'>
  readonly biller: Pick<BillerRail, 'catalogue' | 'validateCustomer'>
  readonly identity: IdentityRail
}

/** A caller waits for the result, so at most this many partners are queried. */
const PARTNERS_QUERIED_MAX = 2

type Response = { readonly kind: string }
const UNAVAILABLE = { kind: 'unavailable' } as const

export function openEnquiries({ partners, health, candidates }: Router): Enquiries {
  async function enquire<A extends Response>(
    operation: string,
    call: (partner: ConnectedPartner) => Promise<A>,
    facts: Partial<RoutingFacts> = {},
    queriedMax = PARTNERS_QUERIED_MAX,
  ): Promise<A | typeof UNAVAILABLE> {
    const query = { destinationBank: null, amount: null, merchantId: null, reference: '', ...facts, operation }
    const able = candidates(query).partners
    // A single partner is queried even if it is unhealthy.
    const healthy = able.length === 1 ? able : able.filter((code) => health.isHealthy(code, operation, query.reference))
    let response: A | typeof UNAVAILABLE = UNAVAILABLE
    for (const code of (healthy.length === 0 ? able : healthy).slice(0, queriedMax)) {
      const partner = await partners.of(code)
      if (partner === undefined) continue
      response = await inRailSpan(
        () => operation,
        () => call(partner),
        ({ kind }) => ({ partner: code, outcome: kind }),
      )
      health.note(code, operation, response.kind)
      if (response.kind !== UNAVAILABLE.kind) return response
    }
    return response
  }
  const queryBiller = <A extends Response>(call: (partner: ConnectedPartner) => Promise<A>) =>
    enquire('biller/vend', call, {}, 1)
  return {
    transfer: {
      nameEnquiry: (account) =>
        enquire('transfer/name-enquiry', ({ rails }) => rails.transfer.nameEnquiry(account), {
          destinationBank: account.bankCode,
          reference: `${account.bankCode}/${account.accountNumber}`,
        }),
    },
    biller: {
      catalogue: () => queryBiller(({ rails }) => rails.biller.catalogue()),
      validateCustomer: (request) => queryBiller(({ rails }) => rails.biller.validateCustomer(request)),
    },
    identity: {
      findBvn: (bvn) => enquire('identity/find-bvn', ({ rails }) => rails.identity.findBvn(bvn)),
      findNin: (nin) => enquire('identity/find-nin', ({ rails }) => rails.identity.findNin(nin)),
      findAccount: (account) => enquire('identity/find-account', ({ rails }) => rails.identity.findAccount(account)),
    },
  }
}
