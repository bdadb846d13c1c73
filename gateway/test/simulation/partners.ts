import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Clock, secondsAfter } from '../../src/kernel/clock.ts'
import type { Rails } from '../../src/rails/index.ts'
import {
  type AccessControl,
  type SimulatedBook,
  simulatedAccessControl,
  simulatedRails,
} from '../../src/rails/simulated/index.ts'
import type { Unknown } from '../../src/rails/unknown.ts'
import type { BankEffect } from '../bookkeeper/check-books.ts'
import { type Misbehaviour, railAdapter } from '../rails/adapter.ts'

/** An operation as it came over the wire. */
interface Requested {
  readonly operation: string
  readonly amount: bigint
}

/**
 * The banks, the card network and the billers of a simulation, with their own book that no node can reach. They
 * keep every promise of the protocol, and are otherwise as unreliable as real partners.
 */
export interface Partners {
  readonly url: string
  /** Card holders, who confirm payments when the issuer challenges them. */
  readonly holders: AccessControl
  /** The holder's next page, by the reference of the charge. */
  readonly returnUrls: ReadonlyMap<string, string>
  /** Lets this seed decide how the partners behave from now on. */
  readonly begin: (seed: number) => void
  /** Delivers the requests that the network delayed. */
  readonly deliverLate: () => Promise<void>
  /** Makes the partners respond to everything from now on, at once and truthfully. */
  readonly behave: () => Promise<void>
  /** Money that left, arrived or came back, by the partners' own books and with our references. */
  readonly effects: () => Promise<readonly BankEffect[]>
  /** References that were used for two different orders. */
  readonly contradictions: readonly string[]
}

type Fate = 'as asked' | 'unknown for hours' | 'unknown for days' | 'arrives late' | 'is overtaken' | Misbehaviour

/** The percentage of orders with each fate. All others are executed as requested. */
const FATES: readonly (readonly [number, Fate])[] = [
  [8, 'broken'],
  [6, 'unreachable'],
  [5, 'unknown for hours'],
  [1, 'unknown for days'],
  [5, 'arrives late'],
  [2, 'is overtaken'],
  [3, { status: 502, text: 'Bad gateway' }],
  [3, { status: 200, text: '{"kind":"perhaps"}' }],
]
/** The percentage of queries with each fate. */
const FATES_OF_QUERIES: readonly (readonly [number, Fate])[] = [
  [5, 'unreachable'],
  [5, { status: 502, text: 'Bad gateway' }],
]
const HOURS_UNKNOWN = 3
/** Shorter than the time until an order needs manual review. */
const DAYS_UNKNOWN = 2

/** The operations that move money, each with the response of a success. */
const MOVES: Readonly<Record<string, string>> = {
  'transfer/send': 'succeeded',
  'card/charge': 'approved',
  'card/refund': 'refunded',
  'debit/debit': 'paid',
  'biller/vend': 'vended',
}
/** The name under which our nodes know these partners. */
export const PARTNER = 'adapter'
const UNKNOWN: Unknown = { kind: 'unknown' }
/** How long an overtaken order waits for another node's query, in real time. */
const OVERTAKEN_MILLISECONDS_MAX = 1_000

interface World {
  readonly clock: Clock
  readonly wall: Clock
  /** Lets the order's sender hang until its lease ends, so that another node takes the order. */
  readonly loseLease: (reference: string) => Promise<void>
}

export async function partners(t: TestContext, { clock, wall, loseLease }: World): Promise<Partners> {
  const book = memory()
  const world = { clock, book }
  const honest = simulatedRails(world)
  const sent = new Map<string, Requested>()
  const silentUntil = new Map<string, Date>()
  const returnUrls = new Map<string, string>()
  const contradictions: string[] = []
  let late: (() => Promise<unknown>)[] = []
  let chance: ((what: string) => number) | undefined

  /** The fate of a request. It does not depend on the reference, because references differ from run to run. */
  function fateOf(operation: string, reported: Notification): Fate {
    if (chance === undefined) return 'as asked'
    const isOrder = operation in MOVES
    const percent = chance(`${operation} ${reported.amount ?? ''} ${whoOf(reported)}`)
    let sum = 0
    for (const [share, fate] of isOrder ? FATES : FATES_OF_QUERIES) {
      sum += share
      if (percent < sum) return fate
    }
    return 'as asked'
  }

  function note(operation: string, { reference = '', amount, returnUrl }: Notification): void {
    const expected = { operation, amount: BigInt(amount ?? 0) }
    const before = sent.get(reference)
    if (before !== undefined && (before.operation !== operation || before.amount !== expected.amount))
      contradictions.push(`${reference}: ${before.operation} ${before.amount}, then ${operation} ${expected.amount}`)
    sent.set(reference, expected)
    if (returnUrl !== undefined) returnUrls.set(reference, returnUrl)
  }

  const fates = new Map<string, Fate>()
  const adapter = await railAdapter(
    t,
    unreliable(honest, fates, silentUntil, { clock, loseLease, later: (act) => late.push(act) }),
    wall,
  )
  adapter.misbehaving = (operation, reported: Notification) => {
    const fate = fateOf(operation, reported)
    if (operation in MOVES) {
      fates.set(reported.reference ?? '', fate)
      if (fate !== 'unreachable') note(operation, reported)
    }
    return typeof fate === 'object' || fate === 'broken' || fate === 'unreachable' ? fate : undefined
  }
  const deliverLate = async (): Promise<void> => {
    const arriving = late
    late = []
    for (const arrive of arriving) await arrive()
  }
  return {
    url: adapter.url,
    holders: simulatedAccessControl(world),
    returnUrls,
    contradictions,
    begin: (seed) => {
      chance = percentOf(seed)
    },
    deliverLate,
    behave: async () => {
      chance = undefined
      await deliverLate()
    },
    effects: async () => {
      const effects: BankEffect[] = []
      for (const [reference, { operation, amount }] of sent) {
        const { kind } = await find(honest, operation, reference)
        const outcome = kind === MOVES[operation] ? 'paid' : kind === 'reversed' ? 'returned' : undefined
        if (outcome !== undefined) effects.push({ partner: PARTNER, reference, amount, outcome })
      }
      return effects
    },
  }
}

/** The parts of an operation's body that matter here. */
interface Notification {
  readonly reference?: string
  readonly amount?: number
  readonly returnUrl?: string
  readonly accountNumber?: string
  readonly customerId?: string
  readonly destination?: { readonly accountNumber: string }
  readonly card?: { readonly number: string }
}

const whoOf = ({ accountNumber, customerId, destination, card }: Notification): string =>
  accountNumber ?? customerId ?? destination?.accountNumber ?? card?.number ?? ''

/** Creates a function that returns a number below 100 for a text, and another one each time. */
function percentOf(seed: number): (what: string) => number {
  const times = new Map<string, number>()
  return (what) => {
    const time = times.get(what) ?? 0
    times.set(what, time + 1)
    return createHash('sha256').update(`${seed} ${time} ${what}`).digest().readUInt32BE() % 100
  }
}

const find = (rails: Rails, operation: string, reference: string): Promise<{ readonly kind: string }> => {
  switch (operation) {
    case 'transfer/send':
      return rails.transfer.find(reference)
    case 'card/charge':
      return rails.card.find(reference)
    case 'card/refund':
      return rails.card.findRefund(reference)
    case 'debit/debit':
      return rails.debit.findDebit(reference)
    default:
      return rails.biller.findVend(reference)
  }
}

interface Delays extends Pick<World, 'clock' | 'loseLease'> {
  readonly later: (act: () => Promise<unknown>) => void
}

/** Rails that may return `unknown` for hours and process some requests late. */
function unreliable(
  rails: Rails,
  fates: ReadonlyMap<string, Fate>,
  silentUntil: Map<string, Date>,
  { clock, loseLease, later }: Delays,
): Rails {
  const overtaken = new Map<string, () => void>()

  /** Waits until another node has queried an order that has not arrived yet, or until a timeout. */
  async function beOvertaken(reference: string): Promise<void> {
    const request = Promise.withResolvers<void>()
    overtaken.set(reference, request.resolve)
    const waited = setTimeout(request.resolve, OVERTAKEN_MILLISECONDS_MAX)
    await loseLease(reference)
    await request.promise
    clearTimeout(waited)
  }

  /** Runs an order as its fate decides. */
  async function order<Result>(reference: string, carryOut: () => Promise<Result>): Promise<Result | Unknown> {
    const fate = fates.get(reference)
    if (fate === 'arrives late') {
      later(carryOut)
      return UNKNOWN
    }
    if (fate === 'is overtaken') await beOvertaken(reference)
    const response = await carryOut()
    const hours = fate === 'unknown for days' ? DAYS_UNKNOWN * 24 : fate === 'unknown for hours' ? HOURS_UNKNOWN : 0
    if (hours === 0) return response
    silentUntil.set(reference, secondsAfter(clock.now(), hours * 3_600))
    return UNKNOWN
  }
  async function callRoute<Result>(reference: string, response: () => Promise<Result>): Promise<Result | Unknown> {
    const until = silentUntil.get(reference)
    if (until !== undefined && clock.now() < until) return UNKNOWN
    const answered = await response()
    overtaken.get(reference)?.()
    return answered
  }
  const { biller, card, debit, transfer } = rails
  return {
    ...rails,
    biller: {
      ...biller,
      vend: (request) => order(request.reference, () => biller.vend(request)),
      findVend: (reference) => callRoute(reference, () => biller.findVend(reference)),
    },
    card: {
      ...card,
      charge: (request) => order(request.reference, () => card.charge(request)),
      find: (reference) => callRoute(reference, () => card.find(reference)),
      refund: (request) => order(request.reference, () => card.refund(request)),
      findRefund: (reference) => callRoute(reference, () => card.findRefund(reference)),
    },
    debit: {
      debit: (request) => order(request.reference, () => debit.debit(request)),
      findDebit: (reference) => callRoute(reference, () => debit.findDebit(reference)),
    },
    transfer: {
      ...transfer,
      send: (request) => order(request.reference, () => transfer.send(request)),
      find: (reference) => callRoute(reference, () => transfer.find(reference)),
    },
  }
}

/** The partners' memory. */
function memory(): SimulatedBook {
  const entries = new Map<string, { facts: Readonly<Record<string, unknown>>; at: Date }>()
  return {
    keep: async (rail, reference, facts, at) => {
      const key = `${rail} ${reference}`
      const entry = entries.get(key) ?? { facts: { ...facts }, at }
      entries.set(key, entry)
      return entry
    },
    read: async (rail, reference) => entries.get(`${rail} ${reference}`),
    replace: async (rail, reference, before, facts) => {
      const entry = entries.get(`${rail} ${reference}`)
      if (entry === undefined || JSON.stringify(entry.facts) !== JSON.stringify(before)) return false
      entry.facts = { ...facts }
      return true
    },
  }
}
