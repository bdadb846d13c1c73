import { parseArgs } from 'node:util'
import { proposeReturn } from '@kobo/gateway/features/operator/index.ts'
import {
  type Destination,
  type ReturnRow,
  selectWaiting,
  sendReturnTo,
  settleReturn,
} from '@kobo/gateway/features/returns/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { BY_BECAUSE, TWO_OPERATORS } from '../../operator.ts'
import { decideCredit } from './credit-decision.ts'

const NAME_LENGTH_MAX = 100
const NOTE_LENGTH_MAX = 500

export const returnsList: Command = {
  usage: '',
  summary: 'Lists rejected credits that need manual review: the payer’s account is unknown, or the return failed',
  details: `
Prints JSON, oldest first. The money stays in suspense until it is returned. Ask the partner who paid, then run:
./kobo returns send ID --bank CODE --account NUMBER. If it was returned outside Kobo: ./kobo returns settle ID.
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
  usage: 'ID (--bank CODE --account NUMBER [--name NAME] | --by-partner) [--by EMAIL --because TEXT]',
  summary: 'Returns a rejected credit to an account, or has the partner return it to its origin',
  details: `
The gateway sends it within seconds as an order and queries it until the outcome is known. Use --by-partner if the partner returns
credits itself (capability "returns") and did not say so when the credit arrived.
${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        bank: { type: 'string' },
        account: { type: 'string' },
        name: { type: 'string' },
        'by-partner': { type: 'boolean' },
        ...BY_BECAUSE,
      },
    })
    const to = destinationIn(values)
    const details =
      to === 'the partner' ? { by: 'partner' } : { bankCode: to.bankCode, endsIn: to.accountNumber.slice(-4) }
    const id = idIn(positionals)
    return decideCredit(context, id, values, {
      ...RETURN,
      act: 'return.send',
      propose: (gateway) =>
        proposeReturn(gateway, id, to === 'the partner' ? { way: 'PARTNER' } : { way: 'ACCOUNT', ...to }),
      details,
      change: (unit) => sendReturnTo(unit, id, to),
    })
  },
}

export const returnsSettle: Command = {
  usage: 'ID --because TEXT [--by EMAIL]',
  summary: 'Records that a rejected credit was returned to its payer outside Kobo',
  details: `\nBooks the amount out of suspense, since the partner no longer holds it for us. Nothing is sent.\n${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: BY_BECAUSE,
    })
    const note = values.because?.trim().slice(0, NOTE_LENGTH_MAX) ?? ''
    if (note === '') throw new UsageError('--because TEXT is required: how the money was returned.')
    const id = idIn(positionals)
    return decideCredit(context, id, values, {
      ...RETURN,
      act: 'return.settle',
      propose: (gateway) => proposeReturn(gateway, id, { way: 'IS_BACK' }),
      details: { note },
      change: (unit) => settleReturn(unit, id, note),
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
