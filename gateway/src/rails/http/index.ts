import type { Clock } from '../../kernel/clock.ts'
import type { Hidden } from '../../kernel/hidden.ts'
import { openPost } from '../../platform/http/post-json.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { PartnerRails } from '../not-sent.ts'
import { ADAPTER, type ConnectedPartner, type Placed } from '../partners.ts'
import { can } from '../protocol/index.ts'
import { httpAccounts } from './account.ts'
import { type OnResponse, openAdapter } from './adapter.ts'
import { httpBiller } from './biller.ts'
import { httpCards } from './card.ts'
import { httpDebit } from './debit.ts'
import { httpIdentity } from './identity.ts'
import { openPartner, type Partner, type ProtocolChoice } from './partner.ts'
import { httpReturns } from './returns.ts'
import { httpTransfers } from './transfer.ts'

export { requestSigned } from './line.ts'
export {
  CREDITS,
  DISPUTES,
  NAME_ENQUIRY,
  OUTCOMES,
  readCredit,
  readDispute,
  readEnquiry,
  readOutcome,
} from './notifications.ts'
export type { ProtocolChoice } from './partner.ts'
export { isSigned, signedHeaders } from './signature.ts'

/** The response timeout. It is shorter than the time that callers of the rails wait. */
const RESPONSE_MILLISECONDS_MAX = 25_000
/** The timeout for the manifest. It is short, because a request may have to wait for the manifest first. */
const MANIFEST_RESPONSE_MILLISECONDS_MAX = 5_000
/** How often the manifest, and with it the protocol version, is checked. */
const MANIFEST_MILLISECONDS = 60_000
/** The maximum length of a response, enough for a catalogue of about ten thousand products. */
const RESPONSE_LENGTH_MAX = 8_388_608

export interface HttpRailsOptions {
  /** The adapter's URL without a trailing slash. */
  readonly url: string
  /** The partner's code, if configured. Otherwise the manifest has it. */
  readonly code?: string | undefined
  readonly secret: Hidden<string>
  /** A second secret that is accepted during a rotation. */
  readonly secretAlso?: Hidden<string> | undefined
  readonly protocol?: ProtocolChoice
  /** Whether an adapter that only simulates payments is accepted; by default it is. */
  readonly allowsSimulated?: boolean
  readonly wall: Clock
  readonly log: Log
  readonly timeoutMilliseconds?: number
  readonly manifestMilliseconds?: number
  readonly onResponse?: OnResponse
}

/** Opens the rails to a partner through an adapter that implements docs/reference/rails.md. */
export function httpRails({
  url,
  code,
  secret,
  secretAlso,
  protocol = 'auto',
  allowsSimulated = true,
  wall,
  log,
  timeoutMilliseconds = RESPONSE_MILLISECONDS_MAX,
  manifestMilliseconds = MANIFEST_MILLISECONDS,
  onResponse,
}: HttpRailsOptions): ConnectedPartner & {
  /** Records that the partner is alive, because it sent a notification. */
  readonly recordContact: () => void
  /** Whether the adapter is rejected because it only simulates payments. */
  readonly isRejected: () => boolean
  readonly close: () => void
} {
  let lastHeardAt: Date | undefined
  const recordContact = (): void => {
    lastHeardAt = wall.now()
  }
  // The operator configures the URL, so it may be a private address.
  const open = (milliseconds: number) =>
    openPost({ allowPrivate: true, timeoutMilliseconds: milliseconds, excerptLengthMax: RESPONSE_LENGTH_MAX })
  const usual = open(timeoutMilliseconds)
  const brief = open(Math.min(timeoutMilliseconds, MANIFEST_RESPONSE_MILLISECONDS_MAX))
  const partner = openPartner({
    url,
    code,
    keys: { secret, also: secretAlso },
    wall,
    log,
    choice: protocol,
    allowsSimulated,
    post: usual.post,
    postBriefly: brief.post,
    manifestMilliseconds,
  })
  const noteResponse: OnResponse = (operation, response, seconds) => {
    if (response !== 'none' && response !== 'unusable') recordContact()
    onResponse?.(operation, response, seconds)
  }
  const railsFor = (placed?: Placed): PartnerRails => {
    const adapter = openAdapter(partner, log, noteResponse, placed)
    return {
      account: httpAccounts(adapter),
      biller: httpBiller(adapter),
      card: httpCards(adapter),
      debit: httpDebit(adapter),
      identity: httpIdentity(adapter),
      returns: httpReturns(adapter, () => partner.line()?.manifest),
      transfer: httpTransfers(adapter),
    }
  }
  return {
    rails: railsFor(),
    railsFor,
    ...aboutPartner(partner, code, () => lastHeardAt),
    recordContact,
    isRejected: partner.isRejected,
    close: () => {
      usual.close()
      brief.close()
    },
  }
}

/** Returns the known facts about an adapter's partner. */
const aboutPartner = (
  partner: Partner,
  code: string | undefined,
  lastHeardAt: () => Date | undefined,
): Omit<ConnectedPartner, 'rails' | 'railsFor'> => ({
  code: () => {
    const line = partner.line()
    return code ?? (line === undefined ? undefined : (line.manifest?.partner.code ?? ADAPTER))
  },
  can: (capability) => {
    const manifest = partner.line()?.manifest
    return manifest === undefined || can(manifest, capability)
  },
  connect: partner.connect,
  facts: () => {
    const line = partner.line()
    const protocol = line === undefined ? undefined : line.manifest === undefined ? '1' : '2'
    return {
      protocol,
      capabilities: line?.manifest?.capabilities,
      lastHeardAt: lastHeardAt(),
      isAway: partner.isAway(),
    }
  },
})
