import { accessRefusals } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
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
  type Asked,
  type Keys,
  openNonces,
  PROTOCOL,
  PROTOCOL_HEADER,
  readSignedRequest,
  signResponse,
} from '../../rails/protocol/index.ts'
import type { nameEnquiry } from './name-enquiry.ts'

const NOTICE_BYTES_MAX = 65_536
/** Notifications without a valid signature per minute and caller. */
const UNSIGNED_PER_MINUTE_MAX = 60

const notSigned = refusal(accessRefusals.invalidSignature)

/** A partner that may notify us, with its signing keys. */
export interface NotifyingPartner {
  /** The partner's name in credits, which must never change. */
  readonly partner: string
  readonly keys: Keys
  /** Records that a notification arrived. */
  readonly heard: () => void
  /** Whether nothing is accepted from it. */
  readonly isRejected?: () => boolean
}

interface Deps {
  /** The partners that may notify us, each with its own secrets. */
  readonly tellers: readonly NotifyingPartner[]
  readonly protocol: ProtocolChoice
  readonly wall: Clock
  /** A counter per IP address, if requests are limited at all. */
  readonly counted: (perMinute: number) => Counter
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  readonly receiveDispute: (dispute: InboundDispute) => Promise<DisputeOutcome>
  /** Queries an order at the partner now; returns whether it is open. */
  readonly askAbout: (reference: string) => Promise<boolean>
  /** The holder of one of our account numbers. */
  readonly enquireName: ReturnType<typeof nameEnquiry>
}

/**
 * The endpoints for the operator's connector: credits, each accepted or sent back once per rail reference; recalls; and
 * outcomes of orders, which we then query. A bank that has assigned us a prefix sends name enquiries here.
 */
export function railNotificationRoutes(http: FastifyInstance, deps: Deps): void {
  const { tellers, wall, counted, receiveCredit, receiveDispute, askAbout, enquireName } = deps
  const unsigned = counted(UNSIGNED_PER_MINUTE_MAX)
  const believe = believer(deps)
  http.register(async (scope) => {
    // The signature covers the exact bytes, so they are kept unparsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    // The connector sends everything from one IP address: only unsigned requests are counted.
    const options = {
      config: { isUncounted: true },
      onRequest: async ({ ip }: { readonly ip: string }) => rejectIfLimited(unsigned.usedUp(ip)),
    } as const

    const serve = (operation: string, take: (body: string, believed: Believed) => Promise<object>): void => {
      scope.post(`/rails/${operation}`, options, async (request: FastifyRequest, reply: FastifyReply) => {
        const body = String(request.body ?? '')
        const believed = believe(operation, body, request.headers)
        if (believed === undefined) {
          unsigned.count(request.ip)
          throw notSigned()
        }
        const { teller, asked } = believed
        teller.heard()
        const answer = await take(body, believed)
        if (asked === FIRST_VERSION) return answer
        const text = JSON.stringify(answer)
        const signed = signResponse(asked.secret, wall, { operation, nonce: asked.nonce, status: 200, body: text })
        return reply.headers(signed).type(JSON_TYPE).send(text)
      })
    }
    // The first protocol version has no returned credits, costs or times.
    serve(CREDITS, (body, { teller, asked }) => {
      const credit = readCredit(teller.partner, body)
      const { arrivedAt: _, cost: __, ...first } = credit
      return receiveCredit(asked === FIRST_VERSION ? { ...first, sentBackBy: 'partner' } : credit)
    })
    serve(DISPUTES, (body, { teller }) => receiveDispute(readDispute(teller.partner, body)))
    serve(OUTCOMES, async (body) => ({ kind: (await askAbout(readOutcome(body))) ? 'asking' : 'not open' }))
    serve(NAME_ENQUIRY, (body) => enquireName(readEnquiry(body)))
  })

  /** The accepted signatures: those of the second version, and for credits those of the first, unless disabled. */
  function believer({ protocol }: Deps) {
    const nonces = openNonces(wall)
    const read = ({ keys }: NotifyingPartner, operation: string, body: string, headers: FastifyRequest['headers']) => {
      if (headers[PROTOCOL_HEADER] === PROTOCOL)
        return protocol === '1' ? undefined : readSignedRequest(keys, wall, nonces, { operation, body }, headers)
      if (protocol === '2' || operation !== CREDITS) return undefined
      return isSigned(keys.secret.reveal(), wall, operation, body, headers) ? FIRST_VERSION : undefined
    }
    return (operation: string, body: string, headers: FastifyRequest['headers']): Believed | undefined => {
      for (const teller of tellers) {
        if (teller.isRejected?.() === true) continue
        const asked = read(teller, operation, body, headers)
        if (asked !== undefined) return { teller, asked }
      }
      return undefined
    }
  }
}

const FIRST_VERSION = 'first'

/** The secret that signed a notification, and what its response must be signed over. */
interface Believed {
  readonly teller: NotifyingPartner
  readonly asked: Asked | typeof FIRST_VERSION
}
