import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { keepConflicts } from '../../src/core/money/credits/index.ts'
import { HOUSE } from '../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { NOBODY, sendBack } from '../../src/features/returns/index.ts'
import { kobo } from '../../src/kernel/money.ts'
import type { InboundCredit } from '../../src/rails/bank.ts'
import type { Shop } from './gateway.ts'
import { transferTo } from './samples.ts'
import { silence } from './unresolved.ts'

/** The code by which the operator knows a shop. */
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

/** A credit that was not taken, of somebody whose account nobody knows; answers its id. */
export async function aWaitingReturn(shop: Shop, railReference: string): Promise<string> {
  const unwanted = { ...NOBODY, credit: credit(railReference), decided: REJECTED }
  await unitOfWork(shop.core, (unit) => sendBack(unit, { isOffered: () => false }, [unwanted]))
  const [row] = await shop.db<{ id: bigint }[]>`
    select id from credit_return where merchant_id = ${HOUSE} and rail_reference = ${railReference}`
  return String(row?.id)
}
const REJECTED = { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' } as const

/** A credit under a reference of other money; answers its id. */
export async function aConflict(shop: Shop, railReference: string): Promise<string> {
  const told = { ...credit(railReference), merchantId: shop.merchantId }
  await unitOfWork(shop.core, (unit) => keepConflicts(unit, shop.core.keyring, [told]))
  const [row] = await shop.db<{ id: bigint }[]>`
    select id from credit_conflict where merchant_id = ${shop.merchantId} and rail_reference = ${railReference}`
  return String(row?.id)
}

/** A transfer about which its bank said nothing for so long that a person is called; answers its order's reference. */
export async function anUnresolvedTransfer(shop: Shop): Promise<string> {
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { status } = await transferTo(shop, SAYS_NOTHING)
  assert.equal(status, 'PENDING')
  return silence(shop, 'transfer')
}
/** The sandbox's bank says nothing about transfers to accounts that end so for a while. */
const SAYS_NOTHING = '002'
