import type * as contract from '@kobo/contract'
import { LISTENED_MAX, type Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { selectEvents, selectEventsAfter, signatureHeaders } from '../../core/messages/outbox/index.ts'
import { zoned } from '../../kernel/dates.ts'

/**
 * How far the id of a new event may be below an id seen earlier: the id is created when work starts, but the event can
 * be seen only after the commit. The upper bits of an id are milliseconds, so this is half a minute.
 */
const LATE_IDS = 30_000n << 22n
const RADIX = 36

/** The events that a listener has received: all up to the id `upTo`, and those listed in `above`. */
interface Received {
  readonly upTo: bigint
  readonly above: readonly bigint[]
}

/** Returns events since the cursor, signed as for a webhook endpoint; without a cursor, only a new cursor. */
export async function listenToEvents(
  { db, clock, wall }: Core,
  extraHeaderNames: readonly string[],
  merchant: Merchant,
  cursor: string | undefined,
): Promise<Reply<typeof contract.listenToEvents>> {
  if (cursor === undefined) {
    const [newest] = await selectEvents(db, merchant.id, {}, 1, 0)
    return { cursor: cursorText({ upTo: newest?.id ?? 0n, above: [] }), events: [] }
  }
  const cursorState = readCursor(cursor)
  const found = await selectEventsAfter(db, merchant.id, cursorState.upTo, LISTENED_MAX + cursorState.above.length)
  const events = found.filter(({ id }) => !cursorState.above.includes(id)).slice(0, LISTENED_MAX)
  return {
    cursor: cursorText(withReceived(cursorState, events)),
    events: events.map((event) => ({
      id: String(event.id),
      eventType: event.eventType,
      reference: event.refs[0] ?? '',
      createdOn: zoned(event.createdAt),
      body: event.body,
      headers: signatureHeaders(merchant, event, clock.now(), wall.now(), extraHeaderNames),
    })),
  }
}

/** Adds received events. The latest events are remembered one by one, since an event with a lower id may still come. */
function withReceived({ upTo, above }: Received, events: readonly { readonly id: bigint }[]): Received {
  const ids = [...above, ...events.map(({ id }) => id)].sort((one, other) => (one < other ? -1 : 1))
  const settled = (ids.at(-1) ?? upTo) - LATE_IDS
  const remaining = ids.filter((id) => id > settled).slice(-LISTENED_MAX)
  const gone = ids.slice(0, ids.length - remaining.length).at(-1) ?? upTo
  return { upTo: gone, above: remaining }
}

const cursorText = ({ upTo, above }: Received): string =>
  [upTo, ...above.map((id) => id - upTo)].map((number) => number.toString(RADIX)).join('.')

function readCursor(cursor: string): Received {
  const [upTo = 0n, ...above] = cursor.split('.').map(numberOf)
  return { upTo, above: above.map((distance) => upTo + distance) }
}

const numberOf = (text: string): bigint => {
  let number = 0n
  for (const letter of text) number = number * BigInt(RADIX) + BigInt(Number.parseInt(letter, RADIX))
  return BigInt.asIntN(64, number)
}
