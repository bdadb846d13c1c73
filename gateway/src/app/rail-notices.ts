import { accessRefusals } from '@kobo/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { refusal } from '../kernel/errors.ts'
import { JSON_TYPE, refuseWait } from '../platform/http.ts'
import type { Counter } from '../platform/rate-limit.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'
import type { DisputeOutcome, InboundDispute } from '../rails/dispute.ts'
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
} from '../rails/http/index.ts'
import { type Asked, openNonces, PROTOCOL, PROTOCOL_HEADER, readQuestion, signAnswer } from '../rails/protocol/index.ts'
import type { nameEnquiry } from './name-enquiry.ts'
import type { Teller } from './rails.ts'

const NOTICE_BYTES_MAX = 65_536
/** Notices without a right signature that one caller may send in a minute. */
const UNSIGNED_PER_MINUTE_MAX = 60

const notSigned = refusal(accessRefusals.invalidSignature)

interface Deps {
  /** Who may tell of something, each by secrets of its own. */
  readonly tellers: readonly Teller[]
  readonly protocol: ProtocolChoice
  readonly wall: Clock
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
  readonly receiveDispute: (dispute: InboundDispute) => Promise<DisputeOutcome>
  /** Has the partner asked about an order now; answers whether it is open. */
  readonly askAbout: (reference: string) => Promise<boolean>
  /** Whose an account number of ours is. */
  readonly enquireName: ReturnType<typeof nameEnquiry>
}

/**
 * Where the operator's adapter tells of what happened: money that arrived, which is kept or goes back once per rail
 * reference, payments that are wanted back, and orders of which something has become, which the partner is then asked about. A bank that has assigned us a
 * prefix asks here whose a number is.
 */
export function railNoticeRoutes(http: FastifyInstance, deps: Deps): void {
  const { tellers, wall, counted, receiveCredit, receiveDispute, askAbout, enquireName } = deps
  const unsigned = counted(UNSIGNED_PER_MINUTE_MAX)
  const believe = believer(deps)
  http.register(async (scope) => {
    // The signature is over the very bytes, so they are kept as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    // The adapter tells everything from one address: what it signs is not counted, and what it does not is.
    const options = {
      config: { isUncounted: true },
      onRequest: async ({ ip }: { readonly ip: string }) => refuseWait(unsigned.usedUp(ip)),
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
        const signed = signAnswer(asked.secret, wall, { operation, nonce: asked.nonce, status: 200, body: text })
        return reply.headers(signed).type(JSON_TYPE).send(text)
      })
    }
    // Who speaks the first version knows nothing of credits that we send back, nor of costs and times.
    serve(CREDITS, (body, { teller, asked }) => {
      const credit = readCredit(teller.partner, body)
      const { arrivedAt: _, cost: __, ...first } = credit
      return receiveCredit(asked === FIRST_VERSION ? { ...first, sentBackBy: 'partner' } : credit)
    })
    serve(DISPUTES, (body, { teller }) => receiveDispute(readDispute(teller.partner, body)))
    serve(OUTCOMES, async (body) => ({ kind: (await askAbout(readOutcome(body))) ? 'asking' : 'not open' }))
    serve(NAME_ENQUIRY, (body) => enquireName(readEnquiry(body)))
  })

  /** Which signatures are believed: those of the second version, and for credits those of the first, unless that is ruled out. */
  function believer({ protocol }: Deps) {
    const nonces = openNonces(wall)
    const read = ({ keys }: Teller, operation: string, body: string, headers: FastifyRequest['headers']) => {
      if (headers[PROTOCOL_HEADER] === PROTOCOL)
        return protocol === '1' ? undefined : readQuestion(keys, wall, nonces, { operation, body }, headers)
      if (protocol === '2' || operation !== CREDITS) return undefined
      return isSigned(keys.secret.reveal(), wall, operation, body, headers) ? FIRST_VERSION : undefined
    }
    return (operation: string, body: string, headers: FastifyRequest['headers']): Believed | undefined => {
      for (const teller of tellers) {
        const asked = read(teller, operation, body, headers)
        if (asked !== undefined) return { teller, asked }
      }
      return undefined
    }
  }
}

const FIRST_VERSION = 'first'

/** Whose secret signed a notice, and what its answer must be signed over. */
interface Believed {
  readonly teller: Teller
  readonly asked: Asked | typeof FIRST_VERSION
}
