import { lockMerchant, type MerchantDirectory, type Standing, updateMerchant } from '../../core/merchants/index.ts'
import { moneyOf } from '../../core/money/ledger/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'

/** From where a merchant can come to stand so, and what that is called. */
const MOVES: Readonly<Record<Standing, { readonly from: readonly Standing[]; readonly word: string }>> = {
  SUSPENDED: { from: ['ACTIVE'], word: 'suspend' },
  ACTIVE: { from: ['SUSPENDED'], word: 'resume' },
  CLOSED: { from: ['ACTIVE', 'SUSPENDED'], word: 'close' },
}

/** Why a merchant cannot stand so: how it stands, or the money that is left. */
export class StandingError extends Error {
  readonly standing: Standing
  readonly left: { readonly account: string; readonly amount: Kobo } | undefined

  constructor(standing: Standing, left?: { readonly account: string; readonly amount: Kobo }) {
    super(left === undefined ? `It is ${standing}` : `It still has money in ${left.account}`)
    this.standing = standing
    this.left = left
  }
}

/**
 * Shuts a merchant out, lets it in again, or closes it once none of its money is left: on every node within seconds. Money
 * that arrives is booked all the same.
 */
export const changeStanding = (
  directory: MerchantDirectory,
  merchantId: bigint,
  { standing, reason }: { readonly standing: Standing; readonly reason: string },
  who: Pick<AuditRecord, 'actor' | 'name' | 'address'>,
): Promise<void> =>
  directory.change(merchantId, async (unit) => {
    const merchant = await lockMerchant(unit.tx, merchantId)
    invariant(merchant !== undefined, 'a merchant stays')
    const { from, word } = MOVES[standing]
    if (!from.includes(merchant.standing)) throw new StandingError(merchant.standing)
    const [left] = standing === 'CLOSED' ? await moneyOf(unit.tx, merchantId) : []
    if (left !== undefined) throw new StandingError(merchant.standing, { account: left.code, amount: left.balance })
    updateMerchant(unit.tx, merchantId, { standing })
    const details = { before: merchant.standing, after: standing, reason }
    audit(unit, { merchantId, act: `merchant.${word}`, ...who, details })
  })
