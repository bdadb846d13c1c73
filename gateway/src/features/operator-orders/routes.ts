import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { decideOrder, getOrder, listUnresolved, type OperatorOrderDeps, queryPartner } from './service.ts'

export function operatorOrderRoutes(serve: Serve, deps: OperatorOrderDeps): void {
  serve(contract.listUnresolvedOrders, (_, { person }) => listUnresolved(deps, person))
  serve(contract.getOperatorOrder, ({ params }, { person }) => getOrder(deps, person, params.reference))
  serve(contract.queryOrder, async ({ params: { reference } }, { person, by }) => {
    await queryPartner(deps, reference, by)
    return getOrder(deps, person, reference)
  })
  serve(contract.decideOrder, async ({ params: { reference }, body }, { person, by }) => {
    const details = Object.fromEntries((body.told ?? []).map(({ name, value }) => [name, value.trim()]))
    await decideOrder(
      deps,
      reference,
      { verdict: body.verdict, because: body.because.trim(), told: details, by: person.email },
      by,
    )
    return getOrder(deps, person, reference)
  })
}
