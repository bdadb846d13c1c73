import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { approvalOf, approveWaiting, coverApi, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import { daysAfter } from '../../harness/mandate-samples.ts'
import { balancesOf } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { aTeamMember } from '../../harness/users.ts'

const OPENING = 10_000_000
const NO_CODE = '********'
const DAY_SECONDS = 86_400

const aPaycode = (shop: Shop, days = 3) => ({
  beneficiaryName: 'Bola Ige',
  amount: 5_000,
  paycodeReference: `cash-${randomUUID()}`,
  expiryDate: daysAfter(shop.core.clock.now(), days),
  clientId: shop.credentials.apiKey,
})

const statusOf = async (shop: Shop, paycodeReference: string) =>
  (await shop.call(contract.getPaycode, { params: { paycodeReference } })).transactionStatus

test('a paycode that a person makes has no code until another approves it', async (t) => {
  const shop = await gateway(t)
  const maker = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const body = aPaycode(shop)
  const made = await maker.call(contract.createPaycode, { body })
  assert.deepEqual([made.transactionStatus, made.paycode], ['PENDING', NO_CODE])
  assert.equal((await balancesOf(shop)).availableBalance, OPENING - 5_000 - made.fee)
  const { paycodeReference } = body
  const reveal = () => maker.call(contract.revealPaycode, { params: { paycodeReference } })
  assert.equal((await reveal()).paycode, NO_CODE)
  assert.equal((await shop.db`select from open_paycode`).count, 0)
  await shop.rejected(400, contract.redeemPaycode, { params: { paycodeReference } })
  const request = await waiting(owner)
  assert.deepEqual([request.kind, request.amount, request.recipient], ['PAYCODE', 5_000, 'Cash for Bola Ige'])
  assert.equal((await maker.rejected(403, contract.approve, approvalOf(request))).code, 'OWN_REQUEST')
  assert.equal((await owner.call(contract.approve, approvalOf(request))).status, 'PENDING')
  assert.match((await reveal()).paycode, /^\d{8}$/)
  await shop.call(contract.redeemPaycode, { params: { paycodeReference } })
  assert.equal(await statusOf(shop, paycodeReference), 'SUCCESS')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a paycode that is rejected, cancelled or not decided within a day returns its money', async (t) => {
  const shop = await gateway(t)
  const maker = await aTeamMember(shop, 'finance', FRESH)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const [rejected, cancelled, forgotten, short] = [
    aPaycode(shop),
    aPaycode(shop),
    aPaycode(shop),
    { ...aPaycode(shop), expiryDate: daysAfter(shop.core.clock.now(), 0.5) },
  ]
  await maker.call(contract.createPaycode, { body: rejected })
  await owner.call(contract.reject, { params: { id: (await waiting(owner)).id }, body: { reason: 'Unknown person' } })
  assert.equal(await statusOf(shop, rejected.paycodeReference), 'CANCELLED')
  await maker.call(contract.createPaycode, { body: cancelled })
  const { paycodeReference } = cancelled
  await maker.call(contract.cancelPaycode, { params: { paycodeReference } })
  assert.deepEqual((await owner.call(contract.listApprovals, { query: {} })).requests, [])
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
  await maker.call(contract.createPaycode, { body: short })
  const late = approvalOf(await waiting(owner))
  await maker.call(contract.createPaycode, { body: forgotten })
  await shop.advance(DAY_SECONDS)
  assert.equal((await owner.rejected(422, contract.approve, late)).code, 'APPROVAL_NOT_WAITING')
  for (const one of [short, forgotten])
    await until('it has expired', async () => (await statusOf(shop, one.paycodeReference)) === 'EXPIRED')
  assert.equal((await balancesOf(shop)).availableBalance, OPENING)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a paycode of the API waits only if the policy covers the API', async () => {
  const shop = await aShop()
  const owner = await aTeamMember(shop, 'owner', FRESH)
  assert.match((await shop.call(contract.createPaycode, { body: aPaycode(shop) })).paycode, /^\d{8}$/)
  await coverApi(shop)
  const { paycodeReference, paycode } = await shop.call(contract.createPaycode, { body: aPaycode(shop) })
  assert.equal(paycode, NO_CODE)
  await approveWaiting(owner)
  const shown = await shop.call(contract.revealPaycode, { params: { paycodeReference } })
  assert.match(shown.paycode, /^\d{8}$/)
})
