import { parseArgs } from 'node:util'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  METHODS,
  marginOf,
  type PartnerPrice,
  putPartnerPrice,
  selectPrices,
  wrongFees,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { kobo, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { BYTE_ORDER_MARK, line as csvLine } from '@kobo/gateway/platform/csv.ts'
import { type Command, print, required, UsageError, withCore } from '../command.ts'
import { readMoment, readPercent, readSteps, showStep } from './price.ts'
import { dayIn, partnerIn, told } from './statement.ts'

const AT_THE_MACHINE = { actor: 'command line' } as const

export const partnerPriceList: Command = {
  usage: '[PARTNER]',
  summary: 'Lists what partners charge us, the newest price first',
  details: '\nPrints JSON; amounts are naira. For each method the first price that is in effect counts.\n',
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    return withCore(around, async ({ core: { db } }) => {
      print(around, (await selectPrices(db, partner)).map(show))
      return 0
    })
  },
}

export const partnerPriceSet: Command = {
  usage: 'PARTNER METHOD (--percent P --flat NAIRA --cap NAIRA | --step FIELDS …) [--vat P] [--from WHEN]',
  summary: 'Writes down what a partner charges us for a method, from now or another time on',
  details: `
Methods: ${METHODS.join(', ')}. A price is as in kobo price set; --vat is the tax on it, in percent.

  kobo reconcile price set wema bank-transfer --percent 0.5 --cap 250 --vat 7.5
  kobo reconcile price set easypay transfers --step up-to=5000,flat=10 --step up-to=50000,flat=25 --step flat=50 --vat 7.5
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        percent: text,
        flat: text,
        cap: text,
        step: { type: 'string', multiple: true },
        vat: text,
        from: text,
      },
    })
    const [code = '', method = '', ...more] = positionals
    const partner = partnerIn([code])
    if (!METHODS.includes(method) || more.length > 0)
      throw new UsageError(`METHOD must be one of ${METHODS.join(', ')}.`)
    const steps = readSteps(values) ?? []
    const wanted = {
      partner,
      method,
      steps,
      vatBasisPoints: readPercent(values.vat, '--vat'),
      validFrom: readMoment(values.from),
    }
    return told(() =>
      withCore(around, async ({ core }) => {
        print(around, show(await unitOfWork(core, async (unit) => putPartnerPrice(unit, wanted, AT_THE_MACHINE))))
        return 0
      }),
    )
  },
}

const show = ({ partner, method, steps, vatBasisPoints, validFrom, madeBy }: PartnerPrice) => ({
  partner,
  method,
  steps: steps.map(showStep),
  vatPercent: vatBasisPoints / 100,
  validFrom,
  madeBy,
})

export const reconcileMargin: Command = {
  usage: '[PARTNER] --from DAY --to DAY',
  summary: 'Prints as CSV what each method at each partner brought and cost, and what it should have cost',
  details: `
Of days that were held against the books: income is what merchants paid us, cost what the partner kept (as it told, and as was
decided by its statements), expected what its prices say, and margin income less cost.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { from: text, to: text } })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    const from = dayIn(required(values.from, '--from'), '--from')
    const to = dayIn(required(values.to, '--to'), '--to')
    return withCore(around, async ({ core: { db } }) => {
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
      around.out(`${BYTE_ORDER_MARK}${header}${rows.join('')}`)
      return 0
    })
  },
}

const DAYS_MAX = 400

export const reconcileFees: Command = {
  usage: 'PARTNER --from DAY --to DAY',
  summary: 'Prints as CSV each payment for which a partner took another fee than its prices say, with both',
  details: `
Of days that were held against the books, at most ${DAYS_MAX}. Only payments for which the partner told a fee: one that takes its
fees as a sum is seen in kobo reconcile margin. What it took too much can be claimed back.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { from: text, to: text } })
    const partner = partnerIn(positionals)
    const from = dayIn(required(values.from, '--from'), '--from')
    const to = dayIn(required(values.to, '--to'), '--to')
    if (to - from >= DAYS_MAX) throw new UsageError(`At most ${DAYS_MAX} days are looked through at once.`)
    return withCore(around, async ({ core: { db } }) => {
      around.out(
        BYTE_ORDER_MARK + csvLine(['day', 'method', 'journal', 'amount', 'charged', 'by its prices', 'too much']),
      )
      for await (const fees of wrongFees(db, partner, from, to))
        around.out(
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
