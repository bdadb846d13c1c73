import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OrderVerdict } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { anActiveMandate } from '../../harness/mandate-samples.ts'
import { anOperator } from '../../harness/person.ts'
import { paid, refund, settled } from '../../harness/refund-samples.ts'
import {
  anAccount,
  balancesOf,
  CARDS,
  charge,
  moveTo,
  opened,
  pay,
  statusOf,
  transferTo,
} from '../../harness/samples.ts'
import { silence } from '../../harness/unresolved.ts'

const BECAUSE = 'The bank’s statement'

async function checkBooks({ db }: TestGateway): Promise<void> {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** Two of the operator's people. Both say the same of an order, and it is carried out. */
async function twoOperators(shop: TestGateway) {
  const [maker, checker] = [await anOperator(shop, 'operator'), await anOperator(shop, 'operator')]
  const resolve = async (reference: string, verdict: OrderVerdict, told: Readonly<Record<string, string>> = {}) => {
    const input = {
      params: { reference },
      body: { verdict, because: BECAUSE, told: Object.entries(told).map(([name, value]) => ({ name, value })) },
    }
    await maker.call(contract.decideOrder, input)
    assert.equal((await checker.call(contract.decideOrder, input)).decisions[0]?.state, 'CONFIRMED')
    await shop.advance(1)
    const { decisions } = await maker.call(contract.getOperatorOrder, { params: { reference } })
    assert.equal(decisions[0]?.state, 'CARRIED_OUT')
  }
  return { maker, checker, resolve }
}

test('an operator proposes and another confirms, as both see it; nobody else, and nobody alone', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { maker, checker } = await twoOperators(shop)
  const auditor = await anOperator(shop, 'auditor')
  const { reference: sent } = await transferTo(shop, '002')
  const reference = await silence(shop, 'transfer')
  const params = { reference }
  const told = [{ name: 'sessionId', value: '090110' }]
  const body = { verdict: 'succeeded' as const, because: BECAUSE, told }
  const refusal = async (...[person, input]: [typeof maker, object]) =>
    (await person.refused(422, contract.decideOrder, { params, body: { ...body, ...input } })).code

  assert.equal((await auditor.refused(403, contract.decideOrder, { params, body })).code, 'ROLE_NOT_ALLOWED')
  assert.equal((await auditor.refused(403, contract.askAboutOrder, { params })).code, 'ROLE_NOT_ALLOWED')
  const stale = await anOperator(shop, 'operator', { secondFactor: 'shown' })
  assert.equal((await stale.refused(403, contract.decideOrder, { params, body })).code, 'SECOND_FACTOR_NOT_FRESH')
  await maker.refused(404, contract.getOperatorOrder, { params: { reference: 'nobody’s' } })
  await maker.refused(400, contract.decideOrder, { params, body: { ...body, because: ' ' } })
  assert.equal(await refusal(maker, { told: [] }), 'NOT_TOLD')

  assert.equal((await maker.call(contract.decideOrder, { params, body })).mayConfirm, false)
  assert.equal((await maker.refused(403, contract.decideOrder, { params, body })).code, 'OWN_PROPOSAL')
  const [waiting] = (await checker.call(contract.listUnresolvedOrders, {})).orders
  assert.deepEqual(
    [waiting?.reference, waiting?.proposal?.proposedBy, waiting?.proposal?.told],
    [reference, maker.email, told],
  )
  const seen = await auditor.call(contract.getOperatorOrder, { params })
  assert.deepEqual([seen.mayConfirm, seen.decisions[0]?.told], [false, [{ name: 'sessionId', value: '…' }]])
  assert.equal((await checker.call(contract.getOperatorOrder, { params })).mayConfirm, true)
  await shop.advance(1)
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'PENDING')

  // While somebody has the order, nothing is carried out, nor decided anew.
  await shop.db`update rail_order set leased_until = now() + interval '1 hour' where reference = ${reference}`
  await checker.call(contract.decideOrder, { params, body })
  assert.equal(await refusal(maker, { verdict: 'failed' }), 'DECIDED_ALREADY')
  await shop.db`update rail_order set leased_until = null where reference = ${reference}`
  await shop.advance(1)
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'SUCCESS')
  assert.equal(await refusal(checker, {}), 'NOBODY_CALLED')
  assert.equal((await maker.refused(422, contract.askAboutOrder, { params })).code, 'NOBODY_CALLED')
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

/** A settlement whose payout to the bank nobody knows of. */
async function aPayout(shop: TestGateway): Promise<void> {
  await moveTo(shop, 8)
  await shop.call(contract.changeSettings, {
    body: { settlementDestination: 'BANK', settlementAccount: { bankCode: '057', accountNumber: '0123456002' } },
  })
  await pay(shop, await anAccount(shop, { amount: 1_000 }), 1_000)
  await moveTo(shop, 22, 0)
}

test('what never arrived is sent again under another reference, or given up; what had arrived came back or stayed', async (t) => {
  const shop = await gateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const { maker, resolve } = await twoOperators(shop)
  const before = await balancesOf(shop)
  const { reference: sent } = await transferTo(shop, '002')
  const first = await silence(shop, 'transfer')
  // As after so many tries that it is left to people whether there is a further one.
  await shop.db`update rail_order set tries = 20 where reference = ${first}`
  await resolve(first, 'not-found')
  const second = await silence(shop, 'transfer')
  assert.equal(second, `${first}~22`)
  await resolve(second, 'failed')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'FAILED')
  assert.deepEqual(await balancesOf(shop), before)

  const { reference: watched } = await transferTo(shop, '003')
  const third = await silence(shop, 'transfer')
  const { hasArrived, verdicts } = await maker.call(contract.getOperatorOrder, { params: { reference: third } })
  assert.deepEqual([hasArrived, verdicts.map(({ verdict }) => verdict)], [true, ['succeeded', 'failed']])
  const body = { verdict: 'not-found', because: BECAUSE } as const
  const input = { params: { reference: third }, body }
  assert.equal((await maker.refused(422, contract.decideOrder, input)).code, 'VERDICT_NOT_OFFERED')
  await resolve(third, 'failed')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: watched } })).status, 'REVERSED')
  assert.deepEqual((await balancesOf(shop)).availableBalance, before.availableBalance)
  await checkBooks(shop)
})

test('each purpose follows what was decided: state, money and books', async (t) => {
  const shop = await gateway(t)
  const { resolve } = await twoOperators(shop)
  await aPayout(shop)
  const payout = await silence(shop, 'settlement-payout')
  await resolve(payout, 'not-found')
  const again = await silence(shop, 'settlement-payout')
  assert.equal(again, `${payout}~2`)
  await resolve(again, 'succeeded', { sessionId: '090111' })
  const { content } = await shop.call(contract.listSettlements, { query: {} })
  assert.equal(content[0]?.settlementStatus, 'COMPLETED')

  await shop.call(contract.changeSettings, { body: { permissions: { bills: true } } })
  for (const verdict of ['succeeded', 'failed'] as const) {
    const isGood = verdict === 'succeeded'
    const charged = await opened(shop)
    await charge(shop, charged, CARDS.silent)
    await resolve(await silence(shop, 'card-charge'), verdict)
    assert.equal((await statusOf(shop, charged)).paymentStatus, isGood ? 'PAID' : 'FAILED')

    const back = await refund(shop, await paid(shop, 5_000, 5_000, '0123452002'))
    await resolve(await silence(shop, 'refund'), verdict)
    await settled(shop, back, isGood ? 'COMPLETED' : 'FAILED')

    const reference = `bill-${randomUUID()}`
    await shop.call(contract.vendBill, {
      body: { productCode: 'MTN-AIRTIME', customerId: '08142223002', amount: 1_000, reference },
    })
    await resolve(await silence(shop, 'vend'), verdict, isGood ? { token: '1234' } : {})
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
    await resolve(await silence(shop, 'debit'), verdict, isGood ? { sessionId: '090112' } : {})
    assert.equal((await statusOf(shop, debit.transactionReference)).paymentStatus, isGood ? 'PAID' : 'FAILED')
  }
  await checkBooks(shop)
})
