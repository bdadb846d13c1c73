import type * as contract from '@kobo/contract'
import { LISTENED_MAX, type Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { selectEvents, selectEventsAfter, signatureHeaders } from '../../core/messages/outbox/index.ts'
import { zoned } from '../../kernel/dates.ts'

/**
 * How far an id may be behind one that was seen before it: ids are made when an act begins and are seen when it is
 * committed. In ids, whose upper bits are milliseconds: half a minute.
 */
const LATE_IDS = 30_000n << 22n
const RADIX = 36

/** What a listener has heard: everything up to an id, and these above it. */
interface Heard {
  readonly upTo: bigint
  readonly above: readonly bigint[]
}

/** The events that have come since a cursor was given, signed as they are for a receiver; from now on, without one. */
export async function listenToEvents(
  { db, clock, wall }: Core,
  furtherNames: readonly string[],
  merchant: Merchant,
  cursor: string | undefined,
): Promise<Reply<typeof contract.listenToEvents>> {
  if (cursor === undefined) {
    const [newest] = await selectEvents(db, merchant.id, {}, 1, 0)
    return { cursor: written({ upTo: newest?.id ?? 0n, above: [] }), events: [] }
  }
  const heard = read(cursor)
  const found = await selectEventsAfter(db, merchant.id, heard.upTo, LISTENED_MAX + heard.above.length)
  const events = found.filter(({ id }) => !heard.above.includes(id)).slice(0, LISTENED_MAX)
  return {
    cursor: written(hearing(heard, events)),
    events: events.map((event) => ({
      id: String(event.id),
      eventType: event.eventType,
      reference: event.refs[0] ?? '',
      createdOn: zoned(event.createdAt),
      body: event.body,
      headers: signatureHeaders(merchant, event, clock.now(), wall.now(), furtherNames),
    })),
  }
}

/** What has been heard with these, too: the last ones are remembered one by one, since one from before may still come. */
function hearing({ upTo, above }: Heard, events: readonly { readonly id: bigint }[]): Heard {
  const ids = [...above, ...events.map(({ id }) => id)].sort((one, other) => (one < other ? -1 : 1))
  const settled = (ids.at(-1) ?? upTo) - LATE_IDS
  const kept = ids.filter((id) => id > settled).slice(-LISTENED_MAX)
  const gone = ids.slice(0, ids.length - kept.length).at(-1) ?? upTo
  return { upTo: gone, above: kept }
}

const written = ({ upTo, above }: Heard): string =>
  [upTo, ...above.map((id) => id - upTo)].map((number) => number.toString(RADIX)).join('.')

function read(cursor: string): Heard {
  const [upTo = 0n, ...above] = cursor.split('.').map(numberOf)
  return { upTo, above: above.map((distance) => upTo + distance) }
}

const numberOf = (text: string): bigint => {
  let number = 0n
  for (const letter of text) number = number * BigInt(RADIX) + BigInt(Number.parseInt(letter, RADIX))
  return BigInt.asIntN(64, number)
}
