import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { approvalOf, approveWaiting, coverApi, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { balancesOf } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'

const OPENING = 10_000_000
const DAY_SECONDS = 86_400

const aVend = () => ({
  productCode: 'MTN-AIRTIME',
  customerId: '08142223149',
  amount: 1_000,
  reference: `bill-${randomUUID()}`,
  emailAddress: 'ada@example.com',
})

async function withBills(opening: Promise<Shop>): Promise<Shop> {
  const shop = await opening
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  return shop
}

const statusOf = async (shop: Shop, reference: string) =>
  (await shop.call(contract.requeryBill, { query: { reference } })).vendStatus

test('a bill that a person pays reaches the biller when another approves it', async (t) => {
  const shop = await withBills(gateway(t))
  const maker = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const body = aVend()
  const made = await maker.call(contract.vendBill, { body })
  assert.deepEqual([made.vendStatus, made.description], ['PENDING', 'Awaiting approval'])
  await shop.advance(600)
  const delivered = async () => (await shop.db`select from simulated_entry where rail = 'biller'`).count
  assert.equal(await delivered(), 0)
  const request = await waiting(owner)
  assert.deepEqual(
    [request.kind, request.amount, request.recipient],
    ['BILL', made.payableAmount, 'MTN Airtime for 08142223149'],
  )
  assert.equal((await maker.rejected(403, contract.approve, approvalOf(request))).code, 'OWN_REQUEST')
  await owner.call(contract.approve, approvalOf(request))
  await until('it is paid', async () => (await statusOf(shop, body.reference)) === 'SUCCESS')
  assert.equal(await delivered(), 1)
  const [row] = await shop.db`select held_details from bill_vend where merchant_id = ${shop.merchantId}`
  assert.equal(row?.['heldDetails'], null, 'what the biller needed is not kept')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a bill that is rejected or not decided within a day returns its money', async (t) => {
  const shop = await withBills(gateway(t))
  const maker = await aTeamMember(shop, 'finance', FRESH)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const [rejected, forgotten] = [aVend(), aVend()]
  await maker.call(contract.vendBill, { body: rejected })
  await owner.call(contract.reject, { params: { id: (await waiting(owner)).id }, body: { reason: 'Private phone' } })
  const after = await shop.call(contract.requeryBill, { query: { reference: rejected.reference } })
  assert.deepEqual([after.vendStatus, after.description], ['FAILED', 'Private phone'])
  await maker.call(contract.vendBill, { body: forgotten })
  await shop.advance(DAY_SECONDS)
  await until('it has expired', async () => (await statusOf(shop, forgotten.reference)) === 'FAILED')
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a bill of the API waits only if the policy covers the API', async () => {
  const shop = await withBills(aShop())
  const owner = await aTeamMember(shop, 'owner', FRESH)
  assert.equal((await shop.call(contract.vendBill, { body: aVend() })).vendStatus, 'SUCCESS')
  await coverApi(shop)
  const { vendReference, vendStatus } = await shop.call(contract.vendBill, { body: aVend() })
  assert.equal(vendStatus, 'PENDING')
  await approveWaiting(owner)
  await until('it is paid', async () => (await statusOf(shop, vendReference)) === 'SUCCESS')
})
