import type { HistoryOptions } from '../../../core/sandbox-history/index.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import type { Random } from '../random.ts'

const WEBHOOK_URL = 'https://shop.example.com/webhooks/kobo'
const FAILS_ONCE = 0.02
const FAILS_FINALLY = 0.0005
const RETRY_SECONDS = [60, 300, 1_800] as const

/** Simulates the deliveries of events: most succeed at the first attempt, some at the second, and a few fail. */
export const deliveriesBy =
  (chance: Random): HistoryOptions['deliveriesOf'] =>
  (_, at, id) => {
    const deliver = (seconds: number, status: number) => ({
      id: id(),
      at: secondsAfter(at, seconds),
      url: WEBHOOK_URL,
      status,
      bodyExcerpt: status === 200 ? 'OK' : 'upstream connect error',
      milliseconds: chance.between(35, 420),
      error: null,
    })
    const first = chance.between(0, 2)
    const luck = chance.part()
    if (luck < FAILS_FINALLY) return [first, ...RETRY_SECONDS].map((seconds) => deliver(seconds, 503))
    return luck < FAILS_ONCE ? [deliver(first, 502), deliver(RETRY_SECONDS[0], 200)] : [deliver(first, 200)]
  }
