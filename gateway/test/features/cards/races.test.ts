import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { openOrders } from '../../../src/core/orders/index.ts'
import { openVault } from '../../../src/core/security/vault.ts'
import { type Charge, openCards, openDeclineGuard } from '../../../src/features/cards/index.ts'
import { Refusal } from '../../../src/kernel/errors.ts'
import { hidden } from '../../../src/kernel/hidden.ts'
import { openMetrics } from '../../../src/platform/metrics/metrics.ts'
import { openLog } from '../../../src/platform/observability/log.ts'
import type { CardRail } from '../../../src/rails/card.ts'
import { SIMULATED, simulatedBook, simulatedRails } from '../../../src/rails/simulated/index.ts'
import { gateway, type Shop, type TestGateway } from '../../harness/gateway.ts'
import { routerTo } from '../../harness/routing.ts'
import { anAccount, CARDS, pay, statusOf } from '../../harness/samples.ts'

/** Charges cards at a network that approves each charge after running a callback. */
async function charging(t: TestContext, meanwhile: (shop: TestGateway, reference: string) => Promise<unknown>) {
  const shop = await gateway(t)
  const { card: network } = simulatedRails({ clock: shop.core.clock, book: simulatedBook(shop.db) })
  const references = new Map<string, string>()
  const { core } = shop
  const card: CardRail = {
    ...network,
    charge: async (request) => {
      await meanwhile(shop, references.get(String(request.amount)) ?? assert.fail('the amount tells which it is'))
      await network.charge(request)
      return { kind: 'approved', reusable: false }
    },
  }
  const metrics = openMetrics()
  const log = openLog('silent')
  const cards = openCards({
    core,
    orders: openOrders({ core, metrics, log, router: routerTo({ card }, SIMULATED) }),
    metrics,
    vault: openVault(core),
    log,
    declines: await openDeclineGuard({ core, metrics, isOn: false }),
    publicUrl: () => shop.url,
  })
  const merchant = (await shop.core.directory.byApiKey(shop.credentials.apiKey)) ?? assert.fail('there is a merchant')
  const charge = async (naira: number): Promise<Charge | Refusal> => {
    const account = await anAccount(shop, { amount: naira })
    references.set(String(naira * 100), account.transactionReference)
    const card = { number: hidden(CARDS.success), expiryMonth: '12', expiryYear: '2099', cvv: null, pin: null }
    const { transactionReference } = account
    return cards
      .charge(merchant, { transactionReference, card, channel: 'API_NOTIFICATION', consent: 'merchant' })
      .catch((error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)))
  }
  const outcome = async (naira: number): Promise<{ status: string; amountPaid: string; attempts: string[] }> => {
    const reference = references.get(String(naira * 100)) ?? ''
    const { paymentStatus, amountPaid } = await statusOf(shop, reference)
    const attempts = await shop.db<{ status: string }[]>`
      select a.status from card_attempt a join transaction t on t.merchant_id = a.merchant_id and t.id = a.transaction_id
       where t.transaction_reference = ${reference} order by number`
    return { status: paymentStatus, amountPaid, attempts: attempts.map(({ status }) => status) }
  }
  return { shop, charge, outcome }
}

/** Events during a charge of 1,000 at the network, and the resulting state. */
const MEANWHILE: Readonly<
  Record<string, readonly [(shop: TestGateway, reference: string) => Promise<unknown>, string, string, string]>
> = {
  'nothing happens': [async () => {}, 'PAID', '1000.00', 'APPROVED'],
  'a transfer pays it': [(shop, reference) => payByTransfer(shop, reference, 1_000), 'PAID', '1000.00', 'REVERSED'],
  'a transfer pays part of it': [
    (shop, reference) => payByTransfer(shop, reference, 400),
    'OVERPAID',
    '1400.00',
    'APPROVED',
  ],
  'it is cancelled': [
    (shop, transactionReference) => shop.call(contract.cancelTransaction, { params: { transactionReference } }),
    'CANCELLED',
    '0.00',
    'REVERSED',
  ],
  // The network approves a charge that it reported as not found, and then rejects its reversal. The rejection is
  // recorded.
  'the charge is given up on': [giveUp, 'FAILED', '0.00', 'REVERSAL_REFUSED'],
}

/** Lets so much time pass that the sender of the charge is treated as dead, and the network is queried. */
async function giveUp(shop: TestGateway): Promise<void> {
  await shop.db`update rail_order set leased_until = now() - interval '1 second'`
  await shop.advance(31)
}

async function payByTransfer(shop: Shop, reference: string, amount: number): Promise<void> {
  const [account] = await shop.db<{ bankCode: string; accountNumber: string }[]>`
    select a.bank_code, a.account_number
      from virtual_account a join transaction t on t.merchant_id = a.merchant_id and t.id = a.owner_id
     where a.purpose = 'transaction' and t.transaction_reference = ${reference}`
  await pay(shop, account ?? assert.fail('it has an account'), amount)
}

for (const [what, [happen, status, amountPaid, attempt]] of Object.entries(MEANWHILE))
  test(`when ${what} during the charge at the network, a transaction ends ${status} with ${amountPaid}`, async (t) => {
    const { shop, charge, outcome } = await charging(t, happen)
    await charge(1_000)
    await shop.advance(31)
    assert.deepEqual(await outcome(1_000), { status, amountPaid, attempts: [attempt] })
    assert.ok(isClean(await verifyLedger(shop.db)))
  })

test('a charge that is too late does not affect others in its batch', async (t) => {
  const amounts = [1_000, 1_001, 1_002, 1_003, 1_004]
  const all = Promise.withResolvers<void>()
  let requestCount = 0
  const { shop, charge, outcome } = await charging(t, async (shop, reference) => {
    if (++requestCount === 1) await payByTransfer(shop, reference, 1_000_000)
    if (requestCount === amounts.length) all.resolve()
    await all.promise
  })
  await Promise.all(amounts.map(charge))
  await shop.advance(1)
  const outcomes = await Promise.all(amounts.map(outcome))
  const attempts = outcomes.flatMap((one) => one.attempts)
  assert.deepEqual(attempts.toSorted(), ['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'REVERSED'])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['OVERPAID', 'PAID', 'PAID', 'PAID', 'PAID'])
  assert.ok(isClean(await verifyLedger(shop.db)))
})
