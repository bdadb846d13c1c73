import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { naira, nairaOrZero, subtract, toNairaText } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, UsageError } from '../../command.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'
import { accountOf, openPayment, payInto } from './sandbox-actions.ts'

const AMOUNT_DEFAULT = '9000'
const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/

export const pay: Command = {
  usage: `[REFERENCE] [--amount NAIRA] ${REMOTE_USAGE}`,
  summary: 'Pays an open payment by bank transfer as the customer, or creates one and pays it',
  details: `
REFERENCE is the transaction reference or payment reference of an open payment. Without --amount the rest of the amount due is paid;
use --amount to underpay or overpay. Without REFERENCE a payment of --amount (default ${AMOUNT_DEFAULT}) is created first. Prints the payment.
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const options = { ...REMOTE_OPTIONS, amount: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [reference, ...more] = positionals
    if (more.length > 0) throw new UsageError('Only one REFERENCE is allowed.')
    if (values.amount !== undefined && !AMOUNT.test(values.amount))
      throw new UsageError('--amount must be naira, such as 9000 or 99.50.')
    const remote = await connect(context, values)
    const open = reference === undefined ? undefined : await findPayment(remote, reference)
    const { transactionReference } = open ?? (await openPayment(remote, values.amount ?? AMOUNT_DEFAULT))
    const rest = open === undefined ? undefined : subtract(naira(open.totalPayable), nairaOrZero(open.amountPaid))
    const account = await accountOf(remote, transactionReference)
    const amount = values.amount ?? (rest === undefined ? undefined : toNairaText(rest))
    const { status, reason } = await payInto(remote, account, amount)
    if (status === 'REJECTED') throw new Error(`The payment was rejected and returned: ${reason}.`)
    print(context, await remote.call(contract.getTransaction, { params: { transactionReference } }))
    return 0
  },
}

/** Finds a payment by either of its references. */
async function findPayment(
  { call }: Remote,
  reference: string,
): Promise<contract.Reply<typeof contract.queryTransaction>> {
  try {
    return await call(contract.queryTransaction, { query: { paymentReference: reference } })
  } catch (error) {
    if (!(error instanceof contract.Refused && error.status === 404)) throw error
    return call(contract.queryTransaction, { query: { transactionReference: reference } })
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

export const clock: Command = {
  usage: `[--advance TIME] ${REMOTE_USAGE}`,
  summary: "Shows the sandbox's clock, or moves it forward and runs everything due until then",
  details: `\nTIME is a number with s, m, h or d: 40m, 3d. The clock only moves forward, for all merchants of the sandbox.\n${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { ...REMOTE_OPTIONS, advance: { type: 'string' } } })
    const seconds = values.advance === undefined ? undefined : secondsOf(values.advance)
    const { call } = await connect(context, values)
    const reading =
      seconds === undefined
        ? await call(contract.readClock, {})
        : await call(contract.advanceClock, { body: { seconds } })
    print(context, reading)
    return 0
  },
}

function secondsOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(digits) * (UNITS[unit] ?? Number.NaN)
  if (!(seconds >= 1 && seconds <= 31_536_000)) throw new UsageError('--advance must be 1s to 365d, such as 40m or 3d.')
  return seconds
}

export const inbox: Command = {
  usage: `[--to ADDRESS] [--limit COUNT] ${REMOTE_USAGE}`,
  summary: 'Shows the mails that the sandbox sent, newest first: codes, instructions, alerts',
  details: REMOTE_DETAILS,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { ...REMOTE_OPTIONS, to: text, limit: text } })
    const { to, limit } = values
    if (limit !== undefined && !/^[1-9]\d{0,2}$/.test(limit)) throw new UsageError('--limit must be 1 to 999.')
    const { call } = await connect(context, values)
    const query = { ...(to === undefined ? {} : { to }), ...(limit === undefined ? {} : { limit: Number(limit) }) }
    print(context, await call(contract.readInbox, { query }))
    return 0
  },
}
