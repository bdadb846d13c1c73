import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { isClean } from '../../../src/core/money/ledger/index.ts'
import { ATTEMPTS_MAX } from '../../../src/core/orders/schedule.ts'
import { absentRails } from '../../../src/rails/absent.ts'
import type { CardRail, CardRefundOutcome } from '../../../src/rails/card.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { CARDS, charge, openTransaction } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'
import { RAILS_SECRET, railAdapter } from '../../rails/adapter.ts'

/** A card network that follows docs/reference/rails.md exactly: a charge reported as not found is never executed. */
function strictNetwork() {
  const lost = new Set<string>()
  const carriedOut: string[] = []
  const requests: string[] = []
  const rail: CardRail = {
    ...absentRails.card,
    charge: async () => ({ kind: 'unknown' }),
    find: async () => ({ kind: 'approved', reusable: false }),
    refund: async ({ reference }): Promise<CardRefundOutcome> => {
      requests.push(`refund ${reference}`)
      if (network.loses()) return { kind: 'unknown' }
      if (lost.has(reference)) return { kind: 'refused', reason: 'This reference was called not found' }
      if (!carriedOut.includes(reference)) carriedOut.push(reference)
      return { kind: 'refunded' }
    },
    findRefund: async (reference) => {
      requests.push(`find ${reference}`)
      if (carriedOut.includes(reference)) return { kind: 'refunded' }
      lost.add(reference)
      return { kind: 'not found' }
    },
  }
  const network = { rail, carriedOut, asked: requests, loses: () => false }
  return network
}

/** A gateway at a network, and a charge that is approved after its transaction has ended. */
async function chargedTooLate(
  t: TestContext,
  rail: CardRail,
): Promise<{ shop: TestGateway; statusOf: () => Promise<string>; reference: string }> {
  const adapter = await railAdapter(t, { ...absentRails, card: rail })
  const shop = await gateway(t, { env: { KOBO_RAILS_URL: adapter.url, KOBO_RAILS_SECRET: RAILS_SECRET } })
  const transactionReference = await openTransaction(shop)
  assert.equal((await charge(shop, transactionReference, CARDS.success)).status, 'PENDING')
  await shop.call(contract.cancelTransaction, { params: { transactionReference } })
  const attempt = async (): Promise<{ status: string; reference: string }> => {
    const [row] = await shop.db<{ status: string; reference: string }[]>`select status, reference from card_attempt`
    return row ?? assert.fail('there is an attempt')
  }
  return { shop, statusOf: async () => (await attempt()).status, reference: (await attempt()).reference }
}

test('a reversal is sent without a query first, so that a network that follows the rules executes it', async (t) => {
  const network = strictNetwork()
  const { shop, statusOf, reference } = await chargedTooLate(t, network.rail)
  await shop.advance(31)
  assert.equal(await statusOf(), 'REVERSED')
  assert.deepEqual(network.asked, [`refund reversal-${reference}`])
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a reversal that never arrived is retried under another reference, and executed once', async (t) => {
  const network = strictNetwork()
  let lost = 2
  network.loses = () => lost-- > 0
  const { shop, statusOf, reference } = await chargedTooLate(t, network.rail)
  await shop.advance(31)
  assert.equal(await statusOf(), 'REVERSING')
  await shop.advance(120)
  assert.equal(await statusOf(), 'REVERSED')
  assert.deepEqual(network.carriedOut, [`reversal-${reference}~3`])
  assert.deepEqual(network.asked, [
    `refund reversal-${reference}`,
    `find reversal-${reference}`,
    `refund reversal-${reference}~2`,
    `find reversal-${reference}~2`,
    `refund reversal-${reference}~3`,
  ])
})

slow('a reversal that never arrives needs manual review after some attempts', async (t) => {
  const network = strictNetwork()
  network.loses = () => true
  const { shop, statusOf } = await chargedTooLate(t, network.rail)
  await shop.advance(3_600)
  assert.equal(await statusOf(), 'REVERSING')
  assert.deepEqual(network.carriedOut, [])
  const [order] = await shop.db<{ state: string; tries: number }[]>`
    select state, tries from rail_order where purpose = 'card-reversal'`
  assert.deepEqual(order, { state: 'UNRESOLVED', tries: ATTEMPTS_MAX })
})

test('a reversal that the network rejects is final, and is not retried', async (t) => {
  const network = strictNetwork()
  const refund: CardRail['refund'] = async ({ reference }) => {
    network.asked.push(`refund ${reference}`)
    return { kind: 'refused', reason: 'The card is closed' }
  }
  const { shop, statusOf } = await chargedTooLate(t, { ...network.rail, refund })
  await shop.advance(31)
  assert.equal(await statusOf(), 'REVERSAL_REFUSED')
  await shop.advance(3_600)
  assert.equal(network.asked.length, 1)
})
