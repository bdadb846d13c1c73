/** What a partner, or whoever is between it and us, may do wrong. Planted on demand, so that it can be seen what follows. */
export const FAULTS = {
  delay: 'answers late',
  'lost answer': 'does it, and the connection breaks before the answer',
  hang: 'does it, and never answers',
  down: 'breaks every connection, and does nothing',
  busy: 'does it, and answers 500',
  page: 'answers with a page for people',
  half: 'answers with half an answer',
  forged: 'signs its answers with another secret',
  unsigned: 'does not sign its answers',
  swapped: 'signs its answers as those to other questions',
  gullible: 'believes who does not sign, signs otherwise, too late, or what was heard before',
  twice: 'does again what it has done under the same reference',
  forgetful: 'does not remember what it has done',
  'broken promise': 'says that it has not found something, and does it later',
  'hasty no': 'says that something has failed of which it does not know the end',
  'wrong amount': 'sends another amount than it was asked to',
  'same names': 'calls different movements of money the same',
  'returns again': 'sends a credit back again under another reference',
  'does more': 'does what it does not say that it can',
  'not sent': 'takes nothing on, and says so',
  'out of order': 'tells that something has become of an order before it has answered',
} as const
export type Fault = keyof typeof FAULTS

export const isFault = (word: string): word is Fault => Object.hasOwn(FAULTS, word)

interface Planted {
  /** The operation that it befalls; all where left out. */
  readonly operation?: string | undefined
  readonly milliseconds?: number | undefined
  /** Befalls every so manieth. */
  readonly every: number
  seen: number
  left: number
}

export interface Mischief {
  /** Plants a fault, for so many times, or until it is mended. */
  readonly plant: (
    fault: Fault,
    how?: {
      readonly operation?: string
      readonly times?: number
      readonly milliseconds?: number
      readonly every?: number
    },
  ) => void
  readonly mend: () => void
  /** Whether a fault befalls an operation now; it counts as one time. */
  readonly befalls: (fault: Fault, operation: string) => boolean
  /** How long an answer is held back. */
  readonly delayMilliseconds: (operation: string) => number
}

export function openMischief(): Mischief {
  const planted = new Map<Fault, Planted>()
  const find = (fault: Fault, operation: string): Planted | undefined => {
    const one = planted.get(fault)
    if (one === undefined || one.left <= 0) return undefined
    // Who plants faults must be able to mend them.
    return one.operation === operation || (one.operation === undefined && !operation.startsWith('control/'))
      ? one
      : undefined
  }
  const befalls = (fault: Fault, operation: string): boolean => {
    const one = find(fault, operation)
    if (one === undefined || ++one.seen % one.every !== 0) return false
    one.left--
    return true
  }
  return {
    plant: (fault, { operation, times = Number.POSITIVE_INFINITY, milliseconds, every = 1 } = {}) =>
      void planted.set(fault, { operation, milliseconds, every, seen: 0, left: times }),
    mend: () => planted.clear(),
    befalls,
    delayMilliseconds: (operation) => {
      const milliseconds = find('delay', operation)?.milliseconds ?? 0
      return befalls('delay', operation) ? milliseconds : 0
    },
  }
}
