import type { Clock } from '../../kernel/clock.ts'

/** How many of the last responses are considered, and how many bad ones open the circuit breaker. */
const WINDOW = 20
const BAD_MAX = 10
/** How long nothing new is sent to an unhealthy partner; then a single attempt follows. */
const OPEN_MILLISECONDS = 30_000

/** Bad responses, including no response at all (`none`). A rejection is a normal response. */
const BAD = new Set(['not sent', 'unknown', 'unavailable', 'none'])

export type BreakerState = 'closed' | 'open' | 'trying'

/** The partners' health per operation. It affects new sends only: an order that was sent is queried in any case. */
export interface Health {
  readonly note: (partner: string, operation: string, response: string) => void
  /** Whether something new may be sent. During a trial, only the order with the trial's reference may be. */
  readonly isHealthy: (partner: string, operation: string, reference: string) => boolean
  readonly states: () => readonly {
    readonly partner: string
    readonly operation: string
    readonly state: BreakerState
  }[]
}

interface Record {
  readonly partner: string
  readonly operation: string
  /** The last responses, oldest first; true for a bad response. */
  responses: boolean[]
  openUntil: number
  /** The trial's reference, and when another trial may start if this trial never gets a response. */
  trial: { readonly reference: string; readonly until: number } | undefined
}

export function openHealth(wall: Clock): Health {
  const records = new Map<string, Record>()
  const keyOf = (partner: string, operation: string): string => `${partner} ${operation}`
  const now = (): number => wall.now().getTime()
  const stateOf = ({ openUntil }: Record): BreakerState =>
    openUntil === 0 ? 'closed' : now() < openUntil ? 'open' : 'trying'
  return {
    note: (partner, operation, response) => {
      const key = keyOf(partner, operation)
      const record = records.get(key) ?? { partner, operation, responses: [], openUntil: 0, trial: undefined }
      records.set(key, record)
      const isBad = BAD.has(response)
      const state = stateOf(record)
      // While the breaker is open, responses belong to earlier sends and say nothing new. While it is closed, a good
      // response matters only after a bad one.
      if (state === 'open' || (state === 'closed' && !isBad && record.responses.length === 0)) return
      record.responses = [...record.responses.slice(1 - WINDOW), isBad]
      const isUnhealthy = state === 'trying' ? isBad : record.responses.filter(Boolean).length >= BAD_MAX
      record.trial = undefined
      record.openUntil = isUnhealthy ? now() + OPEN_MILLISECONDS : 0
      if (!record.responses.includes(true) || (state === 'trying' && !isBad)) record.responses = []
    },
    isHealthy: (partner, operation, reference) => {
      const record = records.get(keyOf(partner, operation))
      const state = record === undefined ? 'closed' : stateOf(record)
      if (record === undefined || state === 'closed') return true
      if (state === 'open') return false
      const { trial } = record
      if (trial !== undefined && trial.until > now() && trial.reference !== reference) return false
      record.trial ??= { reference, until: now() + OPEN_MILLISECONDS }
      if (record.trial.until <= now()) record.trial = { reference, until: now() + OPEN_MILLISECONDS }
      return true
    },
    states: () =>
      [...records.values()].map((record) => ({
        partner: record.partner,
        operation: record.operation,
        state: stateOf(record),
      })),
  }
}
