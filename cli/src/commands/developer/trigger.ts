import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS, type EventType } from '@kobo/contract'
import { type Command, print, UsageError } from '../../command.ts'
import { PROGRAM } from '../../program.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'
import {
  aPaidPayment,
  challengedDispute,
  decidedDispute,
  dispute,
  fallBelowThreshold,
  fund,
  mandate,
  payInto,
  refund,
  transfer,
} from './sandbox-actions.ts'

/** The action that causes an event. */
interface Cause {
  readonly description: string
  readonly run: (remote: Remote) => Promise<unknown>
  /** How far to move the sandbox's clock, if the event is scheduled for later. */
  readonly advanceSeconds?: number
}

const DAY_SECONDS = 86_400

const CAUSES: Readonly<Record<EventType, Cause>> = {
  SUCCESSFUL_TRANSACTION: { description: 'a payment by bank transfer', run: (remote) => aPaidPayment(remote) },
  REJECTED_PAYMENT: {
    description: 'a payment that is paid twice',
    run: async (remote) => payInto(remote, await aPaidPayment(remote)),
  },
  SUCCESSFUL_REFUND: { description: 'a refund', run: (remote) => refund(remote, 'good') },
  FAILED_REFUND: { description: 'a refund to an account that rejects it', run: (remote) => refund(remote, 'failing') },
  DISPUTE_OPENED: { description: 'a payment that the payer’s bank recalls', run: dispute },
  DISPUTE_UPDATE: { description: 'a dispute that is challenged', run: challengedDispute },
  DISPUTE_WON: { description: 'a dispute that is won', run: (remote) => decidedDispute(remote, 'WON') },
  DISPUTE_LOST: { description: 'a dispute that is lost', run: (remote) => decidedDispute(remote, 'LOST') },
  SUCCESSFUL_DISBURSEMENT: { description: 'a transfer', run: (remote) => funded(remote, 'good') },
  FAILED_DISBURSEMENT: {
    description: 'a transfer to an account that rejects it',
    run: (remote) => funded(remote, 'failing'),
  },
  REVERSED_DISBURSEMENT: {
    description: 'a transfer that the bank reverses after five minutes',
    run: (remote) => funded(remote, 'reversing'),
    advanceSeconds: 360,
  },
  SETTLEMENT: {
    description: 'a payment and its settlement',
    run: (remote) => aPaidPayment(remote),
    advanceSeconds: DAY_SECONDS,
  },
  MANDATE_UPDATE: { description: 'a mandate that the customer authorizes', run: mandate },
  ACCOUNT_ACTIVITY: { description: 'money into the wallet', run: (remote) => fund(remote, 1_000) },
  LOW_BALANCE_ALERT: { description: 'a transfer that takes the wallet below its threshold', run: fallBelowThreshold },
}

async function funded(remote: Remote, ending: Parameters<typeof transfer>[1]): Promise<string> {
  await fund(remote, 10_000)
  return transfer(remote, ending)
}

export const trigger: Command = {
  usage: `EVENT ${REMOTE_USAGE}`,
  summary: 'Triggers a webhook event with a sandbox payment, refund or transfer, and prints it',
  details: `
${Object.entries(CAUSES)
  .map(
    ([type, { description, advanceSeconds }]) =>
      `  ${type.padEnd(24)} ${description}${advanceSeconds === undefined ? '' : '; moves the clock'}`,
  )
  .join('\n')}

The event goes to the merchant's webhook URLs like any other, and to "${PROGRAM} listen".
${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, options: REMOTE_OPTIONS, allowPositionals: true })
    const [word, ...more] = positionals
    const type = Object.keys(EVENTS).find((known) => known === word?.toUpperCase()) as EventType | undefined
    if (type === undefined || more.length > 0)
      throw new UsageError(`EVENT must be one of ${Object.keys(EVENTS).join(', ')}.`)
    const event = await triggerEvent(await connect(context, values), type)
    print(context, JSON.parse(event))
    return 0
  },
}

const POLLS_MAX = 300
const POLL_MILLISECONDS = 200

/** Runs the action that causes an event, waits for the event and returns its body. */
export async function triggerEvent(remote: Remote, type: EventType): Promise<string> {
  const { run, advanceSeconds } = CAUSES[type]
  let { cursor } = await remote.call(contract.listenToEvents, { query: {} })
  await run(remote)
  if (advanceSeconds !== undefined) await remote.call(contract.advanceClock, { body: { seconds: advanceSeconds } })
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    const page = await remote.call(contract.listenToEvents, { query: { after: cursor } })
    cursor = page.cursor
    const event = page.events.find(({ eventType }) => eventType === type)
    if (event !== undefined) return event.body
    if (page.events.length === 0) await pause(POLL_MILLISECONDS)
  }
  throw new Error(`No ${type} event within a minute. GET /sandbox/events lists what was sent.`)
}
