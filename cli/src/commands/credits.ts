import { parseArgs } from 'node:util'
import {
  type ConflictRow,
  dismissConflict,
  namesakesOf,
  selectConflicts,
  selectDecisions,
  takeConflict,
} from '@kobo/gateway/core/money/credits/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'
import { decideCredit } from './decided-credit.ts'

export const conflictsList: Command = {
  usage: '',
  summary: 'Lists credits that contradict what was told before: other money under the same reference',
  details: `
Prints JSON, oldest first, each with the money that its reference named before. Ask the partner what is true. Money that
did arrive is received by: kobo credits conflicts take ID. Where there is none: kobo credits conflicts dismiss ID.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      const shown = []
      for (const conflict of await selectConflicts(core.db)) {
        const before = namesakesOf(await selectDecisions(core.db, [conflict]), conflict)
        shown.push({
          ...show(conflict),
          before: before.map(({ accountNumber, amount, reason }) => ({
            accountNumber,
            amount: toNaira(amount),
            sentBackFor: reason,
          })),
        })
      }
      print(around, shown)
      return 0
    })
  },
}

export const conflictsTake: Command = {
  usage: 'ID',
  summary: 'Has a credit in conflict received, as money of its own',
  details: `
The gateway receives it within seconds, under a reference of its own, as if it were told now: it is kept, or refused where
its account takes nothing any more; then the partner has to send it back. Say so only of money that did arrive.
`,
  run: async (args, around) => {
    const { positionals } = parseArgs({ args, allowPositionals: true })
    return decideCredit(around, idIn(positionals), {
      ...TOLD,
      act: 'credit-conflict.take',
      details: {},
      change: ({ tx }, id) => takeConflict(tx, id),
    })
  },
}

export const conflictsDismiss: Command = {
  usage: 'ID --because TEXT',
  summary: 'Dismisses a credit in conflict: there is no such money',
  details: '\nNothing is received. Told again, it is answered as a conflict still, and calls nobody.\n',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const reason = values.because?.trim() ?? ''
    if (reason === '') throw new UsageError('Say why: --because TEXT.')
    return decideCredit(around, idIn(positionals), {
      ...TOLD,
      act: 'credit-conflict.dismiss',
      details: { reason },
      change: ({ tx }, id) => dismissConflict(tx, id, reason),
    })
  },
}

function idIn(positionals: readonly string[]): bigint {
  const [id] = positionals
  if (id === undefined || positionals.length > 1 || !/^\d{1,18}$/.test(id))
    throw new UsageError('Name one conflict by its id.')
  return BigInt(id)
}

/** How what was decided is written down and shown. */
const TOLD = { referenceOf: ({ railReference }: ConflictRow) => railReference, show: (row: ConflictRow) => show(row) }

const show = (conflict: ConflictRow) => ({
  id: conflict.id,
  merchantId: conflict.merchantId,
  partner: conflict.partner,
  bankCode: conflict.bankCode,
  railReference: conflict.railReference,
  accountNumber: conflict.accountNumber,
  amount: toNaira(conflict.amount),
  payerName: conflict.payerName,
  payerAccountNumber: conflict.payerAccountNumber,
  payerBankCode: conflict.payerBankCode,
  narration: conflict.narration,
  toldAt: conflict.toldAt,
  state: conflict.state,
  reason: conflict.reason,
})
