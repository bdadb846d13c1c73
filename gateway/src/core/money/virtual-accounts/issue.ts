import { secondsAfter } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/errors.ts'
import { ZERO } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/db.ts'
import type { Log } from '../../../platform/log.ts'
import type {
  AccountChange,
  AccountCustomer,
  AccountRail,
  FoundAccount,
  IssuedAccount,
} from '../../../rails/account.ts'
import type { Rails } from '../../../rails/index.ts'
import type { Core } from '../../core.ts'
import {
  type Answered,
  type Concluded,
  NOT_CARRIED_OUT,
  type OrderRow,
  type Orders,
  type OrdersOf,
  placeOrders,
  takeIdleOrder,
} from '../../orders/index.ts'
import { FORGETTING_SECONDS, type Sweep } from '../../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../unit-of-work.ts'
import { type AccountPurpose, accountKey } from './accounts.ts'
import { accountErrors } from './errors.ts'
import {
  type AccountRequest,
  findOpenRequest,
  giveUpUnused,
  insertRequest,
  requests,
  selectTaken,
  takeClosing,
  takeRenamed,
} from './request-repository.ts'

/** A number that nothing has needed for so long is given back to its bank. */
const UNUSED_SECONDS_MAX = 86_400

/** A number that a bank is to issue, and what for. */
export interface WantedNumber {
  readonly merchantId: bigint
  readonly purpose: AccountPurpose
  /** What the merchant calls that which needs it: whoever asks again for the same gets the same number. */
  readonly ownerKey: string
  readonly bankCode: string
  /** Who is asked for it. */
  readonly partner: string
  readonly accountName: string
  /** Until when it is needed; null where it has no end. */
  readonly expiresAt: Date | null
  readonly customer: AccountCustomer | null
}

/** A number that a bank has issued, and that nothing has yet. */
export type IssuedNumber = Pick<AccountRequest, 'merchantId' | 'id' | 'bankCode' | 'closesAt'> & {
  readonly accountNumber: string
}

/** Has banks issue account numbers. */
export interface Issuing {
  /** Asks a bank for a number, or answers the one that it has issued for the same; refuses where there is none yet. */
  readonly obtain: (wanted: WantedNumber) => Promise<IssuedNumber>
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
  /** Those who ask at once for the same wait for one answer. */
  const underWay = new Map<string, Promise<IssuedNumber>>()

  async function ask(wanted: WantedNumber): Promise<IssuedNumber> {
    const { request, order, isNew } = await unitOfWork(core, (unit) => placeRequest(unit, orders, wanted))
    // Where the bank has been silent of late nobody is kept waiting: the worker asks it.
    if (order === undefined || order.state === 'WAITING') return issued(request)
    const { accountName, expiresAt, customer, bankCode } = wanted
    return issued(
      isNew
        ? await openings.say(order, request, ({ account }) =>
            account.open({
              reference: order.reference,
              bankCode,
              kind: expiresAt === null ? 'STATIC' : 'DYNAMIC',
              accountName,
              expiresAt,
              customer,
            }),
          )
        : await openings.ask(order, request),
    )
  }

  return {
    obtain: (wanted) => {
      const key = JSON.stringify([String(wanted.merchantId), wanted.purpose, wanted.ownerKey, wanted.bankCode])
      const known = underWay.get(key)
      if (known !== undefined) return known
      const asked = ask(wanted).finally(() => underWay.delete(key))
      underWay.set(key, asked)
      return asked
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
      changeSweep(deps, 'account-rename', 'tell banks the names of account numbers', takeRenamed),
    ],
  }
}

/** Writes down that a number is asked for, with its order; or finds what was asked for before, and takes that up again. */
async function placeRequest(
  unit: UnitOfWork,
  orders: Orders,
  { merchantId, purpose, ownerKey, bankCode, partner, accountName, expiresAt }: WantedNumber,
): Promise<{ readonly request: AccountRequest; readonly order?: OrderRow | undefined; readonly isNew: boolean }> {
  const { tx, ids, at } = unit
  const present = await findOpenRequest(tx, { merchantId, purpose, ownerKey, bankCode })
  if (present !== undefined)
    return {
      request: present,
      order: present.state === 'ASKED' ? await takeIdleOrder(unit, present) : undefined,
      isNew: false,
    }
  const request: AccountRequest = {
    ...{ merchantId, id: ids.id(), purpose, ownerKey, bankCode, partner, accountName, expiresAt },
    ...{ state: 'ASKED', accountNumber: null, closesAt: null, reason: null, createdAt: at },
  }
  // Another node was quicker: what it hears counts for both.
  if (!(await insertRequest(tx, request))) return { request, isNew: false }
  const order = orderOf(orders, request, request.id, 'account-open', 'caller while answered', at)
  placeOrders(unit, [order])
  return { request, order, isNew: true }
}

const orderOf = (
  orders: Orders,
  request: AccountRequest,
  id: bigint,
  purpose: 'account-open' | ChangePurpose,
  sentBy: 'caller while answered' | 'worker',
  at: Date,
): OrderRow =>
  orders.newOrder(
    {
      merchantId: request.merchantId,
      id,
      purpose,
      subjectId: request.id,
      reference: referenceOf(request),
      // Who has issued a number, or was asked to, is the only one who knows of it.
      partner: request.partner,
      slot: slotOf(request.bankCode),
      amount: ZERO,
      sentBy,
    },
    at,
  )

/** What a request has brought; refuses where that is no number. */
function issued({ state, accountNumber, reason, ...request }: AccountRequest): IssuedNumber {
  if (state === 'OPENED' && accountNumber !== null) return { ...request, accountNumber }
  throw state === 'REFUSED' ? accountErrors.refused(reason ?? '') : accountErrors.pending()
}

const readRequests = async (db: Core['db'], placed: readonly OrderRow[]): Promise<AccountRequest[]> => {
  const keys = placed.map(({ merchantId, subjectId }) => ({ merchantId, id: subjectId }))
  const rows = new Map((await requests.select(db, keys)).map((row) => [row.id, row]))
  return placed.map(({ subjectId }) => {
    const request = rows.get(subjectId)
    invariant(request !== undefined, 'a request stays')
    return request
  })
}

/** Openings: sent by their callers, who alone know whom the number is for, and asked about by the worker. */
const openingOrders = ({ orders, log }: Deps): OrdersOf<AccountRequest, FoundAccount> =>
  orders.define<AccountRequest, FoundAccount>({
    purpose: 'account-open',
    subjects: readRequests,
    ask: ({ reference }, { bankCode }, { account }) => account.find({ reference, bankCode }),
    found: {
      // After days a number may be another's: it is not used, whatever became of it.
      succeeded: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      failed: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'not found' }),
    },
    conclude: (unit, answers) => concludeOpenings(log, unit, answers),
  })

/** Writes down what banks have said of openings. What was decided before stays. */
async function concludeOpenings(
  log: Log,
  { tx, at }: UnitOfWork,
  answers: readonly Answered<AccountRequest, FoundAccount>[],
): Promise<readonly Concluded<AccountRequest>[]> {
  const locked = await requests.lock(
    tx,
    answers.map(({ subject }) => subject),
  )
  const present = new Map(locked.map((row) => [row.id, row]))
  const numbers = answers.flatMap(({ said }) => (said.kind === 'opened' ? said : []))
  const taken = new Set(numbers.length === 0 ? [] : await selectTaken(tx, numbers, at))
  const changed: AccountRequest[] = []
  const concluded = answers.map(({ subject, said }): Concluded<AccountRequest> => {
    const request = present.get(subject.id)
    invariant(request !== undefined, 'a request stays')
    if (request.state !== 'ASKED') return { subject: request, conclusion: { kind: 'concluded' } }
    if (said.kind === 'unknown') return { subject: request, conclusion: { kind: 'unknown' } }
    const after = afterAnswer(request, said, taken)
    // A bank that gives away what is somebody's would have us credit a stranger.
    if (said.kind === 'opened' && after.state === 'REFUSED')
      log.error({ bankCode: said.bankCode, request: String(request.id) }, 'a bank has issued a number that is in use')
    if (said.kind === 'opened') taken.add(accountKey(said))
    present.set(request.id, after)
    changed.push(after)
    return { subject: after, conclusion: { kind: 'concluded' } }
  })
  requests.update(tx, changed, ['state', 'accountNumber', 'accountName', 'closesAt', 'reason'])
  return concluded
}

/** A request after what its bank has said. Pure. */
function afterAnswer(
  request: AccountRequest,
  said: Exclude<FoundAccount, { readonly kind: 'unknown' }>,
  taken: ReadonlySet<string>,
): AccountRequest {
  switch (said.kind) {
    case 'opened': {
      if (taken.has(accountKey(said))) return { ...request, state: 'REFUSED', reason: 'The bank gave no free number' }
      const { accountNumber, closesAt } = said
      return { ...request, state: 'OPENED', accountNumber, closesAt }
    }
    case 'refused':
      return { ...request, state: 'REFUSED', reason: said.reason }
    case 'not found':
      // A promise that it is never carried out: whoever asks again does so under another reference.
      return { ...request, state: 'LOST' }
  }
}

/** What is asked for about a number that a bank has issued. */
type ChangePurpose = 'account-close' | 'account-rename'

/** Changes: asked for until the bank has answered. Asked again, they have no further effect. */
function changeOrders(
  { orders, log }: Deps,
  purpose: ChangePurpose,
  change: (rail: AccountRail, account: IssuedAccount, request: AccountRequest) => Promise<AccountChange>,
): OrdersOf<AccountRequest, AccountChange> {
  const ask = ({ reference }: OrderRow, request: AccountRequest, { account }: Rails): Promise<AccountChange> => {
    const { bankCode, accountNumber } = request
    return change(account, { reference, bankCode, accountNumber: accountNumber ?? '' }, request)
  }
  return orders.define<AccountRequest, AccountChange>({
    purpose,
    subjects: readRequests,
    send: ask,
    ask,
    found: {
      succeeded: () => ({ kind: 'done' }),
      failed: () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
      'not-found': () => ({ kind: 'refused', reason: NOT_CARRIED_OUT }),
    },
    conclude: async (_, answers) =>
      answers.map(({ subject, said }): Concluded<AccountRequest> => {
        if (said.kind === 'refused')
          log.warn(
            { purpose, bankCode: subject.bankCode, reason: said.reason },
            'a bank did not change an account number',
          )
        return { subject, conclusion: { kind: said.kind === 'unknown' ? 'unknown' : 'concluded' } }
      }),
  })
}

/** Numbers that were issued, and that nothing has needed since: who asked for them was refused, or never came back. */
const unusedSweep = ({ db }: Core): Sweep => ({
  name: 'give up account numbers that nothing needs',
  run: (at, limit) => giveUpUnused(db, secondsAfter(at, -UNUSED_SECONDS_MAX), limit),
  everySeconds: FORGETTING_SECONDS,
})

/** Numbers of which something has changed: their banks are told. */
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
