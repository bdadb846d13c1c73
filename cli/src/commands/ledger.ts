import { parseArgs } from 'node:util'
import { proveBooks } from '@kobo/gateway/app/ledger.ts'
import {
  isClean,
  type LedgerVerdict,
  type PartnerBalances,
  partnerBalances,
  type Wrong,
} from '@kobo/gateway/core/money/ledger/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { toNairaText } from '@kobo/gateway/kernel/money.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, withDatabase } from '../command.ts'

export const ledgerVerify: Command = {
  prints: 'text or JSON',
  usage: '[--all] [--checkpoint FILE] [--table | --json]',
  summary: 'Proves that every kobo is where it belongs; exit code 1 if anything is off',
  details: `
Looks at what is new since the last proof, which leaves a checkpoint in the database.

  --all              looks at everything, from the beginning
  --checkpoint FILE  keeps the checkpoint in this file: for a standby, on which nothing is written
  --table, --json    a table for people, or {clean, isWhole, merchants, journals, moves, accounts, imbalance, wrong} for
                     programs; without either, the table where a person watches
`,
  run: async (args, around) => {
    const { values } = parseArgs({
      args,
      options: {
        all: { type: 'boolean' },
        checkpoint: { type: 'string' },
        table: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    })
    const { err, isWatched = false, wall = wallClock } = around
    const progress = isWatched ? progressBar(err, 'Proving the books', 'merchants') : NO_PROGRESS
    return withDatabase(around, async (db) => {
      const verdict = await proveBooks(db, {
        isWhole: values.all === true,
        checkpointFile: values.checkpoint,
        at: wall.now(),
        onProgress: ({ merchantsDone, merchants, journals }) =>
          progress.show(merchantsDone, merchants, `, ${journals} journals`),
      }).finally(progress.clear)
      if (values.table ?? (isWatched && values.json !== true)) around.out(report(verdict))
      else print(around, { clean: isClean(verdict), ...verdict })
      return isClean(verdict) ? 0 : 1
    })
  },
}

export const ledgerPartners: Command = {
  usage: '',
  summary: 'Shows what the books say that each partner holds for us, to be held against its statement',
  details: `
Prints JSON, in naira, over all merchants. held is all that came to a partner less all that went out by it; byRail says by
what means; suspense is what of it is owed to payers; costs is what the partner kept, of what it told. Without a partner
stands what was booked before accounts said which, and what came by nobody who told a name.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withDatabase(around, async (db) => {
      print(around, (await partnerBalances(db)).map(showPartner))
      return 0
    })
  },
}

const showPartner = ({ partner, held, byRail, suspense, costs }: PartnerBalances) => ({
  partner,
  held: toNairaText(held),
  byRail: Object.fromEntries(Object.entries(byRail).map(([rail, amount]) => [rail, toNairaText(amount)])),
  suspense: toNairaText(suspense),
  costs: toNairaText(costs),
})

/** A verdict for people. */
function report(verdict: LedgerVerdict): string {
  const { isWhole, merchants, journals, moves, accounts, imbalance, wrong } = verdict
  const looked = `${merchants} merchants, ${accounts} accounts, ${journals} journals with ${moves} moves, ${isWhole ? 'from the beginning' : 'since the last checkpoint'}`
  if (isClean(verdict)) return `The books are right: ${looked}.\n`
  const sum = imbalance === '0' ? '' : ` All balances sum to ${imbalance} kobo, and not to zero.`
  return `${table(wrong)}\n${wrong.length === 1 ? '1 thing is' : `${wrong.length} things are`} wrong in the books.${sum}\nLooked at ${looked}.\n`
}

function table(wrong: readonly Wrong[]): string {
  const rows = [{ merchant: 'MERCHANT', reference: 'REFERENCE', what: 'WHAT IS WRONG' }, ...wrong]
  const width = (key: 'merchant' | 'reference'): number => Math.max(...rows.map((row) => row[key].length))
  const [first, second] = [width('merchant'), width('reference')]
  return rows
    .map(({ merchant, reference, what }) => `${merchant.padEnd(first)}  ${reference.padEnd(second)}  ${what}\n`)
    .join('')
}
