import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import type { Log } from '../../platform/log.ts'
import { openPost } from '../../platform/post.ts'
import type { Rails } from '../index.ts'
import { openAdapter } from './adapter.ts'
import { httpBiller } from './biller.ts'
import { httpCards } from './card.ts'
import { httpDebit } from './debit.ts'
import { httpIdentity } from './identity.ts'
import { httpTransfers } from './transfer.ts'

export { ADAPTER, CREDITS, readCredit } from './credits.ts'
export { isSigned, signedHeaders } from './signature.ts'

/** Nobody waits longer for an answer. Below what the rails' callers allow for. */
const ANSWER_MILLISECONDS_MAX = 25_000
/** A catalogue of some ten thousand products. */
const ANSWER_LENGTH_MAX = 8_388_608

export interface HttpRailsOptions {
  /** Where the operator's adapter is, without a slash at its end. */
  readonly url: string
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly log: Log
  readonly timeoutMilliseconds?: number
}

/** The rails of a deployment that connects its own partners, through an adapter that speaks the protocol of docs/rails.md. */
export function httpRails({
  url,
  secret,
  wall,
  log,
  timeoutMilliseconds = ANSWER_MILLISECONDS_MAX,
}: HttpRailsOptions): {
  readonly rails: Rails
  readonly close: () => void
} {
  // The operator names the address, so it may be a private one.
  const { post, close } = openPost({ allowPrivate: true, timeoutMilliseconds, excerptLengthMax: ANSWER_LENGTH_MAX })
  const adapter = openAdapter({ url, secret, wall, post, log })
  return {
    rails: {
      biller: httpBiller(adapter),
      card: httpCards(adapter),
      debit: httpDebit(adapter),
      identity: httpIdentity(adapter),
      transfer: httpTransfers(adapter),
    },
    close,
  }
}
