import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { approveWaiting, coverApi, FRESH, waiting } from '../../harness/approval-samples.ts'
import { aShop, gateway, type Shop } from '../../harness/gateway.ts'
import {
  aRefund,
  balances,
  checkLedger,
  ELSEWHERE,
  OPENING_BALANCE,
  paid,
  refund,
  refundWithStatus,
} from '../../harness/refund-samples.ts'
import { aTeamMember } from '../../harness/users.ts'
import { webhookEndpoint } from '../../harness/webhook-endpoint.ts'

const DAY_SECONDS = 86_400

const bankHasPaid = async ({ db }: Shop): Promise<number> =>
  (await db`select from simulated_entry where rail = 'transfer'`).count

const stateOf = async (shop: Shop, refundReference: string) =>
  (await shop.call(contract.getRefund, { params: { refundReference } })).refundStatus

test('a refund that a person sends to an account other than the payer’s waits for the approval of another', async (t) => {
  const shop = await gateway(t)
  const maker = await aTeamMember(shop, 'finance', { ...FRESH, approves: true })
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const body = aRefund(await paid(shop, 5_000), { refundAmount: 5_000, ...ELSEWHERE })
  const made = await maker.call(contract.initiateRefund, { body })
  assert.deepEqual([made.refundStatus, made.comment], ['PENDING', 'Awaiting approval'])
  assert.deepEqual(await balances(shop), [OPENING_BALANCE - 5_010, OPENING_BALANCE])
  await shop.advance(600)
  assert.equal(await bankHasPaid(shop), 0, 'nothing is sent')
  const request = await waiting(owner)
  assert.deepEqual([request.kind, request.status, request.amount], ['REFUND', 'PENDING_AUTHORIZATION', 5_000])
  assert.match(request.recipient, /^[A-Z ]+, 2087654321, Access bank$/i)
  const input = { params: { id: request.id }, body: { hash: request.hash } }
  assert.equal((await maker.rejected(403, contract.approve, input)).code, 'OWN_REQUEST')
  assert.equal((await owner.call(contract.approve, input)).status, 'PENDING')
  await refundWithStatus(shop, body, 'COMPLETED')
  assert.equal(await bankHasPaid(shop), 1)
  assert.equal((await owner.rejected(422, contract.approve, input)).code, 'APPROVAL_NOT_WAITING')
  await checkLedger(shop)
})

test('a rejected or undecided refund to another account fails and returns its money', async (t) => {
  const shop = await gateway(t)
  const events = await webhookEndpoint(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { refund: events.url } } })
  const maker = await aTeamMember(shop, 'finance', FRESH)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const transactionReference = await paid(shop, 5_000)
  const first = aRefund(transactionReference, ELSEWHERE)
  await maker.call(contract.initiateRefund, { body: first })
  const { id } = await waiting(owner)
  const rejected = await owner.call(contract.reject, { params: { id }, body: { reason: 'Unknown account' } })
  assert.equal(rejected.status, 'FAILED')
  assert.equal(await stateOf(shop, first.refundReference), 'FAILED')
  assert.deepEqual(await balances(shop), [OPENING_BALANCE, OPENING_BALANCE])
  const [reported] = await events.count(1)
  assert.equal(reported?.event.eventType, 'FAILED_REFUND')
  const second = aRefund(transactionReference, ELSEWHERE)
  await maker.call(contract.initiateRefund, { body: second })
  await shop.advance(DAY_SECONDS)
  await refundWithStatus(shop, second, 'FAILED')
  assert.deepEqual((await owner.call(contract.listApprovals, { query: {} })).requests, [])
  assert.equal(await bankHasPaid(shop), 0)
  await checkLedger(shop)
})

test('a person refunds to the payer without approval, but with a fresh second factor', async () => {
  const shop = await aShop()
  const transactionReference = await paid(shop, 5_000)
  const own = { destinationAccountNumber: '0123452190', destinationAccountBankCode: '058' }
  const unfresh = await aTeamMember(shop, 'finance', { secondFactor: 'shown' })
  const without = await aTeamMember(shop, 'finance')
  const body = aRefund(transactionReference)
  assert.equal((await unfresh.rejected(403, contract.initiateRefund, { body })).code, 'SECOND_FACTOR_NOT_FRESH')
  assert.equal((await without.rejected(403, contract.initiateRefund, { body })).code, 'SECOND_FACTOR_MISSING')
  const finance = await aTeamMember(shop, 'finance', FRESH)
  for (const destination of [{}, own]) {
    const made = await finance.call(contract.initiateRefund, { body: aRefund(transactionReference, destination) })
    await refundWithStatus(shop, made, 'COMPLETED')
  }
})

test('a refund that the API sends to another account waits for approval if the policy covers the API', async (t) => {
  const shop = await gateway(t)
  const transactionReference = await paid(shop, 9_000)
  await refundWithStatus(shop, await refund(shop, transactionReference, ELSEWHERE), 'COMPLETED')

  await coverApi(shop)
  const owner = await aTeamMember(shop, 'owner', FRESH)
  const covered = await refund(shop, transactionReference, ELSEWHERE)
  assert.equal(covered.comment, 'Awaiting approval')
  assert.equal((await approveWaiting(owner)).madeBy, null)
  await refundWithStatus(shop, covered, 'COMPLETED')
  const late = await refund(shop, transactionReference, ELSEWHERE)
  await shop.advance(DAY_SECONDS)
  const failed = await refundWithStatus(shop, late, 'FAILED')
  assert.equal(failed.comment, 'Refund failed: not authorized in time')
  await checkLedger(shop)
})
