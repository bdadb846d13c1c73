import { parseArgs } from 'node:util'
import {
  type ConflictRow,
  dismissConflict,
  earlierCredits,
  selectConflicts,
  takeConflict,
} from '@kobo/gateway/core/money/credits/index.ts'
import { proposeConflictDecision } from '@kobo/gateway/features/operator/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { BY_BECAUSE, TWO_OPERATORS } from '../../operator.ts'
import { decideCredit } from './credit-decision.ts'

export const conflictsList: Command = {
  usage: '',
  summary: 'Lists conflicting credits: the same reference with another amount or account',
  details: `
Prints JSON, oldest first, each with the earlier credits of the same reference. Ask the partner which one is right. If the money did
arrive: ./kobo credits conflicts take ID. If not: ./kobo credits conflicts dismiss ID.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      const shown = []
      for (const conflict of await selectConflicts(core.db)) {
        const before = await earlierCredits(core.db, conflict)
        shown.push({
          ...show(conflict),
          before: before.map(({ accountNumber, amount, reason }) => ({
            accountNumber,
            amount: toNaira(amount),
            sentBackFor: reason,
          })),
        })
      }
      print(context, shown)
      return 0
    })
  },
}

export const conflictsTake: Command = {
  usage: 'ID [--by EMAIL --because TEXT]',
  summary: 'Accepts a conflicting credit as a separate credit',
  details: `
Use this only if the money did arrive. The gateway processes it within seconds under its own reference, like a new notification.
If its account no longer accepts payments, the money goes back to the payer.
${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: BY_BECAUSE })
    const conflict = idIn(positionals)
    return decideCredit(context, conflict, values, {
      ...CONFLICT,
      act: 'credit-conflict.take',
      propose: (gateway) => proposeConflictDecision(gateway, conflict, 'TAKE'),
      details: {},
      change: ({ tx }, id) => takeConflict(tx, id),
    })
  },
}

export const conflictsDismiss: Command = {
  usage: 'ID --because TEXT [--by EMAIL]',
  summary: 'Dismisses a conflicting credit: the money did not arrive',
  details: `\nNothing is booked. If the partner sends it again, it is rejected as a conflict without a new alert.\n${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: BY_BECAUSE })
    const conflict = idIn(positionals)
    const reason = values.because?.trim() ?? ''
    if (reason === '') throw new UsageError('--because TEXT is required.')
    return decideCredit(context, conflict, values, {
      ...CONFLICT,
      act: 'credit-conflict.dismiss',
      propose: (gateway) => proposeConflictDecision(gateway, conflict, 'DISMISS'),
      details: { reason },
      change: ({ tx }, id) => dismissConflict(tx, id, reason),
    })
  },
}

function idIn(positionals: readonly string[]): bigint {
  const [id] = positionals
  if (id === undefined || positionals.length > 1 || !/^\d{1,18}$/.test(id))
    throw new UsageError('Specify one conflict id.')
  return BigInt(id)
}

const CONFLICT = {
  referenceOf: ({ railReference }: ConflictRow) => railReference,
  show: (row: ConflictRow) => show(row),
}

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
