import { parseArgs } from 'node:util'
import { verifyLedger } from '@kobo/gateway/app/ledger.ts'
import { isClean } from '@kobo/gateway/core/money/ledger/index.ts'
import { type Command, print, withCore } from '../command.ts'

export const ledgerVerify: Command = {
  usage: '',
  summary: 'Proves on the whole database that money is conserved; exit code 1 if anything is off',
  details: '\nPrints {journals, moves, accounts, imbalance, wrong} as JSON. Clean: imbalance "0" and wrong [].\n',
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      const verdict = await verifyLedger(core.db)
      print(around, verdict)
      return isClean(verdict) ? 0 : 1
    })
  },
}
