import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import type { AnswerTo } from '@kobo/gateway/rails/protocol/index.ts'
import {
  at,
  GIVEN_UP,
  type Json,
  notSent,
  type Operations,
  type PartnerLine,
  textAt,
  UNKNOWN,
} from '../../kit/index.ts'

interface Deps {
  readonly ask: PartnerLine['ask']
  readonly ours: string
  /** For how long a dynamic number is ours. */
  readonly minutes: number
  readonly wall: Clock
}

const isDone = (body: Json): boolean => at(body, 'requestSuccessful') === true && textAt(body, 'responseCode') === '00'

/**
 * Numbers that the bank issues. A request has no reference: one whose answer is lost is given up, and one that comes again
 * opens another number. Neither moves money.
 */
export const accountOperations = ({ ask, ours, minutes, wall }: Deps): Operations => ({
  'account/open': async ({ bankCode, kind, accountName, customer }): Promise<AnswerTo<'account/open'>> => {
    if (bankCode !== ours) return notSent(`This bank issues numbers of bank ${ours} only`)
    const askedAt = wall.now()
    const said = await ask(
      kind === 'DYNAMIC'
        ? { path: '/api/PiPCreateDynamicAccountNumber', body: { account_name: accountName } }
        : {
            path: '/api/PiPCreateReservedAccountNumber',
            body: { account_name: accountName, bvn: customer?.bvn ?? '' },
          },
    )
    if (said.kind === 'not reached') return notSent('The bank cannot be reached')
    if (said.kind === 'no answer') return GIVEN_UP
    const accountNumber = textAt(said.body, 'account_number') ?? ''
    if (!isDone(said.body)) return { kind: 'refused', reason: textAt(said.body, 'responseMessage') || GIVEN_UP.reason }
    if (!/^\d{10}$/.test(accountNumber)) return GIVEN_UP
    return {
      kind: 'opened',
      bankCode,
      accountNumber,
      accountName: textAt(said.body, 'account_name') ?? accountName,
      // From before it was asked: the bank gives the number to somebody else when its time is over.
      closesAt: kind === 'DYNAMIC' ? secondsAfter(askedAt, minutes * 60).toISOString() : null,
    }
  },
  'account/find': async () => GIVEN_UP,
  // A number on the bank's black list still receives, so that is no closing.
  'account/close': async () => ({ kind: 'unsupported' }),
  'account/rename': async ({ accountNumber, accountName }) => {
    const body = { account_number: accountNumber, account_name: accountName }
    const said = await ask({ path: '/api/PiPUpdateAccountName', body })
    if (said.kind !== 'answered') return UNKNOWN
    if (isDone(said.body)) return { kind: 'done' }
    return at(said.body, 'requestSuccessful') === false
      ? { kind: 'refused', reason: textAt(said.body, 'responseMessage') ?? '' }
      : UNKNOWN
  },
})
