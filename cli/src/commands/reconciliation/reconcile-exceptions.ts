import { parseArgs } from 'node:util'
import { REASON_LENGTH_MAX } from '@kobo/contract'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  ageOf,
  decide,
  type Exception,
  explain,
  findExceptions,
  type ItemRow,
  joining,
  type Resolution,
} from '@kobo/gateway/features/reconciliation/index.ts'
import { dayText, lagosDay } from '@kobo/gateway/kernel/dates.ts'
import { toNairaText } from '@kobo/gateway/kernel/money.ts'
import { BYTE_ORDER_MARK, line as csvLine } from '@kobo/gateway/platform/formats/csv.ts'
import {
  type Command,
  type CommandContext,
  type OpenGateway,
  print,
  required,
  UsageError,
  withCore,
} from '../../command.ts'
import { nameIn, operatorIn } from '../../operator.ts'
import { asUsageError, BY_COMMAND_LINE, partnerIn } from './statement.ts'

const IDS_MAX = 100

export const reconcileExceptions: Command = {
  usage: '[PARTNER] [--csv]',
  summary: 'Lists differences between statements and ledger with reason and age, oldest first',
  details: `
amount is the bank's amount minus the ledger's. Reasons:
  MISSING_NOTICE   on the statement, but we were not notified     UNKNOWN_DEBIT  a debit that we did not order
  MISSING_LINE     in the ledger, but not on the statement        WRONG_AMOUNT   different amounts
  DOUBLED_NOTICE   like MISSING_LINE, and looks like a duplicate  WRONG_FEE      the fee differs from the notified fee
  DOUBLED_LINE     twice on the statement                         UNBOOKED_FEE   a fee that was not notified
Prints JSON with the lines and entries, the proposed decision and possible counterparts ("perhaps"): exceptions, and orders of its
amount ("./kobo orders show"): for a debit those that have no outcome yet, for a credit those that may still come back ("./kobo
orders ask" queries one). --csv prints CSV.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { csv: { type: 'boolean' } } })
    const partner = positionals.length === 0 ? null : partnerIn(positionals)
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        const all = await findExceptions(core.db, partner)
        const shown = all.map((one) => showException(core, one, all))
        if (values.csv === true) context.out(exceptionsCsv(shown))
        else print(context, shown)
        return 0
      }),
    )
  },
}

function showException(
  { clock }: OpenGateway['core'],
  { item, lines, entries, orders, proposed }: Exception,
  all: readonly Exception[],
) {
  const { partner, id, reason, state, day, difference, note } = item
  const days = lagosDay(clock.now()) - day
  return {
    id: String(id),
    partner,
    reason,
    state,
    day: dayText(day),
    age: ageOf(days),
    amount: toNairaText(difference),
    note,
    lines: lines.map((line) => ({
      day: dayText(line.day),
      amount: toNairaText(line.amount),
      isFee: line.isFee,
      bankReference: line.bankReference,
      references: line.named,
      accountNumber: line.accountNumber,
      name: line.name,
      narration: line.narration,
    })),
    entries: entries.map((entry) => ({
      day: dayText(entry.day),
      amount: toNairaText(entry.amount),
      merchantId: entry.merchantId,
      journal: entry.key,
    })),
    proposed:
      proposed === undefined
        ? null
        : { ...proposed.wanted, by: proposed.proposedBy, because: proposed.proposedBecause },
    perhaps: [
      ...all
        .map((one) => one.item)
        .filter((one) => one.partner === partner && one.difference === -difference && Math.abs(one.day - day) <= 1)
        .map((one) => String(one.id)),
      ...orders,
    ],
  }
}

const exceptionsCsv = (shown: readonly ReturnType<typeof showException>[]): string =>
  BYTE_ORDER_MARK +
  csvLine(['id', 'partner', 'reason', 'state', 'day', 'age', 'amount', 'bank reference', 'journals', 'note']) +
  shown
    .map(({ id, partner, reason, state, day, age, amount, lines, entries, note }) =>
      csvLine([
        id,
        partner,
        reason,
        state,
        day,
        age,
        amount,
        lines.map(({ bankReference, references }) => bankReference ?? references[0] ?? '').join(' '),
        entries.map(({ journal }) => journal).join(' '),
        note,
      ]),
    )
    .join('')

export const reconcileDecide: Command = {
  usage:
    'ID --as cost|own|suspense|moved|credit|merchant --by EMAIL --because TEXT [--other PARTNER] [--bank CODE --account NUMBER [--reference TEXT]] [--merchant CODE]',
  summary: 'Decides how to book an exception; takes effect once a second person confirms it',
  details: `
One operator proposes; another confirms with the same command and their own address in --by. Both prove who they are with
KOBO_OPERATOR_TOKEN, a token from their profile in the dashboard. Then the exception's amount is booked:
  cost      a fee or refund of the partner: costs/PARTNER
  own       our own deposit or withdrawal: clearing/own
  moved     a transfer to or from our account at the partner in --other
  suspense  a credit of unknown origin; "./kobo returns list" then shows it
  credit    a credit to --account at --bank without notification; the gateway processes it within seconds. If the line has no
            reference of the bank, give it with --reference, as the notification would have it
  merchant  a payment that the partner made for --merchant although its money was returned: taken from its wallet, the rest is its debt
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        as: text,
        by: text,
        because: text,
        other: text,
        bank: text,
        account: text,
        reference: text,
        merchant: text,
      },
    })
    const [id = 0n] = idsIn(positionals, 1)
    return decideAs(context, id, resolutionIn(values), values)
  },
}

export const reconcileExplain: Command = {
  usage: 'ID --because TEXT',
  summary: 'Explains an exception without booking anything, so that its day can be closed',
  details: '\nEach day lists the difference as explained, until its counterpart arrives or operators decide it.\n',
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { because: { type: 'string' } },
    })
    const [id = 0n] = idsIn(positionals, 1)
    const because = becauseIn(values.because)
    return asUsageError(() =>
      withCore(context, async ({ core }) => {
        print(context, showItem(await unitOfWork(core, (unit) => explain(unit, id, because, BY_COMMAND_LINE))))
        return 0
      }),
    )
  },
}

export const reconcileJoin: Command = {
  usage: 'ID ID … --by EMAIL --because TEXT',
  summary: 'Joins exceptions that cancel each other out; takes effect once a second person confirms it',
  details: `
For example a line and an entry without a common reference, or a line and its reversal. Nothing is booked: they
explain each other. Another operator confirms with the same command and their own address in --by, as with ./kobo reconcile decide.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { by: { type: 'string' }, because: { type: 'string' } },
    })
    const { id, wanted } = joining(idsIn(positionals, IDS_MAX))
    return decideAs(context, id, wanted, values)
  },
}

/** Proposes a decision, or confirms another operator's. */
function decideAs(
  context: CommandContext,
  id: bigint,
  resolution: Resolution,
  values: { readonly by?: string | undefined; readonly because?: string | undefined },
): Promise<number> {
  nameIn(values.by)
  const word = { wanted: resolution, because: becauseIn(values.because) }
  return asUsageError(() =>
    withCore(context, async (gateway) => {
      const { name, by } = await operatorIn(context, gateway, values.by)
      const decision = await unitOfWork(gateway.core, (unit) => decide(unit, id, { ...word, by: name }, by))
      const { partner, state, difference, proposedBy, confirmedBy } = decision
      print(context, {
        id,
        partner,
        state,
        ...decision.wanted,
        amount: toNairaText(difference),
        proposedBy,
        confirmedBy,
      })
      return 0
    }),
  )
}

function idsIn(positionals: readonly string[], most: number): readonly bigint[] {
  if (positionals.length === 0 || positionals.length > most || positionals.some((id) => !/^\d{1,18}$/.test(id)))
    throw new UsageError(most === 1 ? 'Specify one exception id.' : `Specify 1 to ${most} exception ids.`)
  return positionals.map(BigInt)
}

function short(text: string | undefined, option: string, lengthMax: number): string {
  const trimmed = required(text, option).trim().replace(/\s+/g, ' ')
  if (trimmed.length > lengthMax) throw new UsageError(`${option} must have at most ${lengthMax} characters.`)
  return trimmed
}
const becauseIn = (text: string | undefined): string => short(text, '--because', REASON_LENGTH_MAX)

interface DecideOptions {
  readonly as?: string | undefined
  readonly other?: string | undefined
  readonly bank?: string | undefined
  readonly account?: string | undefined
  readonly reference?: string | undefined
  readonly merchant?: string | undefined
}

function resolutionIn({ as, other, bank, account, reference, merchant }: DecideOptions): Resolution {
  switch (as) {
    case 'cost':
    case 'own':
    case 'suspense':
      return { as }
    case 'moved':
      return { as, other: required(other, '--other') }
    case 'merchant':
      return { as, merchantCode: required(merchant, '--merchant') }
    case 'credit':
      if (bank === undefined || !/^\d{3,6}$/.test(bank))
        throw new UsageError('--bank must be a bank code of 3 to 6 digits.')
      if (account === undefined || !/^\d{10}$/.test(account))
        throw new UsageError('--account must be an account number of 10 digits.')
      if (reference !== undefined && !/^\S{1,128}$/.test(reference))
        throw new UsageError('--reference must have 1 to 128 characters without spaces.')
      return { as, bankCode: bank, accountNumber: account, ...(reference === undefined ? {} : { reference }) }
    default:
      throw new UsageError('--as must be cost, own, suspense, moved, credit or merchant.')
  }
}

const showItem = ({ id, partner, state, reason, day, note }: ItemRow) => ({
  id,
  partner,
  state,
  reason,
  day: dayText(day),
  note,
})
