import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { MONEY_OUT, moneyRightsOf, PLACES, type Place, type Route } from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { FRESH } from '../../harness/approval-samples.ts'
import { gateway, type Shop } from '../../harness/gateway.ts'
import { long } from '../../harness/long.ts'
import { daysAfter } from '../../harness/mandate-samples.ts'
import { aRefund, ELSEWHERE, paid } from '../../harness/refund-samples.ts'
import { aBatch, anItem, aTransfer } from '../../harness/samples.ts'
import { aTeamMember, type TestUser } from '../../harness/users.ts'

/** A valid request of each action that needs approval; amounts differ, so that none is a duplicate. */
const REQUESTS: Readonly<Record<string, (shop: Shop, amount: number) => Promise<object>>> = {
  transfer: (shop, amount) => aTransfer(shop, { amount }),
  batch: async (shop, amount) => aBatch(shop, [anItem({ amount })]),
  'refund to another account': async (shop, amount) =>
    aRefund(await paid(shop, amount), { refundAmount: amount, ...ELSEWHERE }),
  paycode: async (shop, amount) => ({
    beneficiaryName: 'Bola Ige',
    amount,
    paycodeReference: `cash-${randomUUID()}`,
    expiryDate: daysAfter(shop.core.clock.now(), 3),
    clientId: shop.credentials.apiKey,
  }),
  bill: async (_, amount) => ({
    productCode: 'MTN-AIRTIME',
    customerId: '08142223149',
    amount,
    reference: `bill-${randomUUID()}`,
  }),
}

/** Makes a payout and tries to approve everything that waits; returns whether it could make one. */
async function tryAlone(person: TestUser, route: Route, body: object): Promise<boolean> {
  const { status, text } = await person.send(route, { body })
  assert.ok(status === 200 || status === 403, text)
  const listed = await person.send(contract.listApprovals, { query: {} })
  const { requests = [] } =
    (listed.body as { responseBody?: { requests?: { id: string; hash: string }[] } }).responseBody ?? {}
  for (const { id, hash } of status === 200 ? requests.slice(0, 1) : [])
    assert.equal((await person.send(contract.approve, { params: { id }, body: { hash } })).status, 403)
  return status === 200
}

long('no role makes money leave a wallet alone', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  await aTeamMember(shop, 'owner', FRESH) // so that no one is the sole approver
  let amount = 1_000
  for (const place of PLACES) {
    const person = await aTeamMember(shop, place.role, { ...FRESH, approves: place.approves })
    for (const out of MONEY_OUT.filter(({ gate }) => gate === 'approval')) {
      const body = (await REQUESTS[out.action]?.(shop, amount++)) ?? assert.fail(`${out.action} has a request`)
      const made = await tryAlone(person, out.route, body)
      assert.equal(made, moneyRightsOf(place, out).makes, `${place.name}: ${out.action}`)
    }
  }
  await shop.advance(600)
  const left = await shop.db`select from simulated_entry where rail in ('transfer', 'biller')`
  assert.deepEqual([left.count, (await shop.db`select from open_paycode`).count], [0, 0])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

/** Requests of makers and approvers that move no money out. */
const HARMLESS: ReadonlySet<Route> = new Set<Route>([
  contract.approve, // the gate itself
  contract.reject,
  contract.cancelPaycode,
  contract.validateBillCustomer,
  contract.submitEvidence,
])

test('every action of a maker, an approver or a refunder is in the table, and no cell releases alone unless the policy says so', () => {
  const routes = [...contract.ROUTES, ...contract.DASHBOARD_ROUTES].map(({ route }): Route => route)
  const powers: readonly unknown[] = ['payout.make', 'payout.approve', 'refund.make']
  const acts = routes.filter((route) => route.method !== 'GET' && powers.includes(route.person))
  const known = new Set(MONEY_OUT.map(({ route }) => route))
  assert.deepEqual(
    acts.filter((route) => !known.has(route) && !HARMLESS.has(route)).map(({ path }) => path),
    [],
  )
  for (const out of MONEY_OUT)
    for (const place of PLACES) {
      const { makes, approves, alone } = moneyRightsOf(place as Place, out)
      const isOwnPolicy = alone === 'as the sole approver, up to the limit of the policy' && makes && approves
      const isBack = alone === 'back to the payer' && out.gate === alone && out.route.fresh === true
      assert.ok(alone === 'no' || isOwnPolicy || isBack, `${place.name}: ${out.action}`)
    }
  assert.equal(contract.approve.fresh, true)
})
