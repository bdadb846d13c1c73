import { accessRefusals } from '@kobo/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { refusal } from '../kernel/errors.ts'
import type { Hidden } from '../kernel/hidden.ts'
import { refuseWait } from '../platform/http.ts'
import type { Counter } from '../platform/rate-limit.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'
import { CREDITS, isSigned, readCredit } from '../rails/http/index.ts'

const NOTICE_BYTES_MAX = 65_536
/** Notices without a right signature that one caller may send in a minute. */
const UNSIGNED_PER_MINUTE_MAX = 60

const notSigned = refusal(accessRefusals.invalidSignature)

interface Deps {
  readonly secret: Hidden<string>
  readonly wall: Clock
  /** Counts something per address, where requests are counted at all. */
  readonly counted: (perMinute: number) => Counter
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
}

/** Where the operator's bank adapter tells of credits: each is kept, goes back, or calls a person, once per reference. */
export function railCreditRoutes(http: FastifyInstance, { secret, wall, counted, receiveCredit }: Deps): void {
  const unsigned = counted(UNSIGNED_PER_MINUTE_MAX)
  http.register(async (scope) => {
    // The signature is over the very bytes, so they are kept as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    // The adapter tells of all credits from one address: what it signs is not counted, and what it does not is.
    const options = {
      config: { isUncounted: true },
      onRequest: async ({ ip }: { readonly ip: string }) => refuseWait(unsigned.usedUp(ip)),
    } as const
    scope.post('/rails/credits', options, async (request) => {
      const body = String(request.body ?? '')
      if (!isSigned(secret.reveal(), wall, CREDITS, body, request.headers)) {
        unsigned.count(request.ip)
        throw notSigned()
      }
      return receiveCredit(readCredit(body))
    })
  })
}
