import type { HistoryOptions } from '../../../core/sandbox-history/index.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import type { Random } from '../random.ts'

const WEBHOOK_URL = 'https://shop.example.com/webhooks/kobo'
const FAILS_ONCE = 0.02
const FAILS_FINALLY = 0.0005
const RETRY_SECONDS = [60, 300, 1_800] as const

/** Simulated deliveries of events: mostly at the first attempt, sometimes at the second, rarely failed. */
export const deliveriesBy =
  (chance: Random): HistoryOptions['deliveriesOf'] =>
  (_, at, id) => {
    const try_ = (seconds: number, status: number) => ({
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
    if (luck < FAILS_FINALLY) return [first, ...RETRY_SECONDS].map((seconds) => try_(seconds, 503))
    return luck < FAILS_ONCE ? [try_(first, 502), try_(RETRY_SECONDS[0], 200)] : [try_(first, 200)]
  }
