import { parseArgs } from 'node:util'
import {
  type Destination,
  type ReturnRow,
  selectWaiting,
  sendReturnTo,
  settleReturn,
} from '@kobo/gateway/features/returns/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { decideCredit } from './credit-decision.ts'

const NAME_LENGTH_MAX = 100
const NOTE_LENGTH_MAX = 500

export const returnsList: Command = {
  usage: '',
  summary: 'Lists rejected credits that need manual review: the payer’s account is unknown, or the return failed',
  details: `
Prints JSON, oldest first. The money stays in suspense until it is returned. Ask the partner who paid, then run:
kobo returns send ID --bank CODE --account NUMBER. If it was returned outside Kobo: kobo returns settle ID.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, (await selectWaiting(core.db)).map(show))
      return 0
    })
  },
}

export const returnsSend: Command = {
  usage: 'ID --bank CODE --account NUMBER [--name NAME] | ID --by-partner',
  summary: 'Returns a rejected credit to an account, or has the partner return it to its origin',
  details: `
The gateway sends it within seconds as an order and queries it until the outcome is known. Use --by-partner if the partner returns
credits itself (capability "returns") and did not say so when the credit arrived.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        bank: { type: 'string' },
        account: { type: 'string' },
        name: { type: 'string' },
        'by-partner': { type: 'boolean' },
      },
    })
    const to = destinationIn(values)
    const details =
      to === 'the partner' ? { by: 'partner' } : { bankCode: to.bankCode, endsIn: to.accountNumber.slice(-4) }
    return decideCredit(context, idIn(positionals), {
      ...RETURN,
      act: 'return.send',
      details,
      change: (unit, id) => sendReturnTo(unit, id, to),
    })
  },
}

export const returnsSettle: Command = {
  usage: 'ID --because TEXT',
  summary: 'Records that a rejected credit was returned to its payer outside Kobo',
  details: '\nBooks the amount out of suspense, since the partner no longer holds it for us. Nothing is sent.\n',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const note = values.because?.trim().slice(0, NOTE_LENGTH_MAX) ?? ''
    if (note === '') throw new UsageError('--because TEXT is required: how the money was returned.')
    return decideCredit(context, idIn(positionals), {
      ...RETURN,
      act: 'return.settle',
      details: { note },
      change: (unit, id) => settleReturn(unit, id, note),
    })
  },
}

function idIn(positionals: readonly string[]): bigint {
  const [id] = positionals
  if (id === undefined || positionals.length > 1 || !/^\d{1,18}$/.test(id))
    throw new UsageError('Specify one credit id.')
  return BigInt(id)
}

interface DestinationOptions {
  readonly bank?: string | undefined
  readonly account?: string | undefined
  readonly name?: string | undefined
  readonly 'by-partner'?: boolean | undefined
}

function destinationIn({ bank, account, name, 'by-partner': byPartner = false }: DestinationOptions): Destination {
  if (byPartner) {
    if (bank !== undefined || account !== undefined)
      throw new UsageError('Use either --bank and --account or --by-partner, not both.')
    return 'the partner'
  }
  if (bank === undefined || !/^\d{3,6}$/.test(bank))
    throw new UsageError('--bank must be a bank code of 3 to 6 digits.')
  if (account === undefined || !/^\d{10}$/.test(account))
    throw new UsageError('--account must be an account number of 10 digits.')
  return { bankCode: bank, accountNumber: account, accountName: name?.trim().slice(0, NAME_LENGTH_MAX) || null }
}

const RETURN = { referenceOf: ({ reference }: ReturnRow) => reference, show: (row: ReturnRow) => show(row) }

const show = (row: ReturnRow) => ({
  id: row.id,
  reference: row.reference,
  merchantId: row.merchantId,
  partner: row.partner,
  bankCode: row.bankCode,
  railReference: row.railReference,
  accountNumber: row.accountNumber,
  amount: toNaira(row.amount),
  reason: row.reason,
  payerName: row.payerName,
  payerAccountNumber: row.payerAccountNumber,
  payerBankCode: row.payerBankCode,
  receivedAt: row.receivedAt,
  state: row.state,
  failure: row.failure,
  destinationBankCode: row.destinationBankCode,
  destinationAccountNumber: row.destinationAccountNumber,
})
