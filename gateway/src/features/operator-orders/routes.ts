import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { askAbout, decideAbout, listUnresolved, type OperatorOrderDeps, showOrder } from './service.ts'

export function operatorOrderRoutes(serve: Serve, deps: OperatorOrderDeps): void {
  serve(contract.listUnresolvedOrders, (_, { person }) => listUnresolved(deps, person))
  serve(contract.getOperatorOrder, ({ params }, { person }) => showOrder(deps, person, params.reference))
  serve(contract.askAboutOrder, async ({ params: { reference } }, { person, by }) => {
    await askAbout(deps, reference, by)
    return showOrder(deps, person, reference)
  })
  serve(contract.decideOrder, async ({ params: { reference }, body }, { person, by }) => {
    const told = Object.fromEntries((body.told ?? []).map(({ name, value }) => [name, value.trim()]))
    await decideAbout(
      deps,
      reference,
      { verdict: body.verdict, because: body.because.trim(), told, by: person.email },
      by,
    )
    return showOrder(deps, person, reference)
  })
}
