import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { updateMerchant } from '../../src/core/merchants/index.ts'
import type { Shop } from './gateway.ts'
import type { TestUser } from './users.ts'

export const FRESH = { secondFactor: 'fresh' } as const

/** Reads the only waiting payout, as a team member sees it. */
export async function waiting(person: TestUser) {
  const { requests } = await person.call(contract.listApprovals, { query: {} })
  assert.equal(requests.length, 1)
  return requests[0] ?? assert.fail()
}

/** Builds the input that approves a payout exactly as the user saw it. */
export const approvalOf = ({ id, hash }: { readonly id: string; readonly hash: string }) => ({
  params: { id },
  body: { hash },
})

/** Approves the only waiting payout. */
export const approveWaiting = async (person: TestUser) =>
  person.call(contract.approve, approvalOf(await waiting(person)))

/** Lets the approval policy cover the API at once, without the day's delay. */
export const coverApi = ({ core, merchantId }: Pick<Shop, 'core' | 'merchantId'>): Promise<void> =>
  core.directory.change(merchantId, ({ tx }) => {
    const approvalPolicy = { freeBelow: '0', twoFrom: null, soleUpTo: '0', coversApi: true }
    updateMerchant(tx, merchantId, { approvalPolicy })
  })
