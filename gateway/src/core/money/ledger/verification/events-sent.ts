import { firstIdAt, idsIn } from '../../../../kernel/ids.ts'
import type { Tx } from '../../../../platform/postgres/db.ts'
import { type ExpectedEvent, type Finding, ID_MAX, type Range, type RowKey, ranged, within } from './check.ts'

/** An event that must exist, and its row. */
export interface ExpectedEvents extends RowKey {
  readonly reference: string
  readonly state: string
  readonly event: ExpectedEvent
}

/** An event is usually written within this time after the act that it reports. */
const SOON_SECONDS = 60

interface Event {
  readonly merchantId: bigint
  readonly eventType: string
  readonly reference: string
  readonly createdAt: Date
}

/**
 * Finds missing events. Events are indexed only by id, which grows with time. So each event is first searched for
 * shortly after the act. An event that is not found is searched for at any time since the row was created.
 */
export async function findMissingEvents(tx: Tx, expected: readonly ExpectedEvents[]): Promise<readonly Finding[]> {
  const missing = await findUnmatched(tx, expected, soonAfter)
  const lost = missing.length === 0 ? missing : await findUnmatched(tx, missing, everSince)
  return lost.map(({ merchantId, reference, state, event: { eventType } }) => ({
    merchantId,
    reference,
    what: `${state}, but no ${eventType} event exists`,
  }))
}

const soonAfter = ({ merchantId, event: { at } }: ExpectedEvents): Range => {
  const after = firstIdAt(at) - 1n
  return { merchantId, after, upTo: after + idsIn(SOON_SECONDS) }
}
const everSince = ({ merchantId, id }: ExpectedEvents): Range => ({ merchantId, after: id, upTo: ID_MAX })

async function findUnmatched(
  tx: Tx,
  expected: readonly ExpectedEvents[],
  rangeOf: (expectedEvent: ExpectedEvents) => Range,
): Promise<readonly ExpectedEvents[]> {
  if (expected.length === 0) return []
  const types = [...new Set(expected.map(({ event }) => event.eventType))]
  const references = [...new Set(expected.flatMap(({ event }) => event.reference ?? []))]
  const needsAllReferences = expected.some(({ event }) => event.reference === undefined)
  const ranges = merged(expected.map(rangeOf))
  const events = await tx<Event[]>`
    select e.merchant_id, e.event_type, e.refs[1] as reference, e.created_at
      from ${ranged(ranges)}
      join event e on ${within('e', ranges)}
     where e.event_type = any(${types}::text[]) and (${needsAllReferences} or e.refs[1] = any(${references}::text[]))`
  const left = new Map<string, number>()
  const count = (text: string, by: number): number => {
    const now = (left.get(text) ?? 0) + by
    left.set(text, now)
    return now
  }
  for (const event of events) for (const text of textsOf(event)) count(text, 1)
  // Each event belongs to one act: two payments at the same moment need two events.
  return expected.filter((expectedEvent) => count(textOf(expectedEvent), -1) < 0)
}

/** Returns the keys by which an event is looked up: reference and time, time only, reference only. */
const textsOf = ({ merchantId, eventType, reference, createdAt }: Event): readonly string[] => [
  `${merchantId} ${eventType} ${reference} ${createdAt.getTime()}`,
  `${merchantId} ${eventType}  ${createdAt.getTime()}`,
  `${merchantId} ${eventType} ${reference} `,
]

const textOf = ({ merchantId, event: { eventType, reference = '', at, atLeast = false } }: ExpectedEvents): string =>
  `${merchantId} ${eventType} ${reference} ${atLeast ? '' : at.getTime()}`

/** Merges ranges that overlap, so that each row is in one range. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const ofMerchants = Map.groupBy(ranges, ({ merchantId }) => merchantId)
  return [...ofMerchants.values()].flatMap((all) => {
    const joined: Range[] = []
    for (const range of all.toSorted((a, b) => (a.after < b.after ? -1 : 1))) {
      const last = joined.at(-1)
      if (last === undefined || last.upTo < range.after) joined.push(range)
      else if (last.upTo < range.upTo) joined[joined.length - 1] = { ...last, upTo: range.upTo }
    }
    return joined
  })
}
