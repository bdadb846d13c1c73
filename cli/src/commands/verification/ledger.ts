import { parseArgs } from 'node:util'
import { runVerification } from '@kobo/gateway/app/ledger.ts'
import {
  isClean,
  type LedgerVerdict,
  type PartnerBalances,
  partnerBalances,
  safeguarding,
  type Wrong,
} from '@kobo/gateway/core/money/ledger/index.ts'
import { selectBalances } from '@kobo/gateway/features/reconciliation/index.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { dayText } from '@kobo/gateway/kernel/dates.ts'
import { toNairaText } from '@kobo/gateway/kernel/money.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import type { Db } from '@kobo/gateway/platform/postgres/db.ts'
import { type Command, print, UsageError, withDatabase } from '../../command.ts'

export const ledgerVerify: Command = {
  prints: 'text or JSON',
  usage: '[--all] [--checkpoint FILE] [--table | --json]',
  summary: 'Verifies the ledger; exit code 1 if anything is wrong',
  details: `
Checks journals since the last checkpoint, which each run stores in the database.

  --all              checks everything from the beginning
  --checkpoint FILE  stores the checkpoint in this file, for a read-only standby
  --table, --json    prints a table, or {clean, isWhole, merchants, journals, moves, accounts, imbalance, wrong} as JSON;
                     the default is the table in a terminal and JSON otherwise

The number of merchants includes the operator once it has accounts of its own, such as suspense.
`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: {
        all: { type: 'boolean' },
        checkpoint: { type: 'string' },
        table: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    })
    const { err, isTerminal = false, wall = wallClock } = context
    const progress = isTerminal ? progressBar(err, 'Verifying the ledger', 'merchants') : NO_PROGRESS
    return withDatabase(context, async (db) => {
      const verdict = await runVerification(db, {
        isWhole: values.all === true,
        checkpointFile: values.checkpoint,
        at: wall.now(),
        onProgress: ({ merchantsDone, merchants, journals }) =>
          progress.show(merchantsDone, merchants, `, ${journals} journals`),
      }).finally(progress.clear)
      if (values.table ?? (isTerminal && values.json !== true)) context.out(report(verdict))
      else print(context, { clean: isClean(verdict), ...verdict })
      return isClean(verdict) ? 0 : 1
    })
  },
}

export const ledgerPartners: Command = {
  usage: '',
  summary: 'Shows how much each partner holds for us according to the ledger, to compare with its statement',
  details: `
Prints JSON, in naira, over all merchants. held is the money received minus the money sent through the partner; byRail splits it
by rail, with returned credits and bank charges apart; suspense is the part owed to payers; costs are the fees that the partner reported. Entries without a partner were booked
before accounts recorded one, or came from a source without a name.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withDatabase(context, async (db) => {
      print(context, (await partnerBalances(db)).map(showPartner))
      return 0
    })
  },
}

export const ledgerSafeguarding: Command = {
  usage: '',
  summary: 'Compares what partners hold with what is owed to merchants and payers; exit code 1 if anything is missing',
  details: `
Verifies the ledger since the last checkpoint first, and reports nothing unless it is correct. Prints JSON, in naira: what each
partner holds, in the ledger and on its last statement, what is owed (wallets, payable, in flight, reserve, suspense), and the
surplus: held minus owed. A debt of one merchant does not reduce what is owed to another. Run it every day and keep its output.
`,
  run: async (args, context) => {
    parseArgs({ args })
    const at = (context.wall ?? wallClock).now()
    return withDatabase(context, async (db) => {
      const verdict = await runVerification(db, { isWhole: false, checkpointFile: undefined, at, onProgress: () => {} })
      if (!isClean(verdict)) throw new UsageError('The ledger is not correct: run ./kobo ledger verify.')
      const { partners, held, owed, owedInAll, surplus } = await safeguarding(db)
      print(context, {
        at,
        partners: await Promise.all(partners.map((one) => showHeld(db, one))),
        held: toNairaText(held),
        owed: Object.fromEntries(Object.entries(owed).map(([to, amount]) => [to, toNairaText(amount)])),
        owedInAll: toNairaText(owedInAll),
        surplus: toNairaText(surplus),
      })
      return surplus < 0n ? 1 : 0
    })
  },
}

async function showHeld(db: Db, { partner, held }: PartnerBalances) {
  const statement = partner === null ? undefined : (await selectBalances(db, partner)).at(-1)
  return {
    partner,
    held: toNairaText(held),
    statement: statement === undefined ? null : { day: dayText(statement.day), balance: toNairaText(statement.amount) },
  }
}

const showPartner = ({ partner, held, byRail, suspense, costs }: PartnerBalances) => ({
  partner,
  held: toNairaText(held),
  byRail: Object.fromEntries(Object.entries(byRail).map(([rail, amount]) => [rail, toNairaText(amount)])),
  suspense: toNairaText(suspense),
  costs: toNairaText(costs),
})

/** Formats a verdict as text. */
function report(verdict: LedgerVerdict): string {
  const { isWhole, merchants, journals, moves, accounts, imbalance, wrong } = verdict
  const checked = `${merchants} merchants, ${accounts} accounts, ${journals} journals with ${moves} moves, ${isWhole ? 'from the beginning' : 'since the last checkpoint'}`
  if (isClean(verdict)) return `The ledger is correct: ${checked}.\n`
  const sum = imbalance === '0' ? '' : ` All balances sum to ${imbalance} kobo instead of zero.`
  return `${table(wrong)}\n${wrong.length === 1 ? '1 ledger error' : `${wrong.length} ledger errors`}.${sum}\nChecked ${checked}.\n`
}

function table(wrong: readonly Wrong[]): string {
  const rows = [{ merchant: 'MERCHANT', reference: 'REFERENCE', what: 'ERROR' }, ...wrong]
  const width = (key: 'merchant' | 'reference'): number => Math.max(...rows.map((row) => row[key].length))
  const [first, second] = [width('merchant'), width('reference')]
  return rows
    .map(({ merchant, reference, what }) => `${merchant.padEnd(first)}  ${reference.padEnd(second)}  ${what}\n`)
    .join('')
}
