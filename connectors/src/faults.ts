/** Faults of a simulated partner, or of the network to it, that can be injected. */
export const FAULTS = {
  delay: 'answers late',
  'lost answer': 'processes the request, and drops the connection before the response',
  hang: 'processes the request, and never responds',
  down: 'drops every connection, and processes nothing',
  busy: 'processes the request, and returns 500',
  page: 'returns an HTML page',
  half: 'returns half a response',
  forged: 'signs its responses with another secret',
  unsigned: 'does not sign its responses',
  swapped: 'signs its responses for other requests',
  gullible: 'accepts requests that are unsigned, wrongly signed, too old or replayed',
  twice: 'processes the same reference again',
  forgetful: 'does not remember processed references',
  'broken promise': 'reports a reference as not found, and processes it later',
  'hasty no': 'reports an unknown outcome as failed',
  limitless: 'sends amounts beyond its limits',
  'wrong amount': 'sends a different amount than requested',
  'same names': 'gives different movements of money the same session id',
  'returns again': 'returns a credit again under another reference',
  'does more': 'processes operations that its manifest does not list',
  'not sent': 'accepts no order, and reports it as not sent',
  'out of order': 'sends the outcome notification of an order before its response',
} as const
export type Fault = keyof typeof FAULTS

export const isFault = (word: string): word is Fault => Object.hasOwn(FAULTS, word)

interface Injected {
  /** The affected operation; all by default. */
  readonly operation?: string | undefined
  readonly milliseconds?: number | undefined
  /** Applies to every nth request. */
  readonly every: number
  seen: number
  left: number
}

export interface FaultOptions {
  readonly operation?: string
  readonly times?: number
  readonly milliseconds?: number
  readonly every?: number
}

export interface Faults {
  /** Injects a fault for a number of times, or until it is removed. */
  readonly inject: (fault: Fault, how?: FaultOptions) => void
  readonly clear: () => void
  /** Whether a fault applies to an operation now. Each call counts towards `every` and the number of times. */
  readonly applies: (fault: Fault, operation: string) => boolean
  /** How long a response is delayed. */
  readonly delayMilliseconds: (operation: string) => number
}

export function openFaults(): Faults {
  const injected = new Map<Fault, Injected>()
  const find = (fault: Fault, operation: string): Injected | undefined => {
    const one = injected.get(fault)
    if (one === undefined || one.left <= 0) return undefined
    // A fault of all operations does not affect the control operations, because they remove it.
    return one.operation === operation || (one.operation === undefined && !operation.startsWith('control/'))
      ? one
      : undefined
  }
  const applies = (fault: Fault, operation: string): boolean => {
    const one = find(fault, operation)
    if (one === undefined || ++one.seen % one.every !== 0) return false
    one.left--
    return true
  }
  return {
    inject: (fault, { operation, times = Number.POSITIVE_INFINITY, milliseconds, every = 1 } = {}) =>
      void injected.set(fault, { operation, milliseconds, every, seen: 0, left: times }),
    clear: () => injected.clear(),
    applies,
    delayMilliseconds: (operation) => {
      const milliseconds = find('delay', operation)?.milliseconds ?? 0
      return applies('delay', operation) ? milliseconds : 0
    },
  }
}
