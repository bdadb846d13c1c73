import { release } from '../../core/orders/index.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { formatNaira, ZERO } from '../../kernel/money.ts'
import { AUTHORIZE_SECONDS_MAX, type Facts, type Payout, type PayoutDefinition, WAITING } from '../approvals/index.ts'
import { payableAmount } from './journals.ts'
import { failHeld } from './orders.ts'
import { lockVends, releaseVend, selectVendsByKey, type VendDetails, type VendRow } from './repository.ts'

/** Returns a new vend as it is stored while it waits for approval. */
export const heldVend = (vend: VendRow, heldDetails: VendDetails): VendRow => ({
  ...vend,
  description: 'Awaiting approval',
  authorizeBy: secondsAfter(vend.createdAt, AUTHORIZE_SECONDS_MAX),
  heldDetails,
})

/** Returns the facts that an approval of a bill covers. */
export const vendFacts = (vend: VendRow): Facts => [
  [
    vend.reference,
    String(payableAmount(vend)),
    String(vend.vendAmount),
    vend.accountNumber,
    vend.productCode,
    vend.customerId,
  ],
]

const vendPayout = (vend: VendRow): Payout => ({
  ...vend,
  status: vend.authorizeBy === null ? vend.status : WAITING,
  amount: payableAmount(vend),
  fee: ZERO,
  recipient: `${vend.productName} for ${vend.customerId}`,
  narration: `${vend.billerName}, ${formatNaira(vend.vendAmount)} less your commission`,
  itemsCount: 1,
})

/** Bills as payouts waiting for approval. */
export const vendPayouts: PayoutDefinition = {
  select: async (db, keys) => (await selectVendsByKey(db, keys)).map(vendPayout),
  lock: async (unit, key) => {
    const [vend] = await lockVends(unit.tx, [key])
    invariant(vend !== undefined, 'a vend is never deleted')
    return {
      ...vendPayout(vend),
      facts: vendFacts(vend),
      release: async () => {
        releaseVend(unit.tx, { ...vend, description: 'Payment in progress', authorizeBy: null })
        release(unit, vend.merchantId, [vend.id])
        return undefined
      },
      reject: (reason) => failHeld(unit, [vend], reason),
    }
  },
}
