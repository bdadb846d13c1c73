import { accessRefusals } from '@kobo/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { refusal } from '../kernel/errors.ts'
import type { Hidden } from '../kernel/hidden.ts'
import type { CreditOutcome, InboundCredit } from '../rails/bank.ts'
import { CREDITS, isSigned, readCredit } from '../rails/http/index.ts'

const NOTICE_BYTES_MAX = 65_536

const notSigned = refusal(accessRefusals.invalidSignature)

interface Deps {
  readonly secret: Hidden<string>
  readonly wall: Clock
  readonly receiveCredit: (credit: InboundCredit) => Promise<CreditOutcome>
}

/** Where the operator's bank adapter tells of credits: each is kept or goes back, once per rail reference. */
export function railCreditRoutes(http: FastifyInstance, { secret, wall, receiveCredit }: Deps): void {
  http.register(async (scope) => {
    // The signature is over the very bytes, so they are kept as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: NOTICE_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    )
    scope.post('/rails/credits', async (request) => {
      const body = String(request.body ?? '')
      if (!isSigned(secret.reveal(), wall, CREDITS, body, request.headers)) throw notSigned()
      return receiveCredit(readCredit(body))
    })
  })
}
