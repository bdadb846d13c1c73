import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import type { RequestOf, ResponseTo } from '@kobo/gateway/rails/protocol/index.ts'
import { GIVEN_UP, type Json, notSent, type Operations, textAt, UNKNOWN, wireText } from '../../kit/index.ts'
import type { MerchantApi } from './api.ts'

const REFERENCE_LENGTH_MAX = 40
const HOURS_MAX = 24
const HOUR_MILLISECONDS = 3_600_000

type Opening = RequestOf<'account/open'>

/** Returns for how many whole hours an account is needed, within the bank's limits. */
function hoursOf({ expiresAt }: Opening, now: Date): number {
  const until = expiresAt === null ? undefined : fromMoment(expiresAt)
  if (until === undefined) return HOURS_MAX
  return Math.min(HOURS_MAX, Math.max(1, Math.ceil((until.getTime() - now.getTime()) / HOUR_MILLISECONDS)))
}

const creationOf = (opening: Opening, now: Date): object => ({
  transaction: { reference: wireText(opening.reference, REFERENCE_LENGTH_MAX) },
  // The bank accepts any amount. The gateway checks it, because merchants may allow less or more than the amount due.
  order: { amount: 0, currency: 'NGN', description: opening.accountName, country: 'NGA', amounttype: 'ANY' },
  customer: {
    account: {
      name: opening.accountName,
      type: opening.kind,
      ...(opening.kind === 'DYNAMIC' ? { expiry: { hours: hoursOf(opening, now) } } : {}),
    },
  },
})

function openedBy(body: Json, { bankCode, accountName, kind }: Opening): ResponseTo<'account/open'> {
  const accountNumber = textAt(body, 'customer.account.number') ?? ''
  const closesAt = fromMoment(textAt(body, 'customer.account.expiry.date') ?? '')
  if (!/^\d{10}$/.test(accountNumber) || (kind === 'DYNAMIC' && closesAt === undefined)) return GIVEN_UP
  return {
    kind: 'opened',
    bankCode,
    accountNumber,
    accountName: textAt(body, 'customer.account.name') ?? accountName,
    closesAt: kind === 'DYNAMIC' ? (closesAt?.toISOString() ?? null) : null,
  }
}

/**
 * Opens account numbers at the bank. An account opening cannot be queried. If its response is lost, we never use the
 * number: no one was shown it, and money sent to it is held and returned.
 */
export const accountOperations = (api: MerchantApi, ours: string, wall: Clock): Operations => ({
  'account/open': async (opening) => {
    if (opening.bankCode !== ours) return notSent(`This bank issues numbers of bank ${ours} only`)
    const response = await api('create', creationOf(opening, wall.now()))
    if (response.kind === 'not reached') return notSent('The bank cannot be reached')
    if (response.kind === 'no response') return GIVEN_UP
    if (textAt(response.body, 'code') === '00') return openedBy(response.body, opening)
    return { kind: 'refused', reason: textAt(response.body, 'message') ?? GIVEN_UP.reason }
  },
  'account/find': async () => GIVEN_UP,
  'account/close': async ({ reference, accountNumber }) => {
    const response = await api('deactivate', {
      transaction: { reference: wireText(reference, REFERENCE_LENGTH_MAX) },
      customer: { account: { number: accountNumber } },
    })
    if (response.kind !== 'responded') return UNKNOWN
    const code = textAt(response.body, 'code')
    if (code === '00') return { kind: 'done' }
    return code === '47' ? { kind: 'refused', reason: textAt(response.body, 'message') ?? '' } : UNKNOWN
  },
})
