import { parseArgs } from 'node:util'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  METHODS,
  type PartnerPrice,
  putPartnerPrice,
  selectPrices,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { readMoment, readPercent, readSteps, showStep } from '../merchants/price.ts'
import { asUsageError, partnerIn } from './statement.ts'

const BY_COMMAND_LINE = { actor: 'command line' } as const

export const partnerPriceList: Command = {
  usage: '[PARTNER]',
  summary: 'Lists the prices that partners charge us, newest first',
  details: '\nPrints JSON; amounts are naira. For each method the first price in effect applies.\n',
  run: async (args, context) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    return withCore(context, async ({ core: { db } }) => {
      print(context, (await selectPrices(db, partner)).map(show))
      return 0
    })
  },
}

export const partnerPriceSet: Command = {
  usage: 'PARTNER METHOD (--percent P --flat NAIRA --cap NAIRA | --step FIELDS …) [--vat P] [--from WHEN]',
  summary: 'Sets the price that a partner charges us for a method, from now or another time',
  details: `
Methods: ${METHODS.join(', ')}. Prices have the form of "./kobo price set"; --vat is the tax on them, in percent.

  ./kobo reconcile price set wema bank-transfer --percent 0.5 --cap 250 --vat 7.5
  ./kobo reconcile price set easypay transfers --step up-to=5000,flat=10 --step up-to=50000,flat=25 --step flat=50 --vat 7.5
`,
  run: async (args, context) => {
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
    const requested = {
      partner,
      method,
      steps,
      vatBasisPoints: readPercent(values.vat, '--vat'),
      validFrom: readMoment(values.from),
    }
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        print(context, show(await unitOfWork(core, async (unit) => putPartnerPrice(unit, requested, BY_COMMAND_LINE))))
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
