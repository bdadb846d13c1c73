import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../gateway/src/app/ledger.ts'
import { isClean } from '../../gateway/src/core/money/ledger/index.ts'
import type { OrderPurpose } from '../../gateway/src/core/orders/index.ts'
import type { Shop, TestGateway } from '../../gateway/test/harness/gateway.ts'
import { anActiveMandate } from '../../gateway/test/harness/mandate-samples.ts'
import { paid, refund, settled } from '../../gateway/test/harness/refund-samples.ts'
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
} from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/wait.ts'
import { aGateway } from './commands.ts'

/** Days of silence at once: a person is called for the only order of a purpose that is open. Answers its reference. */
async function silence({ db }: Shop, purpose: OrderPurpose): Promise<string> {
  let reference: string | undefined
  await until(`a ${purpose} is open and with nobody`, async () => {
    const [row] = await db<{ reference: string }[]>`
      update rail_order set state = 'UNRESOLVED', due_at = null
       where purpose = ${purpose} and state <> 'CONCLUDED' and leased_until is null and tries > 0
      returning reference`
    reference = row?.reference
    return reference !== undefined
  })
  return reference ?? ''
}

/** A gateway, and two operators beside it. */
async function operators(t: TestContext) {
  const { shop, prints, misused } = await aGateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const call = (
    by: string,
    reference: string,
    verdict: string,
    told: readonly string[] = [],
  ): [string, ...string[]] => [
    'orders',
    ...['resolve', reference, '--as', verdict, '--because', 'The bank’s statement', '--by', by],
    ...told.flatMap((pair) => ['--told', pair]),
  ]
  /** Both say the same, and it is carried out. */
  const resolve = async (reference: string, verdict: string, ...told: readonly string[]) => {
    assert.equal((await prints(...call('Ada', reference, verdict, told))).state, 'PROPOSED')
    assert.equal((await prints(...call('Bola', reference, verdict, told))).state, 'CONFIRMED')
    await until(`what was decided about ${reference} is carried out`, async () => {
      const [row] = await shop.db<{ state: string }[]>`
        select state from order_decision where reference = ${reference} order by id desc limit 1`
      assert.notEqual(row?.state, 'MOOT')
      return row?.state === 'CARRIED_OUT'
    })
  }
  return { shop, prints, misused, call, resolve }
}

async function checkBooks({ db }: Shop): Promise<void> {
  const verdict = await verifyLedger(db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

const stateOf = async ({ db }: Shop, reference: string): Promise<string | undefined> =>
  (await db<{ state: string }[]>`select state from rail_order where reference = ${reference}`)[0]?.state

test('one person proposes what became of an order, another confirms it; only then does money move', async (t) => {
  const { shop, prints, misused, call, resolve } = await operators(t)
  const before = await balancesOf(shop)
  const { reference: sent } = await transferTo(shop, '002')
  const transfer = () => shop.call(contract.getTransfer, { query: { reference: sent } })
  const [open] = await shop.db<{ reference: string }[]>`select reference from rail_order where purpose = 'transfer'`
  assert.ok(open !== undefined)
  await misused([/No person is called/, ...call('Ada', open.reference, 'failed')])

  const reference = await silence(shop, 'transfer')
  const shown = await prints('orders', 'show', reference)
  assert.deepEqual([shown.state, shown.decisions, shown.verdicts.succeeded.needs], ['UNRESOLVED', [], ['sessionId']])
  await misused(
    [/sessionId=…/, ...call('Ada', reference, 'succeeded')],
    [/--as succeeded or failed/, ...call('Ada', reference, 'perhaps')],
    [/--by is required/, ...call(' ', reference, 'failed')],
  )
  assert.equal((await prints(...call('Ada', reference, 'succeeded', ['sessionId=1']))).state, 'PROPOSED')
  // Another answer begins anew, whoever gives it.
  assert.equal((await prints(...call('Bola', reference, 'failed'))).state, 'PROPOSED')
  await misused([/your own proposal/, ...call('  BOLA ', reference, 'failed')])
  await shop.advance(1)
  assert.deepEqual([(await transfer()).status, await stateOf(shop, reference)], ['PENDING', 'UNRESOLVED'])

  assert.equal((await prints(...call('Ada', reference, 'failed'))).state, 'CONFIRMED')
  await until('it failed', async () => (await transfer()).status === 'FAILED')
  assert.deepEqual(await balancesOf(shop), before)
  const { state, decisions } = await prints('orders', 'show', reference)
  assert.equal(state, 'CONCLUDED')
  assert.deepEqual(
    decisions.map((one: Record<string, unknown>) => [
      one['state'],
      one['verdict'],
      one['proposedBy'],
      one['confirmedBy'],
    ]),
    [
      ['CARRIED_OUT', 'failed', 'Bola', 'Ada'],
      ['MOOT', 'succeeded', 'Ada', null],
    ],
  )
  await misused([/No person is called/, ...call('Ada', reference, 'failed')])
  const acts = await shop.db<{ act: string }[]>`select act from audit where reference = ${reference} order by id`
  assert.deepEqual(acts.map(({ act }) => act).sort(), [
    ...['order.confirm', 'order.decision.carry-out', 'order.decision.moot'],
    ...['order.propose', 'order.propose'],
  ])

  const { reference: arrived } = await transferTo(shop, '002')
  await resolve(await silence(shop, 'transfer'), 'succeeded', 'sessionId=090110')
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: arrived } })).status, 'SUCCESS')
  await checkBooks(shop)
})

test('a decision is moot where the partner says what became of the order before it is confirmed', async (t) => {
  const { shop, prints, misused, call } = await operators(t)
  const { reference: sent } = await transferTo(shop, '002')
  const reference = await silence(shop, 'transfer')
  await prints(...call('Ada', reference, 'failed'))
  await prints('orders', 'ask', reference)
  await shop.advance(200)
  assert.equal((await shop.call(contract.getTransfer, { query: { reference: sent } })).status, 'SUCCESS')
  await misused([/No person is called/, ...call('Bola', reference, 'failed')])
  await until('it is moot', async () => (await prints('orders', 'show', reference)).decisions[0].state === 'MOOT')
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

test('each purpose follows what was decided: state, money and books', async (t) => {
  const { shop, resolve } = await operators(t)
  await aPayout(shop)
  const payout = await silence(shop, 'settlement-payout')
  await resolve(payout, 'failed')
  const again = await silence(shop, 'settlement-payout')
  assert.match(again, new RegExp(`^${payout}~`))
  await resolve(again, 'succeeded', 'sessionId=090111')
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

    const { reference } = await shop.call(contract.vendBill, {
      body: { productCode: 'MTN-AIRTIME', customerId: '08142223002', amount: 1_000, reference: `bill-${randomUUID()}` },
    })
    await resolve(await silence(shop, 'vend'), verdict, ...(isGood ? ['token=1234'] : []))
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
    await resolve(await silence(shop, 'debit'), verdict, ...(isGood ? ['sessionId=090112'] : []))
    assert.equal((await statusOf(shop, debit.transactionReference)).paymentStatus, isGood ? 'PAID' : 'FAILED')
  }
  await checkBooks(shop)
})
