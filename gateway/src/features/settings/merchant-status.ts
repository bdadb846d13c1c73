import type { Core } from '../../core/core.ts'
import type { EndOpen } from '../../core/feature.ts'
import {
  lockMerchant,
  type MerchantDirectory,
  type MerchantRow,
  type MerchantStatus,
  nextClosed,
  takeClosed,
  updateMerchant,
} from '../../core/merchants/index.ts'
import { moneyOf } from '../../core/money/ledger/index.ts'
import { findPendingOrder } from '../../core/orders/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import type { Sweep } from '../../core/sweep.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/postgres/db.ts'

/** The statuses from which each status can be reached, and the name of that step. */
const MOVES: Readonly<Record<MerchantStatus, { readonly from: readonly MerchantStatus[]; readonly word: string }>> = {
  SUSPENDED: { from: ['ACTIVE'], word: 'suspend' },
  ACTIVE: { from: ['SUSPENDED'], word: 'resume' },
  CLOSED: { from: ['ACTIVE', 'SUSPENDED'], word: 'close' },
}

/** The reason why a merchant's status cannot change: its current status, money left, or an open order. */
export class MerchantStatusError extends Error {
  readonly standing: MerchantStatus
  readonly left: { readonly account: string; readonly amount: Kobo } | undefined
  /** The reference of an open order. */
  readonly order: string | undefined

  constructor(standing: MerchantStatus, { left, order }: Partial<Pick<MerchantStatusError, 'left' | 'order'>> = {}) {
    super(left === undefined ? `The merchant is ${standing}` : `The merchant still has money in ${left.account}`)
    this.standing = standing
    this.left = left
    this.order = order
  }
}

export interface MerchantStatusDeps {
  readonly directory: MerchantDirectory
  /** How to end the merchant's open items when it is closed. */
  readonly closing: readonly EndOpen[]
}

/**
 * Suspends, resumes or closes a merchant on every node within seconds. Money that arrives for a suspended merchant is
 * still posted. A merchant can be closed only if it has no open orders at partners and no money outside of its wallets.
 * Closing ends its open items, and a sweep does so again once its last requests have ended. From then on, credits go
 * back to the payer, and operators pay its wallets out.
 */
export const changeMerchantStatus = (
  { directory, closing }: MerchantStatusDeps,
  merchantId: bigint,
  { standing, reason }: { readonly standing: MerchantStatus; readonly reason: string },
  who: Pick<AuditRecord, 'actor' | 'name' | 'address'>,
): Promise<void> =>
  directory.change(merchantId, async (unit) => {
    const merchant = await lockMerchant(unit.tx, merchantId)
    invariant(merchant !== undefined, 'merchants are never deleted')
    const { from, word } = MOVES[standing]
    if (!from.includes(merchant.standing)) throw new MerchantStatusError(merchant.standing)
    if (standing === 'CLOSED') {
      await checkClosable(unit.tx, merchant)
      for (const end of closing) end(unit.tx, merchantId, unit.at)
    }
    const lastRequestsEndAt = standing === 'CLOSED' ? secondsAfter(unit.at, LAST_REQUESTS_SECONDS) : null
    updateMerchant(unit.tx, merchantId, { standing, lastRequestsEndAt })
    const details = { before: merchant.standing, after: standing, reason }
    audit(unit, { merchantId, act: `merchant.${word}`, ...who, details })
  })

/** No request that began before its merchant was closed takes longer than this. */
const LAST_REQUESTS_SECONDS = 600

/** Creates the sweep that ends the items which a closed merchant's last requests still opened. */
export const endLastRequests = (core: Core, closing: readonly EndOpen[]): Sweep => ({
  name: 'end what closed merchants opened last',
  run: async (at, limit) => {
    let count = 0
    while (count < limit && (await endOne(core, closing, at))) count++
    return count
  },
  nextDue: () => nextClosed(core.db),
  everySeconds: 60,
})

const endOne = (core: Core, closing: readonly EndOpen[], at: Date): Promise<boolean> =>
  unitOfWork(core, async ({ tx, at: now }) => {
    const id = await takeClosed(tx, at)
    if (id !== undefined) for (const end of closing) end(tx, id, now)
    return id !== undefined
  })

async function checkClosable(tx: Tx, { id, standing }: MerchantRow): Promise<void> {
  const left = (await moneyOf(tx, id)).find(({ code }) => !WALLETS_MONEY.test(code))
  if (left !== undefined)
    throw new MerchantStatusError(standing, { left: { account: left.code, amount: left.balance } })
  const order = await findPendingOrder(tx, id)
  if (order !== undefined) throw new MerchantStatusError(standing, { order })
}

/** Accounts with money in a wallet, or held for its payouts: closing ends these payouts. */
const WALLETS_MONEY = /^(wallet|in-flight)\/\d+$/
