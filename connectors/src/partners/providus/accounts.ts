import { type Clock, secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import type { ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
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
  readonly callPartner: PartnerLine['callPartner']
  readonly ours: string
  /** For how many minutes the bank reserves a dynamic number. */
  readonly minutes: number
  readonly wall: Clock
}

const isDone = (body: Json): boolean => at(body, 'requestSuccessful') === true && textAt(body, 'responseCode') === '00'

/**
 * Opens account numbers at the bank. Its requests have no reference. So if a response is lost, we never use that
 * number, and a repeated request opens another one. Neither moves money.
 */
export const accountOperations = ({ callPartner, ours, minutes, wall }: Deps): Operations => ({
  'account/open': async ({ bankCode, kind, accountName, customer }): Promise<ResponseTo<'account/open'>> => {
    if (bankCode !== ours) return notSent(`This bank issues numbers of bank ${ours} only`)
    const askedAt = wall.now()
    const response = await callPartner(
      kind === 'DYNAMIC'
        ? { path: '/api/PiPCreateDynamicAccountNumber', body: { account_name: accountName } }
        : {
            path: '/api/PiPCreateReservedAccountNumber',
            body: { account_name: accountName, bvn: customer?.bvn ?? '' },
          },
    )
    if (response.kind === 'not reached') return notSent('The bank cannot be reached')
    if (response.kind === 'no response') return GIVEN_UP
    const accountNumber = textAt(response.body, 'account_number') ?? ''
    if (!isDone(response.body))
      return { kind: 'refused', reason: textAt(response.body, 'responseMessage') || GIVEN_UP.reason }
    if (!/^\d{10}$/.test(accountNumber)) return GIVEN_UP
    return {
      kind: 'opened',
      bankCode,
      accountNumber,
      accountName: textAt(response.body, 'account_name') ?? accountName,
      // Counted from before the request, so that we never use the number longer than the bank reserves it.
      closesAt: kind === 'DYNAMIC' ? secondsAfter(askedAt, minutes * 60).toISOString() : null,
    }
  },
  'account/find': async () => GIVEN_UP,
  // The bank can only blacklist a number, and a blacklisted number still receives money.
  'account/close': async () => ({ kind: 'unsupported' }),
  'account/rename': async ({ accountNumber, accountName }) => {
    const body = { account_number: accountNumber, account_name: accountName }
    const response = await callPartner({ path: '/api/PiPUpdateAccountName', body })
    if (response.kind !== 'responded') return UNKNOWN
    if (isDone(response.body)) return { kind: 'done' }
    return at(response.body, 'requestSuccessful') === false
      ? { kind: 'refused', reason: textAt(response.body, 'responseMessage') ?? '' }
      : UNKNOWN
  },
})
