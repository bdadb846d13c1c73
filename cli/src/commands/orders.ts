import { parseArgs } from 'node:util'
import { askAgain, type OrderRow, selectUnresolved } from '@kobo/gateway/core/orders/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const ordersList: Command = {
  usage: '',
  summary: 'Lists the orders for which a person is called: nobody could say for days what became of them',
  details: `
Prints JSON, oldest first. Find out at the partner what became of an order, by its reference. Its money stays where it is
until then. When the partner can answer again: kobo orders ask REFERENCE.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, (await selectUnresolved(core.db)).map(show))
      return 0
    })
  },
}

export const ordersAsk: Command = {
  usage: 'REFERENCE',
  summary: 'Has the partner asked again about an order for which a person was called',
  details: '\nThe gateway asks at once, and then by its schedule, as if the order had just been sent.\n',
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const [reference] = positionals
    if (reference === undefined || positionals.length > 1) throw new UsageError('Name one order by its reference.')
    return withCore(around, async ({ core }) => {
      const order = await unitOfWork(core, async (unit) => {
        const asked = await askAgain(unit.tx, reference, unit.at)
        if (asked !== undefined)
          audit(unit, { merchantId: asked.merchantId, act: 'order.ask', actor: 'command line', reference })
        return asked
      })
      if (order === undefined) throw new UsageError(`No person is called for an order ${reference}.`)
      print(around, show(order))
      return 0
    })
  },
}

const show = (order: OrderRow) => ({
  reference: order.reference,
  purpose: order.purpose,
  merchantId: order.merchantId,
  partner: order.partner,
  slot: order.slot,
  amount: toNaira(order.amount),
  tries: order.tries,
  unknownAnswers: order.unknownAnswers,
  createdAt: order.createdAt,
  state: order.state,
})
