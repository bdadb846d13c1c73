import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { storeConflicts } from '../../src/core/money/credits/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { NO_OWNER, returnCredits } from '../../src/features/returns/index.ts'
import { HOUSE } from '../../src/kernel/house.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { InboundCredit } from '../../src/rails/bank.ts'
import type { Shop } from './gateway.ts'
import { transferTo } from './samples.ts'
import { makeUnresolved } from './unresolved.ts'

/** The operator's code of a shop. */
export async function codeOf({ core, merchantId }: Pick<Shop, 'core' | 'merchantId'>): Promise<string> {
  return (await core.directory.byId(merchantId))?.code ?? assert.fail('the merchant is there')
}

const credit = (railReference: string): InboundCredit => ({
  partner: 'simulated',
  railReference,
  bankCode: '035',
  accountNumber: '9999999999',
  amount: kobo(750_000n),
  payer: { name: 'Ngozi Ade', accountNumber: null, bankCode: null, bvn: null },
  narration: 'school fees',
})

/** A rejected credit whose payer's account is unknown; returns its id. */
export async function aWaitingReturn(shop: Shop, railReference: string): Promise<string> {
  const rejected = { ...NO_OWNER, credit: credit(railReference), decided: REJECTED }
  await unitOfWork(shop.core, (unit) => returnCredits(unit, { isOffered: () => false }, [rejected]))
  const [row] = await shop.db<{ id: bigint }[]>`
    select id from credit_return where merchant_id = ${HOUSE} and rail_reference = ${railReference}`
  return String(row?.id)
}
const REJECTED = { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' } as const

/** Reports a credit under the reference of another credit; returns its id. */
export async function aConflict(shop: Shop, railReference: string): Promise<string> {
  const reported = { ...credit(railReference), merchantId: shop.merchantId, purpose: 'wallet', ownerId: 0n }
  await unitOfWork(shop.core, (unit) => storeConflicts(unit, shop.core.keyring, [reported]))
  const [row] = await shop.db<{ id: bigint }[]>`
    select id from credit_conflict where merchant_id = ${shop.merchantId} and rail_reference = ${railReference}`
  return String(row?.id)
}

/** A transfer without an outcome for so long that it needs manual review; returns its order's reference. */
export async function anUnresolvedTransfer(shop: Shop, amount = 5_000): Promise<string> {
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { status } = await transferTo(shop, UNKNOWN_OUTCOME, { amount })
  assert.equal(status, 'PENDING')
  return makeUnresolved(shop, 'transfer')
}
/** For accounts that end in this, the sandbox's bank returns `unknown` for a while. */
const UNKNOWN_OUTCOME = '002'
