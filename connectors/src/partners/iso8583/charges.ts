import { setTimeout as pause } from 'node:timers/promises'
import { monotonic } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import type { RequestOf, ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
import { type Codes, meaningOf, NO_SEQUENCE, notSent, type Operations, UNKNOWN } from '../../kit/index.ts'
import type { Message } from './codec.ts'
import type { Link } from './link.ts'
import type { PinEncryption } from './pin.ts'
import { type Acquirer, chargeMessage, reversalMessage, type Trace, traceOf } from './wire.ts'

/** The meaning of issuer codes. A charge that gets any other code is reversed, because its effect is unknown. */
export const ISSUER_CODES: Codes = {
  '00': 'succeeded',
  ...Object.fromEntries(
    '01 03 04 05 07 12 13 14 15 30 33 34 36 38 39 40 41 43 51 52 53 54 55 56 57 58 59 61 62 63 65 75 78 91 92 93'
      .split(' ')
      .map((code) => [code, 'failed'] as const),
  ),
}

const REVERSAL_DONE = '00'
/** The switch considers the charge a duplicate of an earlier one. A reversal would reverse the earlier charge. */
const DUPLICATE = '94'

/** The maximum time of a charge with its reversal. It is shorter than the gateway's timeout. */
const MILLISECONDS_MAX = 23_000
/** How many outcomes are remembered. A query of any other charge has to reverse it. */
const REMEMBERED_MAX = 10_000
const REVERSED = {
  kind: 'declined',
  reason: 'The issuer did not respond in time, and the charge was reversed',
} as const

type Outcome = Extract<ResponseTo<'card/find'>, { readonly kind: 'approved' | 'declined' | 'unknown' }>

interface Deps {
  readonly link: Link
  readonly ours: Acquirer
  readonly pins: PinEncryption
  readonly codes: Codes
  /** The codes of a reversal's response that mean there was nothing to reverse, as agreed with the acquirer. */
  readonly nothingToReverse: ReadonlySet<string>
  readonly responseMilliseconds: number
  readonly repeatMilliseconds: number
}

/**
 * Charges a card with message 0200. A charge without a response is never resent: it is reversed with 0420, then 0421,
 * until 0430 confirms the reversal. The switch cannot be queried, so a query of an unknown charge reverses it.
 */
export function chargeOperations({ link, ours, pins, codes, nothingToReverse, ...times }: Deps): Operations {
  const remembered = new Map<string, Outcome>()
  const underWay = new Map<string, Promise<ResponseTo<'card/charge'>>>()
  const remember = (reference: string, outcome: Outcome): Outcome => {
    const [oldest] = remembered.keys()
    if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest)
    remembered.set(reference, outcome)
    return outcome
  }

  const isReversed = (code = ''): boolean => code === REVERSAL_DONE || nothingToReverse.has(code)

  /**
   * Sends reversals of a charge until the switch confirms one or the time is over. Returns whether one was confirmed.
   * Rejected reversals are repeated.
   */
  async function reverse(trace: Trace, first: '0420' | '0421', deadline: number): Promise<boolean> {
    for (let type = first; monotonic() < deadline; type = '0421') {
      const milliseconds = Math.min(times.repeatMilliseconds, deadline - monotonic())
      const began = monotonic()
      const response = await link.request(reversalMessage(type, ours, trace), Math.max(1, milliseconds))
      if (response.kind === 'responded' && isReversed(response.message[39])) return true
      if (response.kind === 'not sent') return false
      if (response.kind === 'responded') await pause(Math.max(0, milliseconds - (monotonic() - began)))
    }
    return false
  }

  async function charge(request: RequestOf<'card/charge'>): Promise<ResponseTo<'card/charge'>> {
    const deadline = monotonic() + MILLISECONDS_MAX
    const trace = traceOf(request)
    if (trace === undefined) return notSent(NO_SEQUENCE)
    if (request.currencyCode !== 'NGN') return notSent('Only naira can be charged')
    const { pin } = request.card
    const encrypted: Message | undefined = pin === null ? {} : await pins.encrypt(request, hidden(pin), trace)
    if (encrypted === undefined) return notSent('The PIN cannot be encrypted')
    const response = await link.request(chargeMessage(ours, request, trace, encrypted), times.responseMilliseconds)
    if (response.kind === 'not sent') return notSent('The line to the switch is down')
    const code = response.kind === 'responded' ? response.message[39] : undefined
    const meaning = meaningOf(codes, code)
    if (meaning === 'succeeded') return remember(request.reference, { kind: 'approved', reusable: true })
    if (meaning === 'failed')
      return remember(request.reference, { kind: 'declined', reason: `The issuer returned code ${code}` })
    if (code === DUPLICATE) return remember(request.reference, UNKNOWN)
    return (await reverse(trace, '0420', deadline)) ? remember(request.reference, REVERSED) : UNKNOWN
  }

  return {
    'card/charge': async (request) => {
      const { reference } = request
      const known = remembered.get(reference) ?? underWay.get(reference)
      if (known !== undefined) return known
      const charging = charge(request).finally(() => underWay.delete(reference))
      underWay.set(reference, charging)
      return charging
    },
    // This connection supports neither OTP nor 3-D Secure, only a PIN.
    'card/authorize-otp': async ({ reference }) => remembered.get(reference) ?? UNKNOWN,
    'card/find': async ({ reference, ...order }) => {
      const known = remembered.get(reference)
      if (known !== undefined) return known
      if (underWay.has(reference)) return UNKNOWN
      const trace = traceOf({ reference, ...order })
      if (trace === undefined || !(await reverse(trace, '0421', monotonic() + MILLISECONDS_MAX))) return UNKNOWN
      remember(reference, REVERSED)
      return { kind: 'not found' }
    },
  }
}
