import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { ZERO } from '../../kernel/money.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { AccountChange, AccountCustomer, AccountRail, FoundAccount, IssuedAccount } from '../../rails/account.ts'
import type { Rails } from '../../rails/index.ts'
import type { Core } from '../core.ts'
import {
  type Concluded,
  leaseIdleOrder,
  NOT_CARRIED_OUT,
  type OrderResponse,
  type OrderRow,
  type Orders,
  type OrdersOf,
  placeOrders,
  subjectsById,
} from '../orders/index.ts'
import { DELETION_SECONDS, type Sweep } from '../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../unit-of-work.ts'
import { type AccountPurpose, accountKey } from './accounts.ts'
import { accountErrors } from './errors.ts'
import {
  type AccountRequest,
  findOpenRequest,
  giveUpUnused,
  insertRequest,
  requests,
  selectNumbersInUse,
  takeClosing,
  takeRenamed,
} from './request-repository.ts'

/** A number that was issued but never used is returned to its bank after this time. */
const UNUSED_SECONDS_MAX = 86_400

/** A number to be issued by a bank, and its purpose. */
export interface NumberRequest {
  readonly merchantId: bigint
  readonly purpose: AccountPurpose
  /** Identifies the owner within the merchant: a repeated request with the same key gets the same number. */
  readonly ownerKey: string
  readonly bankCode: string
  readonly partner: string
  readonly accountName: string
  /** When the number is no longer needed; null if it never expires. */
  readonly expiresAt: Date | null
  readonly customer: AccountCustomer | null
}

/** An issued number that is not in use yet. */
export type IssuedNumber = Pick<AccountRequest, 'merchantId' | 'id' | 'bankCode' | 'closesAt' | 'partner'> & {
  readonly accountNumber: string
}

/** Requests account numbers from banks. */
export interface Issuing {
  /** Requests a number, or returns the number issued for the same key; throws if the bank has not issued it yet. */
  readonly obtain: (requested: NumberRequest) => Promise<IssuedNumber>
  readonly orders: {
    readonly 'account-open': OrdersOf<AccountRequest, FoundAccount>
    readonly 'account-close': OrdersOf<AccountRequest, AccountChange>
    readonly 'account-rename': OrdersOf<AccountRequest, AccountChange>
  }
  readonly sweeps: readonly Sweep[]
}

interface Deps {
  readonly core: Core
  readonly orders: Orders
  readonly log: Log
}

const referenceOf = ({ id }: AccountRequest): string => `KFVA${id}`
const slotOf = (bankCode: string): string => `account/${bankCode}`

export function openIssuing(deps: Deps): Issuing {
  const { core, orders } = deps
  const openings = openingOrders(deps)
  /** The requests in progress: concurrent calls for the same key share one response. */
  const underWay = new Map<string, Promise<IssuedNumber>>()

  async function requestNumber(requested: NumberRequest): Promise<IssuedNumber> {
    const { request, order, isNew } = await unitOfWork(core, (unit) => placeRequest(unit, orders, requested))
    // While the bank does not respond, the caller does not wait. The worker then only queries, as it lacks the data.
    if (order === undefined || order.state === 'WAITING') return issued(request)
    const { accountName, expiresAt, customer, bankCode } = requested
    return issued(
      isNew
        ? await openings.sendWith(order, request, ({ account }) =>
            account.open({
              reference: order.reference,
              bankCode,
              kind: expiresAt === null ? 'STATIC' : 'DYNAMIC',
              accountName,
              expiresAt,
              customer,
            }),
          )
        : await openings.requery(order, request),
    )
  }

  return {
    obtain: (requested) => {
      const key = JSON.stringify([
        String(requested.merchantId),
        requested.purpose,
        requested.ownerKey,
        requested.bankCode,
      ])
      const known = underWay.get(key)
      if (known !== undefined) return known
      const request = requestNumber(requested).finally(() => underWay.delete(key))
      underWay.set(key, request)
      return request
    },
    orders: {
      'account-open': openings,
      'account-close': changeOrders(deps, 'account-close', (rail, account) => rail.close(account)),
      'account-rename': changeOrders(deps, 'account-rename', (rail, account, { accountName }) =>
        rail.rename({ ...account, accountName }),
      ),
    },
    sweeps: [
      unusedSweep(core),
      changeSweep(deps, 'account-close', 'close issued account numbers', takeClosing),
      changeSweep(deps, 'account-rename', 'send account names to banks', takeRenamed),
    ],
  }
}

/** Stores the request and its order, or finds an earlier one and resumes it. */
async function placeRequest(
  unit: UnitOfWork,
  orders: Orders,
  { merchantId, purpose, ownerKey, bankCode, partner, accountName, expiresAt }: NumberRequest,
): Promise<{ readonly request: AccountRequest; readonly order?: OrderRow | undefined; readonly isNew: boolean }> {
  const { tx, ids, at } = unit
  const present = await findOpenRequest(tx, { merchantId, purpose, ownerKey, bankCode })
  if (present !== undefined)
    return {
      request: present,
      order: present.state === 'ASKED' ? await leaseIdleOrder(unit, present) : undefined,
      isNew: false,
    }
  const request: AccountRequest = {
    ...{ merchantId, id: ids.id(), purpose, ownerKey, bankCode, partner, accountName, expiresAt },
    ...{ state: 'ASKED', accountNumber: null, closesAt: null, reason: null, createdAt: at },
  }
  // Another node inserted the same request first. The caller gets `pending`; its next call finds that request.
  if (!(await insertRequest(tx, request))) return { request, isNew: false }
  const order = orderOf(orders, request, request.id, 'account-open', 'caller if responsive', at)
  placeOrders(unit, [order])
  return { request, order, isNew: true }
}

const orderOf = (
  orders: Orders,
  request: AccountRequest,
  id: bigint,
  purpose: 'account-open' | ChangePurpose,
  sentBy: 'caller if responsive' | 'worker',
  at: Date,
): OrderRow =>
  orders.newOrder(
    {
      merchantId: request.merchantId,
      id,
      purpose,
      subjectId: request.id,
      reference: referenceOf(request),
      // Only the partner that got the request can report its number.
      partner: request.partner,
      slot: slotOf(request.bankCode),
      amount: ZERO,
      sentBy,
    },
    at,
  )

/** Returns the number of a request; throws if there is none. */
function issued({ state, accountNumber, reason, ...request }: AccountRequest): IssuedNumber {
  if (state === 'OPENED' && accountNumber !== null) return { ...request, accountNumber }
  throw state === 'REFUSED' ? accountErrors.refused(reason ?? '') : accountErrors.pending()
}

const readRequests = async (db: Core['db'], placed: readonly OrderRow[]): Promise<readonly AccountRequest[]> => {
  const keys = placed.map(({ merchantId, subjectId }) => ({ merchantId, id: subjectId }))
  return subjectsById(placed, await requests.select(db, keys), ({ id }) => id)
}

/**
 * Orders that open account numbers. The caller sends them, because only the caller has the customer's data. The worker
 * only queries them.
 */
const openingOrders = ({ orders, log }: Deps): OrdersOf<AccountRequest, FoundAccount> =>
  orders.define<AccountRequest, FoundAccount>({
    purpose: 'account-open',
    subjects: readRequests,
    query: ({ reference }, { bankCode }, { account }) => account.find({ reference, bankCode }),
    found: {
      // A decision may come days later. The number may belong to someone else by then, so it is never used.
      succeeded: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      failed: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, responses) => concludeOpenings(log, unit, responses),
  })

/** Stores banks' responses to requests for numbers. A request that has an outcome keeps it. */
async function concludeOpenings(
  log: Log,
  { tx, at }: UnitOfWork,
  responses: readonly OrderResponse<AccountRequest, FoundAccount>[],
): Promise<readonly Concluded<AccountRequest>[]> {
  const locked = await requests.lock(
    tx,
    responses.map(({ subject }) => subject),
  )
  const present = new Map(locked.map((row) => [row.id, row]))
  const numbers = responses.flatMap(({ response }) => (response.kind === 'opened' ? response : []))
  const taken = new Set(numbers.length === 0 ? [] : await selectNumbersInUse(tx, numbers, at))
  const changed: AccountRequest[] = []
  const concluded = responses.map(({ subject, response }): Concluded<AccountRequest> => {
    const request = present.get(subject.id)
    invariant(request !== undefined, 'requests are never deleted')
    if (request.state !== 'ASKED') return { subject: request, conclusion: { kind: 'concluded' } }
    if (response.kind === 'unknown') return { subject: request, conclusion: { kind: 'unknown' } }
    const after = afterResponse(request, response, taken)
    // Using a number that already belongs to someone else would credit the wrong person.
    if (response.kind === 'opened' && after.state === 'REFUSED')
      log.error(
        { bankCode: response.bankCode, request: String(request.id) },
        'bank issued an account number already in use',
      )
    if (response.kind === 'opened') taken.add(accountKey(response))
    present.set(request.id, after)
    changed.push(after)
    return { subject: after, conclusion: { kind: 'concluded' } }
  })
  requests.update(tx, changed, ['state', 'accountNumber', 'accountName', 'closesAt', 'reason'])
  return concluded
}

/** Returns the request with the changes that follow from its bank's response. */
function afterResponse(
  request: AccountRequest,
  response: Exclude<FoundAccount, { readonly kind: 'unknown' }>,
  taken: ReadonlySet<string>,
): AccountRequest {
  switch (response.kind) {
    case 'opened': {
      if (taken.has(accountKey(response)))
        return { ...request, state: 'REFUSED', reason: 'The bank gave no free number' }
      const { accountNumber, closesAt } = response
      return { ...request, state: 'OPENED', accountNumber, closesAt }
    }
    case 'refused':
      return { ...request, state: 'REFUSED', reason: response.reason }
    case 'not found':
      // The bank never got this request. The next request has a new reference.
      return { ...request, state: 'LOST' }
  }
}

type ChangePurpose = 'account-close' | 'account-rename'

/** Orders that change an issued number. They are repeated until the bank responds; a repeat has no further effect. */
function changeOrders(
  { orders, log }: Deps,
  purpose: ChangePurpose,
  change: (rail: AccountRail, account: IssuedAccount, request: AccountRequest) => Promise<AccountChange>,
): OrdersOf<AccountRequest, AccountChange> {
  const changeNumber = (
    { reference }: OrderRow,
    request: AccountRequest,
    { account }: Rails,
  ): Promise<AccountChange> => {
    const { bankCode, accountNumber } = request
    return change(account, { reference, bankCode, accountNumber: accountNumber ?? '' }, request)
  }
  return orders.define<AccountRequest, AccountChange>({
    purpose,
    subjects: readRequests,
    send: changeNumber,
    query: changeNumber,
    found: {
      succeeded: () => ({ kind: 'done' }),
      failed: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
    },
    conclude: async (_, responses) =>
      responses.map(({ subject, response }): Concluded<AccountRequest> => {
        if (response.kind === 'refused')
          log.warn(
            { purpose, bankCode: subject.bankCode, reason: response.reason },
            'bank did not change account number',
          )
        return { subject, conclusion: { kind: response.kind === 'unknown' ? 'unknown' : 'concluded' } }
      }),
  })
}

/** Gives up issued numbers that were never used. */
const unusedSweep = ({ db }: Core): Sweep => ({
  name: 'give up unused account numbers',
  run: (at, limit) => giveUpUnused(db, secondsAfter(at, -UNUSED_SECONDS_MAX), limit),
  everySeconds: DELETION_SECONDS,
})

/** Places orders that notify banks of closed or renamed numbers. */
const changeSweep = (
  { core, orders }: Deps,
  purpose: ChangePurpose,
  name: string,
  take: (tx: Tx, limit: number) => Promise<readonly AccountRequest[]>,
): Sweep => ({
  name,
  run: (_, limit) =>
    unitOfWork(core, async (unit) => {
      const changed = await take(unit.tx, limit)
      placeOrders(
        unit,
        changed.map((request) => orderOf(orders, request, unit.ids.id(), purpose, 'worker', unit.at)),
      )
      return changed.length
    }),
})
