import { parseArgs } from 'node:util'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { seedHistory } from '@kobo/gateway/features/sandbox/history/index.ts'
import { ensureDemoMerchant } from '@kobo/gateway/features/sandbox/index.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { PROGRAM } from '../../program.ts'

const PAYMENTS_DEFAULT = 10_000
const PAYMENTS_MAX = 5_000_000
const DAYS_DEFAULT = 90
const DAYS_MAX = 366
const SEED_MAX = 9_999

export const seed: Command = {
  usage: '[--payments COUNT] [--days COUNT] [--seed NUMBER] [--merchant CODE]',
  summary: 'Fills a sandbox merchant with generated payments, refunds, transfers and settlements',
  details: `
Generates payments by every payment method, with refunds, transfers, settlements and delivered events. The ledger stays
consistent: check it with "${PROGRAM} ledger verify --all". An interrupted run continues where it stopped. Running the same seed twice
changes nothing; use another --seed for more data. Days on which the wallet was already used are skipped.

  --payments COUNT  total number of payments (default ${PAYMENTS_DEFAULT})
  --days COUNT      number of past days to spread them over (default ${DAYS_DEFAULT})
  --seed NUMBER     seed of the random generator (default 1)
  --merchant CODE   the merchant (default: the first one; an empty sandbox gets one)
`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: {
        payments: { type: 'string' },
        days: { type: 'string' },
        seed: { type: 'string' },
        merchant: { type: 'string' },
      },
    })
    const requested = {
      payments: wholeNumber('--payments', values.payments ?? String(PAYMENTS_DEFAULT), PAYMENTS_MAX),
      days: wholeNumber('--days', values.days ?? String(DAYS_DEFAULT), DAYS_MAX),
      seed: wholeNumber('--seed', values.seed ?? '1', SEED_MAX),
    }
    return withCore(context, async ({ core, config: { environment, referencePrefix } }) => {
      if (environment !== 'sandbox') throw new UsageError('This command works in the sandbox only.')
      if (values.merchant === undefined) await ensureDemoMerchant(core)
      const id = await findMerchantId(core.db, values.merchant)
      const merchant = id === undefined ? undefined : await core.directory.byId(id)
      if (merchant === undefined) throw new UsageError(`No merchant has the code ${values.merchant ?? ''}.`)
      const progress = context.isTerminal ? progressBar(context.err, 'Generating', 'payments') : NO_PROGRESS
      const verdict = await seedHistory(
        core,
        merchant,
        { ...requested, referencePrefix },
        ({ paymentsDone, payments }) => progress.show(paymentsDone, payments),
      ).finally(progress.clear)
      print(context, verdict)
      return 0
    })
  },
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new UsageError(`${option} must be a whole number from 1 to ${most}.`)
  return number
}
