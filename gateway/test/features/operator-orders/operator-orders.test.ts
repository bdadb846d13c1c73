import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OrderVerdict } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { anActiveMandate } from '../../harness/mandate-samples.ts'
import { asOwner } from '../../harness/postgres.ts'
import { paid, refund, refundWithStatus } from '../../harness/refund-samples.ts'
import {
  advanceToHour,
  anAccount,
  balancesOf,
  CARDS,
  charge,
  openTransaction,
  pay,
  statusOf,
  transferTo,
} from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { makeUnresolved } from '../../harness/unresolved.ts'
import { anOperator } from '../../harness/users.ts'

const BECAUSE = 'The bank’s statement'

async function checkBooks({ db }: TestGateway): Promise<void> {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** Two operators who make the same decision about an order, which is then carried out. */
async function twoOperators(shop: TestGateway) {
  const [maker, checker] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const resolve = async (reference: string, verdict: OrderVerdict, details: Readonly<Record<string, string>> = {}) => {
    const input = {
      params: { reference },
      body: { verdict, because: BECAUSE, told: Object.entries(details).map(([name, value]) => ({ name, value })) },
    }
    await maker.call(contract.decideOrder, input)
    assert.equal((await checker.call(contract.decideOrder, input)).decisions[0]?.state, 'CONFIRMED')
    await shop.advance(1)
    const { decisions } = await maker.call(contract.getOperatorOrder, { params: { reference } })
    assert.equal(decisions[0]?.state, 'CARRIED_OUT')
  }
  return { maker, checker, resolve }
}

test('one operator proposes and another confirms what both see; no one else can, and no one alone', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { maker, checker } = await twoOperators(shop)
  const auditor = await anOperator(shop, 'auditor')
  const { reference: sent } = await transferTo(shop, '002')
  const reference = await makeUnresolved(shop, 'transfer')
  const params = { reference }
  const details = [{ name: 'sessionId', value: '090110' }]
  const body = { verdict: 'succeeded' as const, because: BECAUSE, told: details }
  const refusal = async (...[person, input]: [typeof maker, object]) =>
    (await person.rejected(422, contract.decideOrder, { params, body: { ...body, ...input } })).code

  assert.equal((await auditor.rejected(403, contract.decideOrder, { params, body })).code, 'ROLE_NOT_ALLOWED')
  assert.equal((await auditor.rejected(403, contract.queryOrder, { params })).code, 'ROLE_NOT_ALLOWED')
  const stale = await anOperator(shop, 'operator', { secondFactor: 'shown' })
  assert.equal((await stale.rejected(403, contract.decideOrder, { params, body })).code, 'SECOND_FACTOR_NOT_FRESH')
  await maker.rejected(404, contract.getOperatorOrder, { params: { reference: 'nobody’s' } })
  await maker.rejected(400, contract.decideOrder, { params, body: { ...body, because: ' ' } })
  assert.equal(await refusal(maker, { told: [] }), 'NOT_TOLD')

  assert.equal((await maker.call(contract.decideOrder, { params, body })).mayConfirm, false)
  assert.equal((await maker.rejected(403, contract.decideOrder, { params, body })).code, 'OWN_PROPOSAL')
  const renamed = `renamed-${maker.email}`
  await shop.db`update person set email = ${renamed}, email_key = ${renamed} where id = ${maker.personId}`
  assert.equal((await maker.call(contract.getOperatorOrder, { params })).mayConfirm, false)
  const own = await maker.rejected(403, contract.decideOrder, { params, body })
  assert.equal(own.code, 'OWN_PROPOSAL', 'a person is the same under another address')
  const [waiting] = (await checker.call(contract.listUnresolvedOrders, {})).orders
  assert.deepEqual(
    [waiting?.reference, waiting?.proposal?.proposedBy, waiting?.proposal?.told],
    [reference, maker.email, details],
  )
  const seen = await auditor.call(contract.getOperatorOrder, { params })
  assert.deepEqual([seen.mayConfirm, seen.decisions[0]?.told], [false, [{ name: 'sessionId', value: '…' }]])
  assert.equal((await checker.call(contract.getOperatorOrder, { params })).mayConfirm, true)
  await shop.advance(1)
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'PENDING')

  // While the order is leased, no decision is carried out or replaced.
  await shop.db`update rail_order set leased_until = now() + interval '1 hour' where reference = ${reference}`
  await checker.call(contract.decideOrder, { params, body })
  assert.equal(await refusal(maker, { verdict: 'failed' }), 'DECIDED_ALREADY')
  await shop.db`update rail_order set leased_until = null where reference = ${reference}`
  await shop.advance(1)
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'SUCCESS')
  assert.equal(await refusal(checker, {}), 'NOBODY_CALLED')
  assert.equal((await maker.rejected(422, contract.queryOrder, { params })).code, 'NOBODY_CALLED')
  const acts = await shop.db<{ act: string; actor: string }[]>`
    select act, actor from audit where reference = ${reference} order by at, id`
  assert.deepEqual(
    acts.map(({ act, actor }) => [act, actor]),
    [
      ['order.propose', `person/${maker.personId}`],
      ['order.confirm', `person/${checker.personId}`],
      ['order.decision.carry-out', 'worker'],
    ],
  )
  await checkBooks(shop)
})

/** A settlement whose payout has an unknown outcome. */
async function aPayout(shop: TestGateway): Promise<void> {
  await advanceToHour(shop, 8)
  await shop.call(contract.changeSettings, {
    body: { settlementDestination: 'BANK', settlementAccount: { bankCode: '057', accountNumber: '0123456002' } },
  })
  await pay(shop, await anAccount(shop, { amount: 1_000 }), 1_000)
  await advanceToHour(shop, 22, 0)
}

test('a failed order is resent under another reference or given up; a successful one is returned or final', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { maker, resolve } = await twoOperators(shop)
  const before = await balancesOf(shop)
  const { reference: sent } = await transferTo(shop, '002')
  const first = await makeUnresolved(shop, 'transfer')
  // After the last automatic attempt, operators decide about a further one.
  await shop.db`update rail_order set tries = 20 where reference = ${first}`
  await resolve(first, 'not-found')
  const second = await makeUnresolved(shop, 'transfer')
  assert.equal(second, `${first}~22`)
  await resolve(second, 'failed')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'FAILED')
  assert.deepEqual(await balancesOf(shop), before)

  const { reference: watched } = await transferTo(shop, '003')
  const third = await makeUnresolved(shop, 'transfer')
  const { hasArrived, verdicts } = await maker.call(contract.getOperatorOrder, { params: { reference: third } })
  assert.deepEqual([hasArrived, verdicts.map(({ verdict }) => verdict)], [true, ['succeeded', 'failed']])
  const body = { verdict: 'not-found', because: BECAUSE } as const
  const input = { params: { reference: third }, body }
  assert.equal((await maker.rejected(422, contract.decideOrder, input)).code, 'VERDICT_NOT_OFFERED')
  await resolve(third, 'failed')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: watched } })).status, 'REVERSED')
  assert.deepEqual((await balancesOf(shop)).availableBalance, before.availableBalance)
  await checkBooks(shop)
})

slow('each purpose follows the decision: status, money and ledger', async (t) => {
  const shop = await gateway(t)
  const { resolve } = await twoOperators(shop)
  await aPayout(shop)
  const payout = await makeUnresolved(shop, 'settlement-payout')
  await resolve(payout, 'not-found')
  const again = await makeUnresolved(shop, 'settlement-payout')
  assert.equal(again, `${payout}~2`)
  await resolve(again, 'succeeded', { sessionId: '090111' })
  const { content } = await shop.call(contract.listSettlements, { query: {} })
  assert.equal(content[0]?.settlementStatus, 'COMPLETED')

  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  for (const verdict of ['succeeded', 'failed'] as const) {
    const isGood = verdict === 'succeeded'
    const charged = await openTransaction(shop)
    await charge(shop, charged, CARDS.silent)
    await resolve(await makeUnresolved(shop, 'card-charge'), verdict)
    assert.equal((await statusOf(shop, charged)).paymentStatus, isGood ? 'PAID' : 'FAILED')

    const back = await refund(shop, await paid(shop, 5_000, 5_000, '0123452002'))
    await resolve(await makeUnresolved(shop, 'refund'), verdict)
    await refundWithStatus(shop, back, isGood ? 'COMPLETED' : 'FAILED')

    const reference = `bill-${randomUUID()}`
    await shop.call(contract.vendBill, {
      body: { productCode: 'MTN-AIRTIME', customerId: '08142223002', amount: 1_000, reference },
    })
    await resolve(await makeUnresolved(shop, 'vend'), verdict, isGood ? { token: '1234' } : {})
    const bill = await shop.call(contract.requeryBill, { query: { reference } })
    assert.equal(bill.vendStatus, isGood ? 'SUCCESS' : 'FAILED')

    const { mandateCode } = await anActiveMandate(shop, { customerAccountNumber: '2000000002' })
    const debit = await shop.call(contract.debitMandate, {
      body: {
        paymentReference: `debit-${randomUUID()}`,
        mandateCode,
        debitAmount: '5000',
        narration: 'Rent of March',
        customerEmail: 'ada@example.com',
      },
    })
    await resolve(await makeUnresolved(shop, 'debit'), verdict, isGood ? { sessionId: '090112' } : {})
    assert.equal((await statusOf(shop, debit.transactionReference)).paymentStatus, isGood ? 'PAID' : 'FAILED')
  }
  await checkBooks(shop)
})

test('a payout that comes back at its last attempt is in the ledger as in transit, and can be decided', async (t) => {
  const shop = await gateway(t)
  await advanceToHour(shop, 8)
  await shop.call(contract.changeSettings, {
    // A payout to this account arrives, and is returned five minutes later.
    body: { settlementDestination: 'BANK', settlementAccount: { bankCode: '058', accountNumber: '0123456003' } },
  })
  await pay(shop, await anAccount(shop, { amount: 1_000 }), 1_000)
  await advanceToHour(shop, 22, 0)
  const [order] = await shop.db<{ reference: string }[]>`
    update rail_order set tries = 20 where purpose = 'settlement-payout' and state = 'WATCHED' returning reference`
  const reference = order?.reference ?? assert.fail('it has arrived')
  await shop.advance(600)
  const { resolve } = await twoOperators(shop)
  await checkBooks(shop)
  await resolve(reference, 'succeeded', { sessionId: '000058260301093000000000000001' })
  const { content } = await shop.call(contract.listSettlements, { query: {} })
  assert.equal(content[0]?.settlementStatus, 'COMPLETED')
  await checkBooks(shop)
})

test('a decision that cannot be carried out says why, stops nothing, and can be replaced after three failures', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { reference: sent } = await transferTo(shop, '002')
  const reference = await makeUnresolved(shop, 'transfer')
  await asOwner(shop.databaseUrl, `alter table transfer add constraint no_poison check (session_id <> 'poison')`)
  const { maker, checker, resolve } = await twoOperators(shop)
  const decision = (value: string) => ({
    params: { reference },
    body: { verdict: 'succeeded' as const, because: BECAUSE, told: [{ name: 'sessionId', value }] },
  })
  await maker.call(contract.decideOrder, decision('poison'))
  await checker.call(contract.decideOrder, decision('poison'))
  const failuresOf = async () =>
    (
      await shop.db<{ state: string; failures: number; failure: string | null }[]>`
        select state, failures, failure from order_decision where reference = ${reference} order by id`
    )[0]
  for (let failures = 1; failures <= 4; failures++) {
    await shop.advance(1)
    const now = await failuresOf()
    assert.deepEqual([now?.state, now?.failures], ['CONFIRMED', Math.min(failures, 3)])
    assert.match(now?.failure ?? '', /no_poison/)
    if (failures < 3)
      assert.equal((await maker.rejected(422, contract.decideOrder, decision('good'))).code, 'DECIDED_ALREADY')
    await shop.db`update rail_order set leased_until = null where reference = ${reference}`
  }
  await resolve(reference, 'succeeded', { sessionId: 'good' })
  assert.equal((await failuresOf())?.state, 'MOOT')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'SUCCESS')
  await checkBooks(shop)
})
