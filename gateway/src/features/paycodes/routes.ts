import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { fromDateTime, fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ifKnown, invariant } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { findRequest, openSecondPerson } from '../approvals/index.ts'
import { masked } from './code.ts'
import { type PaycodeRow, selectPaycodes } from './repository.ts'
import * as paycodes from './service.ts'
import { showPaycode } from './show.ts'

export function paycodeRoutes(serve: Serve, { core, vault }: paycodes.Deps): void {
  const inClear = (paycode: PaycodeRow) => showPaycode(paycode, vault.open(paycode))
  const hidden = (paycode: PaycodeRow) => showPaycode(paycode, masked(vault.open(paycode)))

  serve(
    contract.createPaycode,
    async ({ body }, { merchant, person }) => {
      const expiresAt = fromDateTime(body.expiryDate)
      invariant(expiresAt !== undefined, 'a validated date is valid')
      const requested = { ...body, amount: naira(body.amount), expiresAt }
      return inClear(await paycodes.createPaycode({ core, vault }, merchant, requested, person))
    },
    async ({ body }, { merchant }, since) => {
      const paycode = await ifKnown(paycodes.getPaycode(core.db, merchant.id, body.paycodeReference))
      const isRecovered = paycode && paycode.createdAt >= since && paycode.amount === naira(body.amount)
      return isRecovered ? inClear(paycode) : undefined
    },
  )

  serve(contract.listPaycodes, async ({ query }, { merchant }) => {
    const { from, to, page, size, ...exact } = query
    const filter = {
      ...exact,
      from: from === undefined ? undefined : fromMoment(from),
      to: to === undefined ? undefined : throughMoment(to),
    }
    const found = await selectPaycodes(core.db, merchant.id, filter, { page, size })
    return showPage(found, hidden)
  })

  serve(contract.getPaycode, async ({ params }, { merchant }) =>
    hidden(await paycodes.getPaycode(core.db, merchant.id, params.paycodeReference)),
  )

  serve(contract.revealPaycode, async ({ params }, { merchant, person, by }) => {
    const paycode = await paycodes.getPaycode(core.db, merchant.id, params.paycodeReference)
    // A user who created a paycode may see it once it is approved: two people have already agreed on it.
    if (person !== undefined && (await findRequest(core.db, merchant.id, paycode.id))?.madeBy !== person.personId) {
      const { revealPaycode: route } = contract
      await openSecondPerson(core)(merchant, person, { route, twoPeople: route.twoPeople, input: { params } }, by)
    }
    return inClear(paycode)
  })

  serve(contract.cancelPaycode, async ({ params }, { merchant }) =>
    hidden(await paycodes.cancelPaycode(core, merchant, params.paycodeReference)),
  )

  serve(contract.redeemPaycode, async ({ params }, { merchant }) =>
    hidden(await paycodes.redeemPaycode(core, merchant.id, params.paycodeReference)),
  )
}
