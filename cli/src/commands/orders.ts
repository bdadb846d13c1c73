import { parseArgs } from 'node:util'
import { ORDER_VERDICTS, REASON_LENGTH_MAX, TOLD_MAX, TOLD_NAME_PATTERN } from '@kobo/contract'
import {
  askByPerson,
  type DecisionRow,
  decide,
  decisionsAbout,
  findAmongAll,
  findDecidedOrder,
  findOpenOrder,
  type OrderRow,
  orderErrors,
  selectUnresolved,
  type Told,
  verdictsOn,
  type Word,
} from '@kobo/gateway/core/orders/index.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, required, UsageError, withCore } from '../command.ts'

export const ordersList: Command = {
  usage: '',
  summary: 'Lists the orders for which a person is called: nobody could say for days what became of them',
  details: `
Prints JSON, oldest first. Find out at the partner what became of an order, by its reference. Its money stays where it is
until then. When the partner can answer again: kobo orders ask REFERENCE. Where it never will: kobo orders resolve.
`,
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, (await selectUnresolved(core.db)).map(show))
      return 0
    })
  },
}

export const ordersAsk: Command = {
  usage: 'REFERENCE',
  summary: 'Has the partner asked again about an order for which a person was called',
  details: '\nThe gateway asks at once, and then by its schedule, as if the order had just been sent.\n',
  run: async (args, around) => {
    const reference = referenceIn(parseArgs({ args, allowPositionals: true }).positionals)
    return withCore(around, async ({ core }) => {
      print(around, show(await unitOfWork(core, (unit) => askByPerson(unit, reference, AT_THE_MACHINE))))
      return 0
    })
  },
}

export const ordersShow: Command = {
  usage: 'REFERENCE',
  summary: 'Shows an order, what was decided about it, and what would follow from each verdict',
  run: async (args, around) => {
    const reference = referenceIn(parseArgs({ args, allowPositionals: true }).positionals)
    return withCore(around, async ({ core }) => {
      const { db } = core
      const order =
        (await findOpenOrder(db, reference)) ??
        (await findDecidedOrder(db, reference)) ??
        (await findAmongAll(db, reference))
      if (order === undefined) throw orderErrors.unknownOrder()
      const decisions = (await decisionsAbout(db, order)).map(showDecision)
      print(around, { ...show(order), concludedAt: order.concludedAt, decisions, verdicts: verdictsOn(order) })
      return 0
    })
  },
}

export const ordersResolve: Command = {
  usage: `REFERENCE --as ${ORDER_VERDICTS.join('|')} --because TEXT --by NAME [--told NAME=VALUE …]`,
  summary: 'Says what became of an order for which a person is called; counts once a second person says the same',
  details: `
Find out at the partner first: what is decided moves money and cannot be taken back. One person proposes, another confirms by
the same call under a name of their own. Then the gateway concludes the order within seconds as if the partner had said so;
kobo orders show REFERENCE tells when. Where the partner answers before that, its answer counts, and the decision is moot.
Another verdict than the one that was proposed begins anew. not-found says that the partner never had it and never will:
what can be sent again is, under a new reference; failed gives it up. --told is what the partner told with it, as
sessionId=… of a transfer or token=… of a bill; kobo orders show tells what is needed, and what follows from each verdict.
`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        because: { type: 'string' },
        by: { type: 'string' },
        told: { type: 'string', multiple: true },
      },
    })
    const reference = referenceIn(positionals)
    const verdict = ORDER_VERDICTS.find((one) => one === values.as)
    if (verdict === undefined) throw new UsageError(`Say what became of it: --as ${ORDER_VERDICTS.join(', ')}.`)
    const word: Word = {
      verdict,
      by: short(required(values.by, '--by'), '--by', NAME_LENGTH_MAX),
      because: short(required(values.because, '--because'), '--because', REASON_LENGTH_MAX),
      told: toldIn(values.told ?? []),
    }
    return withCore(around, async ({ core }) => {
      print(around, showDecision(await unitOfWork(core, (unit) => decide(unit, reference, word, AT_THE_MACHINE))))
      return 0
    })
  },
}

const AT_THE_MACHINE = { actor: 'command line' } as const
const NAME_LENGTH_MAX = 100
const TOLD_NAME = new RegExp(TOLD_NAME_PATTERN)

function referenceIn(positionals: readonly string[]): string {
  const [reference] = positionals
  if (reference === undefined || positionals.length > 1) throw new UsageError('Name one order by its reference.')
  return reference
}

function short(text: string, option: string, lengthMax: number): string {
  const trimmed = text.trim().replace(/\s+/g, ' ')
  if (trimmed.length > lengthMax) throw new UsageError(`${option} has ${lengthMax} characters at the most.`)
  return trimmed
}

function toldIn(pairs: readonly string[]): Told {
  if (pairs.length > TOLD_MAX) throw new UsageError(`--told is taken ${TOLD_MAX} times at the most.`)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(pair) ?? []
      if (!TOLD_NAME.test(name) || value.trim() === '') throw new UsageError('--told is NAME=VALUE, as sessionId=1234.')
      return [name, short(value, '--told', REASON_LENGTH_MAX)]
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
