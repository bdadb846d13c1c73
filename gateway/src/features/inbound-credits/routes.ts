import { accessRefusals } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Core } from '../../core/core.ts'
import type { Orders } from '../../core/orders/index.ts'
import { refusal } from '../../kernel/errors.ts'
import type { Counter } from '../../platform/http/rate-limit.ts'
import { JSON_TYPE, rejectIfLimited } from '../../platform/http/server.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import type { DisputeOutcome, InboundDispute } from '../../rails/dispute.ts'
import {
  CREDITS,
  DISPUTES,
  isSigned,
  NAME_ENQUIRY,
  OUTCOMES,
  type ProtocolChoice,
  readCredit,
  readDispute,
  readEnquiry,
  readOutcome,
} from '../../rails/http/index.ts'
import {
  type Capability,
  type Keys,
  NOTIFICATIONS,
  openNonces,
  PROTOCOL,
  PROTOCOL_HEADER,
  readSignedRequest,
  type SignedRequest,
  signResponse,
} from '../../rails/protocol/index.ts'
import type { nameEnquiry } from './name-enquiry.ts'
import { hasSecondVersion, rememberSecondVersion } from './protocol-repository.ts'
import type { ReportViolation } from './violations.ts'

const NOTICE_BYTES_MAX = 65_536
/** How many notifications without a valid signature we check per minute and IP address. */
const UNSIGNED_PER_MINUTE_MAX = 60

const notSigned = refusal(accessRefusals.invalidSignature)

/** A partner that may notify us, with its signing keys. */
export interface NotifyingPartner {
  /** The partner's name in credits, which must never change. */
  readonly partner: string
  readonly keys: Keys
  readonly recordContact: () => void
  /** Whether all notifications from the partner are rejected. */
  readonly isRejected?: () => boolean
  /** Whether its manifest offers a capability; assumed if it has no manifest. */
  readonly offers: (capability: Capability) => Promise<boolean>
  /** Whether it has a manifest of version 2. */
  readonly usesSecondVersion: () => boolean
}

interface Deps {
  /** The partners that may notify us, each with its own secrets. */
  readonly notifyingPartners: readonly NotifyingPartner[]
  readonly protocol: ProtocolChoice
  readonly core: Core
  readonly violation: ReportViolation
  /** Creates a counter per IP address, which has no limit if rate limits are off. */
  readonly openCounter: (perMinute: number) => Counter
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  readonly receiveDispute: (dispute: InboundDispute) => Promise<DisputeOutcome>
  /** Queries an order at its partner now, if the order is open and the notification is from that partner. */
  readonly queryAbout: Orders['queryAbout']
  /** Finds the holder of one of our account numbers. */
  readonly enquireName: ReturnType<typeof nameEnquiry>
}

/**
 * Serves the notifications of partners: credits, disputes, outcomes of orders (we then query the order), and name
 * enquiries from a bank that has assigned us a prefix. A credit is accepted or returned once per rail reference.
 */
export function railNotificationRoutes(http: FastifyInstance, deps: Deps): void {
  const { core, openCounter, violation, receiveCredit, receiveDispute, queryAbout, enquireName } = deps
  const { wall } = core
  const unsigned = openCounter(UNSIGNED_PER_MINUTE_MAX)
  const verify = openVerifier(deps)
  http.register(async (scope) => {
    // The signature covers the exact bytes, so they are kept unparsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    // Error responses are signed too: a connector may insist on a signature.
    const signed = new WeakMap<FastifyRequest, SignedRequest & { readonly operation: string }>()
    scope.addHook('onSend', async (request, reply, body) => {
      const requested = signed.get(request)
      if (requested === undefined) return
      const { operation, secret, nonce } = requested
      reply.headers(signResponse(secret, wall, { operation, nonce, status: reply.statusCode, body: String(body) }))
    })
    // A connector sends everything from one IP address, so only unsigned requests are counted.
    const options = {
      config: { isUncounted: true },
      onRequest: async ({ ip }: { readonly ip: string }) => rejectIfLimited(unsigned.usedUp(ip)),
    } as const

    const serve = (
      operation: keyof typeof NOTIFICATIONS,
      handle: (body: string, verified: Verified) => Promise<object>,
      notOffered: object,
    ): void => {
      scope.post(`/rails/${operation}`, options, async (request: FastifyRequest, reply: FastifyReply) => {
        const body = String(request.body ?? '')
        const verified = await verify(operation, body, request.headers)
        if (verified === undefined) {
          unsigned.count(request.ip)
          throw notSigned()
        }
        const { partner, request: signedRequest } = verified
        if (signedRequest !== FIRST_VERSION) signed.set(request, { operation, ...signedRequest })
        partner.recordContact()
        const isOffered = await partner.offers(NOTIFICATIONS[operation].capability)
        if (!isOffered) await violation({ partner: partner.partner, operation, why: 'not in its manifest' })
        return reply.type(JSON_TYPE).send(JSON.stringify(isOffered ? await handle(body, verified) : notOffered))
      })
    }
    // The first protocol version has no returned credits, costs or times.
    serve(
      CREDITS,
      (body, { partner, request }) => {
        const credit = readCredit(partner.partner, body)
        const { arrivedAt: _, cost: __, ...first } = credit
        return receiveCredit(request === FIRST_VERSION ? { ...first, sentBackBy: 'partner' } : credit)
      },
      NOT_OFFERED,
    )
    serve(DISPUTES, (body, { partner }) => receiveDispute(readDispute(partner.partner, body)), NOT_OFFERED)
    serve(
      OUTCOMES,
      async (body, { partner: { partner } }) => {
        const reference = readOutcome(body)
        const kind = await queryAbout({ reference, partner })
        if (kind === 'not theirs') await violation({ partner, operation: OUTCOMES, why: 'not its order', reference })
        return { kind: kind === 'asking' ? kind : 'not open' }
      },
      { kind: 'not open' },
    )
    serve(NAME_ENQUIRY, (body, { partner }) => enquireName(readEnquiry(body), partner.partner), { kind: 'not found' })
  })
}

/**
 * Verifies signatures of the second protocol version. For credits it also accepts the first, unless that is disabled or
 * the partner has already used the second.
 */
function openVerifier({ core, protocol, notifyingPartners, violation }: Deps) {
  const { wall } = core
  const nonces = openNonces(wall)
  const onSecondVersion = new Set<string>()
  const recordSecondVersion = async ({ partner }: NotifyingPartner): Promise<void> => {
    if (onSecondVersion.has(partner)) return
    await rememberSecondVersion(core.db, partner, core.clock.now())
    onSecondVersion.add(partner)
  }
  const isOnSecondVersion = async (partner: NotifyingPartner): Promise<boolean> => {
    if (partner.usesSecondVersion()) await recordSecondVersion(partner)
    return onSecondVersion.has(partner.partner) || hasSecondVersion(core.db, partner.partner)
  }
  const read = ({ keys }: NotifyingPartner, operation: string, body: string, headers: FastifyRequest['headers']) => {
    if (headers[PROTOCOL_HEADER] === PROTOCOL)
      return protocol === '1' ? undefined : readSignedRequest(keys, wall, nonces, { operation, body }, headers)
    if (protocol === '2' || operation !== CREDITS) return undefined
    return isSigned(keys.secret.reveal(), wall, operation, body, headers) ? FIRST_VERSION : undefined
  }
  return async (operation: string, body: string, headers: FastifyRequest['headers']): Promise<Verified | undefined> => {
    for (const partner of notifyingPartners) {
      if (partner.isRejected?.() === true) continue
      const request = read(partner, operation, body, headers)
      if (request === undefined) continue
      if (request !== FIRST_VERSION) await recordSecondVersion(partner)
      else if (protocol === 'auto' && (await isOnSecondVersion(partner))) {
        await violation({ partner: partner.partner, operation, why: 'old signature' })
        return undefined
      }
      return { partner, request }
    }
    return undefined
  }
}

const FIRST_VERSION = 'first'
const NOT_OFFERED = { kind: 'rejected', reason: 'NOT_OFFERED' }

/** The partner that signed a notification, and the request that the response's signature must cover. */
interface Verified {
  readonly partner: NotifyingPartner
  readonly request: SignedRequest | typeof FIRST_VERSION
}
