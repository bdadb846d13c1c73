import { compact, lagosCompact } from '@kobo/gateway/kernel/dates.ts'
import { narrationOf, type Order } from '../../kit/index.ts'
import type { Message } from './codec.ts'

const NAIRA = '566'
const PURCHASE = '000000'
/** E-commerce: neither card nor holder is present. */
const ENTRY_MODE = '812'
const CONDITION = '59'
const NO_RESPONSE = '68'
const NAME_LENGTH = 38

/** The values agreed with the acquirer. */
export interface Acquirer {
  readonly acquirer: string
  readonly terminal: string
  readonly merchant: string
  readonly category: string
}

export interface Charge extends Order {
  readonly amount: number
  readonly card: { readonly number: string; readonly expiryMonth: string; readonly expiryYear: string }
  readonly merchantName: string
}

/** A charge's identifiers at the switch, derived from its order. */
export interface Trace {
  /** MMDDhhmmss in UTC. */
  readonly sentAt: string
  readonly localTime: string
  readonly localDay: string
  readonly stan: string
  /** Twelve letters and digits, unique forever. */
  readonly rrn: string
}

const NODE_SHIFT = 15n
const NODES = 128n
const COUNTERS = 1n << NODE_SHIFT
const MILLISECOND_SHIFT = 22n

/**
 * Derives the identifiers from the order's id, which has milliseconds, node and counter. The STAN has six digits that
 * differ within a second: three for the millisecond, two for the node and one for the counter. The RRN is the whole id
 * in twelve letters and digits.
 */
export function traceOf({ sequence, placedAt }: Order): Trace | undefined {
  if (sequence === undefined || placedAt === undefined) return undefined
  const number = BigInt(sequence)
  const millisecond = (number >> MILLISECOND_SHIFT) % 1_000n
  const node = ((number >> NODE_SHIFT) % NODES) % 100n
  const counter = (number % COUNTERS) % 10n
  const at = new Date(placedAt)
  const local = lagosCompact(at)
  return {
    sentAt: compact(at).slice(4),
    localTime: local.slice(8),
    localDay: local.slice(4, 8),
    stan: String(millisecond * 1_000n + node * 10n + counter).padStart(6, '0'),
    rrn: number.toString(36).toUpperCase().padStart(12, '0').slice(-12),
  }
}

const common = (
  { terminal, merchant, acquirer }: Acquirer,
  { sentAt, stan, rrn, localTime, localDay }: Trace,
): Message => ({
  3: PURCHASE,
  7: sentAt,
  11: stan,
  12: localTime,
  13: localDay,
  32: acquirer,
  37: rrn,
  41: terminal,
  42: merchant,
  49: NAIRA,
})

export const chargeMessage = (ours: Acquirer, charge: Charge, trace: Trace, pin: Message): Message => ({
  ...common(ours, trace),
  0: '0200',
  2: charge.card.number,
  4: String(charge.amount).padStart(12, '0'),
  14: `${charge.card.expiryYear.slice(2)}${charge.card.expiryMonth}`,
  18: ours.category,
  22: ENTRY_MODE,
  25: CONDITION,
  43: `${narrationOf(charge.merchantName).slice(0, NAME_LENGTH).padEnd(NAME_LENGTH)}NG`,
  ...pin,
})

/** A charge's reversal, first (0420) or repeated (0421); field 90 names the charge. */
export const reversalMessage = (type: '0420' | '0421', ours: Acquirer, trace: Trace): Message => ({
  ...common(ours, trace),
  0: type,
  39: NO_RESPONSE,
  90: `0200${trace.stan}${trace.sentAt}${ours.acquirer.padStart(11, '0')}${'0'.repeat(11)}`,
})
