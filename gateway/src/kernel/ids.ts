import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'
import { compact } from './dates.ts'
import { invariant } from './errors.ts'

/** At most this many nodes run at once, because the node number is two digits of every transaction reference. */
export const NODES_MAX = 100

/** Creates references and ids unique across nodes, without coordination. */
export interface IdSource {
  /** Creates an id that grows with time. Its 63 bits are milliseconds, node and counter. */
  readonly id: () => bigint
  /** Creates a reference such as `KOBO|NN|yyyyMMddHHmmss|NNNNNN`: node, time, counter. */
  readonly transactionReference: () => string
  /** Creates a transaction reference with its id, which equals the result of `transactionIdOf`. */
  readonly transaction: () => { readonly id: bigint; readonly transactionReference: string }
  /**
   * Creates the reference of a transfer or batch: kind, 3 digits of the node, yyyyMMddHHmmss, 6 digits of a counter, 6
   * random letters or digits.
   */
  readonly disbursementReference: (kind: 'KFDS' | 'KFDB') => string
  /** The digits of this installation; empty if there is only one installation. */
  readonly cell: string
  /** Creates a session id of 30 digits, which banks use: institution, time, installation, node, counter. */
  readonly sessionId: (institutionCode: string) => string
  /** Creates the reference of a bill: prefix, yyMMddHHmmss, 4 hexadecimal digits of node and counter. */
  readonly shortReference: (prefix: string) => string
  /** Returns the last second used in an id. It is ahead of the clock if the current second had too few ids. */
  readonly lastSecond: () => number
}

/**
 * The node numbers of an installation. They are part of every id, so two installations at one partner must not share
 * any.
 */
export interface NodeNumbers {
  readonly first: number
  readonly last: number
}

/** A node number, and the first second that no earlier holder can have used. */
export interface NodeNumber {
  readonly number: number
  readonly firstSecond: number
}

const EPOCH_MILLISECONDS = Date.UTC(2024, 0, 1)
const NODE_BITS = 7n
const COUNTER_BITS = 15n
const BITS_BELOW_TIME = NODE_BITS + COUNTER_BITS
const COUNTERS_PER_MILLISECOND = 1 << Number(COUNTER_BITS)
const COUNTERS_PER_SECOND = 1_000_000
const SHORT_COUNTER_BITS = 9
/**
 * A transaction reference opens a checkout, so one reference must not reveal another. Each second's counter starts at a
 * random number below half a million and grows by random steps of up to `LEAP_MAX`. That leaves room for more than
 * 15,000 per second.
 */
const FIRST_COUNTERS = 500_000
const LEAP_MAX = 32

/** Returns when an id was created, in Unix milliseconds of business time. */
export const momentOf = (id: bigint): number => Number(id >> BITS_BELOW_TIME) + EPOCH_MILLISECONDS

/**
 * How many seconds ids may be ahead of the clock. The lease of a dead node lasts longer than this, so the next holder
 * of its node number starts after the last second that the dead node used.
 */
export const BORROWED_SECONDS_MAX = 30

/** Creates ids. Throws `exhausted` if more ids are requested than fit into the seconds that may be borrowed. */
export function idSource(
  clock: Clock,
  prefix: string,
  node: NodeNumber,
  cell = '',
  exhausted = (): Error => new Error('more ids were requested than a node can create'),
): IdSource {
  invariant(node.number >= 0 && node.number < NODES_MAX, 'a node number has two digits')
  const nodeDigits = String(node.number).padStart(2, '0')

  const ofSeconds: Ticking = {
    now: () => Math.floor(clock.now().getTime() / 1_000),
    first: node.firstSecond,
    borrowedMax: BORROWED_SECONDS_MAX,
    exhausted,
  }
  const ofMilliseconds: Ticking = {
    now: () => clock.now().getTime(),
    first: node.firstSecond * 1_000,
    borrowedMax: BORROWED_SECONDS_MAX * 1_000,
    exhausted,
  }
  const milliseconds = tick(ofMilliseconds, COUNTERS_PER_MILLISECOND)
  const seconds = tick(ofSeconds, COUNTERS_PER_SECOND)
  const shortSeconds = tick(ofSeconds, 1 << SHORT_COUNTER_BITS)
  const scattered = tick(ofSeconds, COUNTERS_PER_SECOND, randomBelow(FIRST_COUNTERS), randomBelow(LEAP_MAX))

  const secondText = remembered((second: number) => compact(new Date(second * 1_000)))

  const transaction = (): { id: bigint; transactionReference: string } => {
    const { time, counter } = scattered()
    const counterDigits = String(counter).padStart(6, '0')
    return {
      id: transactionId(time - EPOCH_MILLISECONDS / 1_000, node.number, counter),
      transactionReference: `${prefix}|${nodeDigits}|${secondText(time)}|${counterDigits}`,
    }
  }
  return {
    cell,
    id: () => {
      const { time, counter } = milliseconds()
      const sinceEpoch = BigInt(time - EPOCH_MILLISECONDS)
      return (((sinceEpoch << NODE_BITS) | BigInt(node.number)) << COUNTER_BITS) | BigInt(counter)
    },
    transaction,
    transactionReference: () => transaction().transactionReference,
    disbursementReference: (kind) => {
      const { time, counter } = seconds()
      return `${kind}0${nodeDigits}${secondText(time)}${String(counter).padStart(6, '0')}${randomCode(6)}`
    },
    sessionId: (institutionCode) => {
      const { time, counter } = seconds()
      return `${institutionCode}${secondText(time).slice(2)}${cell.padStart(4, '0')}${nodeDigits}${String(counter).padStart(6, '0')}`
    },
    shortReference: (start) => {
      const { time, counter } = shortSeconds()
      const hex = ((node.number << SHORT_COUNTER_BITS) | counter).toString(16).padStart(4, '0')
      return `${start}${secondText(time).slice(2)}${hex}`
    },
    lastSecond: () =>
      Math.max(
        Math.floor(milliseconds.time() / 1_000),
        ...[seconds, shortSeconds, scattered].map(({ time }) => time()),
      ),
  }
}

const TRANSACTION_REFERENCE = /^[A-Z]{2,8}\|(\d{2})\|(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\|(\d{6})$/
const SECOND_COUNTER_BITS = 20n // just over a million

/**
 * Computes a transaction's id from its reference: seconds, node and counter, in 63 bits. So a transaction is found by
 * its reference without another index. Undefined for other texts.
 */
export function transactionIdOf(transactionReference: string): bigint | undefined {
  const match = TRANSACTION_REFERENCE.exec(transactionReference)
  if (match === null) return undefined
  const [node = 0, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, counter = 0] = match
    .slice(1)
    .map(Number)
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second) - EPOCH_MILLISECONDS
  if (milliseconds < 0) return undefined
  return transactionId(milliseconds / 1_000, node, counter)
}

const transactionId = (seconds: number, node: number, counter: number): bigint =>
  (((BigInt(seconds) << NODE_BITS) | BigInt(node)) << SECOND_COUNTER_BITS) | BigInt(counter)

export const ID_MAX = 2n ** 63n - 1n

/** Returns the lowest id of a moment. All earlier ids are below it. */
export const firstIdAt = (moment: Date): bigint => idOf(moment.getTime())

const idOf = (milliseconds: number): bigint => BigInt(milliseconds - EPOCH_MILLISECONDS) << (NODE_BITS + COUNTER_BITS)

/** Returns when an id was created. */
export const momentOfId = (id: bigint): Date => new Date(EPOCH_MILLISECONDS + Number(id >> (NODE_BITS + COUNTER_BITS)))

/** Returns the difference between two ids that are this many seconds apart. */
export const idsIn = (seconds: number): bigint => BigInt(seconds * 1_000) << (NODE_BITS + COUNTER_BITS)

/** Returns the lowest transaction id of the second that contains a moment. */
export const firstTransactionIdAt = (moment: Date): bigint =>
  transactionId(Math.floor((moment.getTime() - EPOCH_MILLISECONDS) / 1_000), 0, 0)

/** Returns the second in which a transaction was created. */
export const momentOfTransactionId = (id: bigint): Date =>
  new Date(EPOCH_MILLISECONDS + Number(id >> (NODE_BITS + SECOND_COUNTER_BITS)) * 1_000)

/** Caches the last result: many references are created within one second. */
function remembered<A, B>(make: (request: A) => B): (request: A) => B {
  let last: { readonly request: A; readonly result: B } | undefined
  return (request) => {
    if (last?.request !== request) last = { request, result: make(request) }
    return last.result
  }
}

const never = (): number => 0

interface Tick {
  (): { time: number; counter: number }
  /** The time of the last pair of time and counter. */
  readonly time: () => number
}

/** The clock, the earliest time to use, and how far the time may be ahead of the clock. */
interface Ticking {
  readonly now: () => number
  readonly first: number
  readonly borrowedMax: number
  readonly exhausted: () => Error
}

/**
 * Creates pairs of time and counter that never repeat. The time never goes back; when its counter is used up, the time
 * moves ahead of the clock. The counter starts at `start()` for each time and skips `skip()` numbers, none by default.
 */
function tick(ticking: Ticking, countersPerTick: number, start = never, skip = never): Tick {
  const { now, first, borrowedMax, exhausted } = ticking
  let time = first
  let counter = start() - 1
  const next = (): { time: number; counter: number } => {
    const present = now()
    counter += 1 + skip()
    if (present > time || counter >= countersPerTick) {
      const later = Math.max(present, time + 1)
      if (later > Math.max(present + borrowedMax, first)) throw exhausted()
      time = later
      counter = start()
    }
    return { time, counter }
  }
  return Object.assign(next, { time: () => time })
}

const RANDOM_NUMBERS = 1_024
const UINT32_VALUES = 2 ** 32

/** Creates a function that returns random whole numbers below a bound, from a buffer. */
function randomBelow(bound: number): () => number {
  const store = new Uint32Array(RANDOM_NUMBERS)
  let left = 0
  return () => {
    if (left === 0) {
      randomFillSync(store)
      left = RANDOM_NUMBERS
    }
    left--
    return Math.floor(((store[left] ?? 0) / UINT32_VALUES) * bound)
  }
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export const randomCode = (length: number): string => randomFrom(LETTERS_AND_DIGITS, length)
/** Returns random lower-case letters and digits that are hard to confuse, for URLs that people may type. */
export const randomSlug = (length: number): string => randomFrom('abcdefghijkmnpqrstuvwxyz23456789', length)
export const randomDigits = (length: number): string => randomFrom('0123456789', length)
export const randomHex = (length: number): string => randomFrom('0123456789abcdef', length)

function randomFrom(alphabet: string, length: number): string {
  const bound = 256 - (256 % alphabet.length) // larger bytes would favour the first letters
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < bound) text += alphabet[byte % alphabet.length]
  }
  return text
}

const randomStore = new Uint8Array(4_096)
let randomUsed = randomStore.length

/** Returns a random byte from a buffer, because requesting a few bytes costs as much as requesting thousands. */
function randomByte(): number {
  if (randomUsed === randomStore.length) {
    randomFillSync(randomStore)
    randomUsed = 0
  }
  const byte = randomStore[randomUsed] ?? 0
  randomStore[randomUsed++] = 0 // the byte may be part of a secret
  return byte
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID_TIME_LENGTH = 10
const ULID_RANDOM_LENGTH = 16

/** Creates a ULID: 48 bits of time and 80 random bits, so later ULIDs sort last and none can be guessed. */
export function ulid(at: Date): string {
  let text = ''
  let rest = at.getTime()
  invariant(rest >= 0 && rest < 2 ** 48, 'a ULID has 48 bits of time')
  for (let place = 0; place < ULID_TIME_LENGTH; place++) {
    text = CROCKFORD.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text + randomFrom(CROCKFORD, ULID_RANDOM_LENGTH)
}
