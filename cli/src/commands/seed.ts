import { parseArgs } from 'node:util'
import { ensureDemoMerchant } from '@kobo/gateway/app/demo.ts'
import { seedHistory } from '@kobo/gateway/app/seed/index.ts'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

const PAYMENTS_STANDARD = 10_000
const PAYMENTS_MAX = 5_000_000
const DAYS_STANDARD = 90
const DAYS_MAX = 366
const SEED_MAX = 9_999

export const seed: Command = {
  usage: '[--payments COUNT] [--days COUNT] [--seed NUMBER] [--merchant CODE]',
  summary: 'Makes up a history for a merchant of the sandbox, so that there is something to look at',
  details: `
Payments by all methods, with refunds, transfers, settlements and delivered events, over the last days. The books are right
afterwards: kobo ledger verify --all proves it. A history that was cut off goes on where it was; one that is there already
stays as it is, and another --seed makes another one. A day in which something became of the wallet is left out.

  --payments COUNT  how many payments are asked for in all (${PAYMENTS_STANDARD})
  --days COUNT      over how many days (${DAYS_STANDARD})
  --seed NUMBER     what all chance follows from (1)
  --merchant CODE   whose history it is: the first merchant's where not said otherwise; an empty sandbox gets one
`,
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: {
        payments: { type: 'string' },
        days: { type: 'string' },
        seed: { type: 'string' },
        merchant: { type: 'string' },
      },
    })
    const wanted = {
      payments: wholeNumber('--payments', values.payments ?? String(PAYMENTS_STANDARD), PAYMENTS_MAX),
      days: wholeNumber('--days', values.days ?? String(DAYS_STANDARD), DAYS_MAX),
      seed: wholeNumber('--seed', values.seed ?? '1', SEED_MAX),
    }
    return withCore(around, async ({ core, config: { environment, referencePrefix } }) => {
      if (environment !== 'sandbox') throw new UsageError('Histories are made up in the sandbox alone.')
      if (values.merchant === undefined) await ensureDemoMerchant(core)
      const id = await findMerchantId(core.db, values.merchant)
      const merchant = id === undefined ? undefined : await core.directory.byId(id)
      if (merchant === undefined) throw new UsageError(`${`There is no merchant ${values.merchant ?? ''}`.trim()}.`)
      const progress = around.isWatched ? progressBar(around.err, 'Making up a history', 'payments') : NO_PROGRESS
      const verdict = await seedHistory(core, merchant, { ...wanted, referencePrefix }, ({ paymentsDone, payments }) =>
        progress.show(paymentsDone, payments),
      ).finally(progress.clear)
      print(around, verdict)
      return 0
    })
  },
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new UsageError(`${option} must be a whole number from 1 to ${most}.`)
  return number
}
