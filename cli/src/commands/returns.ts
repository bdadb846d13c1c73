import { parseArgs } from 'node:util'
import {
  type Destination,
  type ReturnRow,
  selectWaiting,
  sendTo,
  settleReturn,
} from '@kobo/gateway/features/returns/index.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'
import { decideCredit } from './decided-credit.ts'

const NAME_LENGTH_MAX = 100
const NOTE_LENGTH_MAX = 500

export const returnsList: Command = {
  usage: '',
  summary: 'Lists the credits that were not taken and that nobody knows where to send',
  details: `
Prints JSON, oldest first. Its money is in suspense until it is back. Find out at the partner who paid, then:
kobo returns send ID --bank CODE --account NUMBER. What has gone back by other means: kobo returns settle ID.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, (await selectWaiting(core.db)).map(show))
      return 0
    })
  },
}

export const returnsSend: Command = {
  usage: 'ID --bank CODE --account NUMBER [--name NAME] | ID --by-partner',
  summary: 'Sends a credit that was not taken to an account, or has its partner send it to where it came from',
  details: `
The gateway sends it within seconds, as an order of its own, and asks about it until it is known. --by-partner is for a
partner that sends credits back by itself (capability returns) and did not say so when the credit came.
`,
  run: async (args, around) => {
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
    return decideCredit(around, idIn(positionals), {
      ...TOLD,
      act: 'return.send',
      details,
      change: (unit, id) => sendTo(unit, id, to),
    })
  },
}

export const returnsSettle: Command = {
  usage: 'ID --because TEXT',
  summary: 'Writes down that a credit that was not taken is back with its payer by other means',
  details: '\nBooks it from suspense: its partner no longer holds it for us. Nothing is sent.\n',
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const note = values.because?.trim().slice(0, NOTE_LENGTH_MAX) ?? ''
    if (note === '') throw new UsageError('Say how it went back: --because TEXT.')
    return decideCredit(around, idIn(positionals), {
      ...TOLD,
      act: 'return.settle',
      details: { note },
      change: (unit, id) => settleReturn(unit, id, note),
    })
  },
}

function idIn(positionals: readonly string[]): bigint {
  const [id] = positionals
  if (id === undefined || positionals.length > 1 || !/^\d{1,18}$/.test(id))
    throw new UsageError('Name one credit by its id.')
  return BigInt(id)
}

interface Asked {
  readonly bank?: string | undefined
  readonly account?: string | undefined
  readonly name?: string | undefined
  readonly 'by-partner'?: boolean | undefined
}

function destinationIn({ bank, account, name, 'by-partner': byPartner = false }: Asked): Destination {
  if (byPartner) {
    if (bank !== undefined || account !== undefined) throw new UsageError('Name an account, or --by-partner, not both.')
    return 'the partner'
  }
  if (bank === undefined || !/^\d{3,6}$/.test(bank)) throw new UsageError('--bank is a bank code of 3 to 6 digits.')
  if (account === undefined || !/^\d{10}$/.test(account))
    throw new UsageError('--account is an account number of 10 digits.')
  return { bankCode: bank, accountNumber: account, accountName: name?.trim().slice(0, NAME_LENGTH_MAX) || null }
}

/** How what was decided is written down and shown. */
const TOLD = { referenceOf: ({ reference }: ReturnRow) => reference, show: (row: ReturnRow) => show(row) }

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
