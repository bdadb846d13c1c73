import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS, type EventType } from '@kobo/contract'
import { type Command, print, UsageError } from '../../command.ts'
import {
  aPaidPayment,
  contestedDispute,
  decidedDispute,
  dispute,
  fallBelowThreshold,
  fund,
  mandate,
  payInto,
  refund,
  transfer,
} from './acts.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'

/** What leads to an event. */
interface Cause {
  readonly told: string
  readonly bring: (remote: Remote) => Promise<unknown>
  /** Where the event comes only when time has passed: the sandbox's clock is moved so far ahead. */
  readonly thenSeconds?: number
}

const DAY_SECONDS = 86_400

const CAUSES: Readonly<Record<EventType, Cause>> = {
  SUCCESSFUL_TRANSACTION: { told: 'a payment by bank transfer', bring: (remote) => aPaidPayment(remote) },
  REJECTED_PAYMENT: {
    told: 'a payment that is paid twice',
    bring: async (remote) => payInto(remote, await aPaidPayment(remote)),
  },
  SUCCESSFUL_REFUND: { told: 'a refund', bring: (remote) => refund(remote, 'good') },
  FAILED_REFUND: { told: 'a refund to an account that takes none', bring: (remote) => refund(remote, 'failing') },
  DISPUTE_OPENED: { told: 'a payment that the payer’s bank wants back', bring: dispute },
  DISPUTE_UPDATE: { told: 'a dispute that is contested', bring: contestedDispute },
  DISPUTE_WON: { told: 'a dispute that is won', bring: (remote) => decidedDispute(remote, 'WON') },
  DISPUTE_LOST: { told: 'a dispute that is lost', bring: (remote) => decidedDispute(remote, 'LOST') },
  SUCCESSFUL_DISBURSEMENT: { told: 'a transfer', bring: (remote) => funded(remote, 'good') },
  FAILED_DISBURSEMENT: {
    told: 'a transfer to an account that takes none',
    bring: (remote) => funded(remote, 'failing'),
  },
  REVERSED_DISBURSEMENT: {
    told: 'a transfer that the bank sends back after five minutes',
    bring: (remote) => funded(remote, 'reversing'),
    thenSeconds: 360,
  },
  SETTLEMENT: {
    told: 'a payment, and the settlement of its day',
    bring: (remote) => aPaidPayment(remote),
    thenSeconds: DAY_SECONDS,
  },
  MANDATE_UPDATE: { told: 'a mandate to which the customer agrees', bring: mandate },
  ACCOUNT_ACTIVITY: { told: 'money into the wallet', bring: (remote) => fund(remote, 1_000) },
  LOW_BALANCE_ALERT: { told: 'a transfer that brings the wallet below its threshold', bring: fallBelowThreshold },
}

async function funded(remote: Remote, ending: Parameters<typeof transfer>[1]): Promise<string> {
  await fund(remote, 10_000)
  return transfer(remote, ending)
}

export const trigger: Command = {
  usage: `EVENT ${REMOTE_USAGE}`,
  summary: 'Brings an event about in the sandbox, by the payment, refund or transfer that leads to it, and prints it',
  details: `
${Object.entries(CAUSES)
  .map(
    ([type, { told, thenSeconds }]) =>
      `  ${type.padEnd(24)} ${told}${thenSeconds === undefined ? '' : '; moves the clock'}`,
  )
  .join('\n')}

It goes to the merchant's addresses as every event does, and to kobo listen.
${REMOTE_DETAILS}`,
  run: async (args, around) => {
    const { values, positionals } = parseArgs({ args, options: REMOTE_OPTIONS, allowPositionals: true })
    const [word, ...more] = positionals
    const type = Object.keys(EVENTS).find((known) => known === word?.toUpperCase()) as EventType | undefined
    if (type === undefined || more.length > 0)
      throw new UsageError(`EVENT must be one of ${Object.keys(EVENTS).join(', ')}.`)
    const event = await bringAbout(await connect(around, values), type)
    print(around, JSON.parse(event))
    return 0
  },
}

const LOOKS_MAX = 300
const LOOK_EVERY_MILLISECONDS = 200

/** Does what leads to an event; answers the event's text once it is there. */
export async function bringAbout(remote: Remote, type: EventType): Promise<string> {
  const { bring, thenSeconds } = CAUSES[type]
  let { cursor } = await remote.call(contract.listenToEvents, { query: {} })
  await bring(remote)
  if (thenSeconds !== undefined) await remote.call(contract.advanceClock, { body: { seconds: thenSeconds } })
  for (let look = 0; look < LOOKS_MAX; look++) {
    const heard = await remote.call(contract.listenToEvents, { query: { after: cursor } })
    cursor = heard.cursor
    const event = heard.events.find(({ eventType }) => eventType === type)
    if (event !== undefined) return event.body
    if (heard.events.length === 0) await pause(LOOK_EVERY_MILLISECONDS)
  }
  throw new Error(`${type} has not come within a minute: kobo events list shows what has.`)
}
