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
import { openPartner, type ProtocolChoice } from './partner.ts'
import { httpReturns } from './returns.ts'
import { httpTransfers } from './transfer.ts'

export { askSigned } from './line.ts'
export type { ProtocolChoice } from './partner.ts'
export { isSigned, signedHeaders } from './signature.ts'
export { ADAPTER, CREDITS, OUTCOMES, readCredit, readOutcome } from './told.ts'

/** Nobody waits longer for an answer. Below what the rails' callers allow for. */
const ANSWER_MILLISECONDS_MAX = 25_000
/** Nor for the manifest, which may have to be asked for first. */
const MANIFEST_ANSWER_MILLISECONDS_MAX = 5_000
/** After so long the adapter is asked again what it can do, or whether it has learnt the second version. */
const MANIFEST_MILLISECONDS = 300_000
/** A catalogue of some ten thousand products. */
const ANSWER_LENGTH_MAX = 8_388_608

export interface HttpRailsOptions {
  /** Where the operator's adapter is, without a slash at its end. */
  readonly url: string
  readonly secret: Hidden<string>
  /** Accepted too, while one secret takes the place of another. */
  readonly secretAlso?: Hidden<string> | undefined
  readonly protocol?: ProtocolChoice
  readonly wall: Clock
  readonly log: Log
  readonly timeoutMilliseconds?: number
  readonly manifestMilliseconds?: number
}

/** The rails of a deployment that connects its own partners, through an adapter that speaks the protocol of docs/rails.md. */
export function httpRails({
  url,
  secret,
  secretAlso,
  protocol = 'auto',
  wall,
  log,
  timeoutMilliseconds = ANSWER_MILLISECONDS_MAX,
  manifestMilliseconds = MANIFEST_MILLISECONDS,
}: HttpRailsOptions): {
  readonly rails: Rails
  /** What the partner calls itself, once it has. */
  readonly partner: () => string | undefined
  readonly close: () => void
} {
  // The operator names the address, so it may be a private one.
  const open = (milliseconds: number) =>
    openPost({ allowPrivate: true, timeoutMilliseconds: milliseconds, excerptLengthMax: ANSWER_LENGTH_MAX })
  const usual = open(timeoutMilliseconds)
  const brief = open(Math.min(timeoutMilliseconds, MANIFEST_ANSWER_MILLISECONDS_MAX))
  const partner = openPartner({
    url,
    keys: { secret, also: secretAlso },
    wall,
    log,
    choice: protocol,
    post: usual.post,
    postBriefly: brief.post,
    manifestMilliseconds,
  })
  const adapter = openAdapter(partner, log)
  return {
    rails: {
      biller: httpBiller(adapter),
      card: httpCards(adapter),
      debit: httpDebit(adapter),
      identity: httpIdentity(adapter),
      returns: httpReturns(adapter, () => partner.line()?.manifest),
      transfer: httpTransfers(adapter),
    },
    partner: () => partner.line()?.manifest?.partner.code,
    close: () => {
      usual.close()
      brief.close()
    },
  }
}
