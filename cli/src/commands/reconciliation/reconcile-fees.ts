import { parseArgs } from 'node:util'
import { marginOf, wrongFees } from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { BYTE_ORDER_MARK, line as csvLine } from '@kobo/gateway/platform/formats/csv.ts'
import { type Command, required, UsageError, withCore } from '../../command.ts'
import { dayIn, partnerIn } from './statement.ts'

export const reconcileMargin: Command = {
  usage: '[PARTNER] --from DAY --to DAY',
  summary: 'Exports income, actual cost and expected cost per partner and method as CSV',
  details: `
Covers reconciled days. income is what merchants paid us, cost is what the partner kept (notified or decided in reconciliation),
expected follows from its prices, and margin is income minus cost.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { from: text, to: text } })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    const from = dayIn(required(values.from, '--from'), '--from')
    const to = dayIn(required(values.to, '--to'), '--to')
    return withCore(context, async ({ core: { db } }) => {
      const rows = (await marginOf(db, partner, from, to)).map((one) =>
        csvLine([
          one.partner,
          one.method,
          one.payments,
          toNairaText(one.volume),
          toNairaText(one.income),
          toNairaText(one.cost),
          one.expected === null ? '' : toNairaText(one.expected),
          toNairaText(kobo(one.income - one.cost)),
        ]),
      )
      const header = csvLine(['partner', 'method', 'payments', 'volume', 'income', 'cost', 'expected', 'margin'])
      context.out(`${BYTE_ORDER_MARK}${header}${rows.join('')}`)
      return 0
    })
  },
}

const DAYS_MAX = 400

export const reconcileFees: Command = {
  usage: 'PARTNER --from DAY --to DAY',
  summary: 'Exports payments whose partner fee differs from its prices as CSV',
  details: `
Covers reconciled days, at most ${DAYS_MAX}, and only payments with a notified fee; for partners that charge fees in one sum see
"./kobo reconcile margin". Use it to claim overcharged fees.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { from: text, to: text } })
    const partner = partnerIn(positionals)
    const from = dayIn(required(values.from, '--from'), '--from')
    const to = dayIn(required(values.to, '--to'), '--to')
    if (to - from >= DAYS_MAX) throw new UsageError(`The period must be at most ${DAYS_MAX} days.`)
    return withCore(context, async ({ core: { db } }) => {
      context.out(
        BYTE_ORDER_MARK + csvLine(['day', 'method', 'journal', 'amount', 'charged', 'expected', 'overcharged']),
      )
      for await (const fees of wrongFees(db, partner, from, to))
        context.out(
          fees
            .map(({ day, method, key, amount, charged, expected }) =>
              csvLine([
                dayText(day),
                method,
                key,
                toNairaText(amount),
                toNairaText(charged),
                toNairaText(expected),
                toNairaText(kobo(charged - expected)),
              ]),
            )
            .join(''),
        )
      return 0
    })
  },
}
