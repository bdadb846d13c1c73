import type { PastOptions } from '../../core/past/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Chance } from './chance.ts'

const RECEIVER = 'https://shop.example.com/webhooks/kobo'
const FAILS_ONCE = 0.02
const FAILS_FOR_EVER = 0.0005
const RETRY_SECONDS = [60, 300, 1_800] as const

/** How the made-up shop's server took its events: nearly always at once, sometimes at the second try, hardly ever not at all. */
export const deliveriesBy =
  (chance: Chance): PastOptions['deliveriesOf'] =>
  (_, at, id) => {
    const try_ = (seconds: number, status: number) => ({
      id: id(),
      at: secondsAfter(at, seconds),
      url: RECEIVER,
      status,
      bodyExcerpt: status === 200 ? 'OK' : 'upstream connect error',
      milliseconds: chance.between(35, 420),
      error: null,
    })
    const first = chance.between(0, 2)
    const luck = chance.part()
    if (luck < FAILS_FOR_EVER) return [first, ...RETRY_SECONDS].map((seconds) => try_(seconds, 503))
    return luck < FAILS_ONCE ? [try_(first, 502), try_(RETRY_SECONDS[0], 200)] : [try_(first, 200)]
  }
