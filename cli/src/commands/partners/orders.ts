import { parseArgs } from 'node:util'
import { DETAIL_NAME_PATTERN, DETAILS_MAX, ORDER_VERDICTS, REASON_LENGTH_MAX } from '@kobo/contract'
import {
  type DecisionRow,
  decidableSince,
  decide,
  decisionsAbout,
  findAmongAll,
  findDecidedOrder,
  findOpenOrder,
  type OrderRow,
  orderErrors,
  queryByOperator,
  type ReportedDetails,
  selectUnresolved,
  type Vote,
  verdictsOn,
} from '@kobo/gateway/core/orders/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, required, UsageError, withCore } from '../../command.ts'
import { nameIn, operatorIn } from '../../operator.ts'

export const ordersList: Command = {
  usage: '',
  summary: 'Lists orders whose outcome is unresolved, or still unknown after a day',
  details: `
Prints JSON, oldest first. Ask the partner for the outcome by the order's reference. Its money stays reserved until then. Kobo still
queries the partner about orders in state SENT. For UNRESOLVED ones, run ./kobo orders ask REFERENCE once the partner's system knows
the outcome, or ./kobo orders resolve REFERENCE if it never will.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, (await selectUnresolved(core.db, decidableSince(core.clock.now()))).map(show))
      return 0
    })
  },
}

export const ordersAsk: Command = {
  usage: 'REFERENCE',
  summary: 'Queries the partner now about an order that is unresolved or may still come back',
  details: '\nThe gateway queries the partner at once and restarts the query schedule.\n',
  run: async (args, context) => {
    const reference = referenceIn(parseArgs({ args, allowPositionals: true }).positionals)
    return withCore(context, async ({ core }) => {
      print(context, show(await unitOfWork(core, (unit) => queryByOperator(unit, reference, BY_COMMAND_LINE))))
      return 0
    })
  },
}

export const ordersShow: Command = {
  usage: 'REFERENCE',
  summary: 'Shows an order, the decisions about it, and what each verdict would do',
  details: `
state is HELD (waits for release), WAITING (to be sent), SENT (no outcome yet), WATCHED (has arrived, and may come back until its
finalAt), UNRESOLVED (needs manual review) or CONCLUDED.
`,
  run: async (args, context) => {
    const reference = referenceIn(parseArgs({ args, allowPositionals: true }).positionals)
    return withCore(context, async ({ core }) => {
      const { db } = core
      const order =
        (await findOpenOrder(db, reference)) ??
        (await findDecidedOrder(db, reference)) ??
        (await findAmongAll(db, reference))
      if (order === undefined) throw orderErrors.unknownOrder()
      const decisions = (await decisionsAbout(db, order)).map(showDecision)
      print(context, {
        ...show(order),
        concludedAt: order.concludedAt,
        decisions,
        verdicts: verdictsOn(order, core.clock.now()),
      })
      return 0
    })
  },
}

export const ordersResolve: Command = {
  usage: `REFERENCE --as ${ORDER_VERDICTS.join('|')} --because TEXT --by EMAIL [--detail NAME=VALUE …]`,
  summary: 'Records the outcome of an unresolved order; takes effect once a second person confirms it',
  details: `
Ask the partner first: the decision moves money and cannot be undone. One operator proposes; another confirms with the same command
and their own address in --by. Both prove who they are with KOBO_OPERATOR_TOKEN, a token from their profile in the dashboard. The
gateway then concludes the order within seconds; "./kobo orders show REFERENCE" shows when. If the partner responds first, its
response counts instead. A different verdict starts a new proposal.

not-found   The partner never received the order and never will. It is retried under a new reference if possible.
failed      The order failed and is not retried.
--detail      A value that the partner gave you, such as sessionId=… of a transfer or token=… of a bill. "./kobo orders show" lists the
            required values and what each verdict does.
`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        because: { type: 'string' },
        by: { type: 'string' },
        detail: { type: 'string', multiple: true },
      },
    })
    const reference = referenceIn(positionals)
    const verdict = ORDER_VERDICTS.find((one) => one === values.as)
    if (verdict === undefined) throw new UsageError(`--as must be one of ${ORDER_VERDICTS.join(', ')}.`)
    nameIn(values.by)
    const word: Omit<Vote, 'by'> = {
      verdict,
      because: short(required(values.because, '--because'), '--because', REASON_LENGTH_MAX),
      told: detailsIn(values.detail ?? []),
    }
    return withCore(context, async (gateway) => {
      const { name, by } = await operatorIn(context, gateway, values.by)
      const decided = await unitOfWork(gateway.core, (unit) => decide(unit, reference, { ...word, by: name }, by))
      print(context, showDecision(decided))
      return 0
    })
  },
}

const BY_COMMAND_LINE = { actor: 'command line' } as const
const DETAIL_NAME = new RegExp(DETAIL_NAME_PATTERN)

function referenceIn(positionals: readonly string[]): string {
  const [reference] = positionals
  if (reference === undefined || positionals.length > 1) throw new UsageError('Specify one order reference.')
  return reference
}

function short(text: string, option: string, lengthMax: number): string {
  const trimmed = text.trim().replace(/\s+/g, ' ')
  if (trimmed.length > lengthMax) throw new UsageError(`${option} must have at most ${lengthMax} characters.`)
  return trimmed
}

function detailsIn(pairs: readonly string[]): ReportedDetails {
  if (pairs.length > DETAILS_MAX) throw new UsageError(`--detail can be used at most ${DETAILS_MAX} times.`)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(pair) ?? []
      if (!DETAIL_NAME.test(name) || value.trim() === '')
        throw new UsageError('--detail must be NAME=VALUE, such as sessionId=1234.')
      return [name, short(value, '--detail', REASON_LENGTH_MAX)]
    }),
  )
}

const showDecision = ({ merchantId, orderId, ...decision }: DecisionRow) => decision

const show = (order: OrderRow) => ({
  reference: order.reference,
  purpose: order.purpose,
  merchantId: order.merchantId,
  partner: order.partner,
  slot: order.slot,
  amount: toNaira(order.amount),
  tries: order.tries,
  unknownAnswers: order.unknownAnswers,
  createdAt: order.createdAt,
  state: order.state,
})
