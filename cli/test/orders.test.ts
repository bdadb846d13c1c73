import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../gateway/src/app/ledger.ts'
import { isClean } from '../../gateway/src/core/money/ledger/index.ts'
import { balancesOf, transferTo } from '../../gateway/test/harness/samples.ts'
import { makeUnresolved } from '../../gateway/test/harness/unresolved.ts'
import { aGateway } from './commands.ts'

const resolve = (by: string, reference: string, verdict: string, ...told: readonly string[]): [string, ...string[]] => [
  'orders',
  ...['resolve', reference, '--as', verdict, '--because', 'The bank’s statement', '--by', by],
  ...told.flatMap((pair) => ['--told', pair]),
]

test('one person proposes an order’s outcome, another confirms it; only then does money move', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  const before = await balancesOf(shop)
  const { reference: sent } = await transferTo(shop, '002')
  const statusOf = async (reference: string) => (await shop.call(contract.getTransfer, { query: { reference } })).status

  const reference = await makeUnresolved(shop, 'transfer')
  const shown = await prints('orders', 'show', reference)
  assert.deepEqual([shown.state, shown.decisions, shown.verdicts[0].needs], ['UNRESOLVED', [], ['sessionId']])
  await misused(
    [/Could not find this order/, 'orders', 'show', 'nobody’s'],
    [/does not need manual review/, ...resolve('Ada', 'nobody’s', 'failed')],
    [/sessionId/, ...resolve('Ada', reference, 'succeeded')],
    [/--as must be one of succeeded, failed, not-found/, ...resolve('Ada', reference, 'perhaps')],
    [/--by is required/, ...resolve(' ', reference, 'failed')],
    [/NAME=VALUE/, ...resolve('Ada', reference, 'succeeded', 'session id=1')],
  )
  assert.equal((await prints(...resolve('Ada', reference, 'succeeded', 'sessionId=1'))).state, 'PROPOSED')
  // A different verdict starts a new proposal.
  assert.equal((await prints(...resolve('Bola', reference, 'failed'))).state, 'PROPOSED')
  await misused([/You made this proposal/, ...resolve('  BOLA ', reference, 'failed')])
  await shop.advance(1)
  assert.deepEqual([await statusOf(sent), (await prints('orders', 'list')).length], ['PENDING', 1])

  assert.equal((await prints(...resolve('Ada', reference, 'failed'))).state, 'CONFIRMED')
  await shop.advance(1)
  assert.deepEqual([await statusOf(sent), await balancesOf(shop)], ['FAILED', before])
  const after = await prints('orders', 'show', reference)
  assert.deepEqual([after.state, after.verdicts], ['CONCLUDED', []])
  assert.deepEqual(
    after.decisions.map((one: Readonly<Record<string, unknown>>) =>
      ['state', 'verdict', 'proposedBy', 'confirmedBy'].map((name) => one[name]),
    ),
    [
      ['CARRIED_OUT', 'failed', 'Bola', 'Ada'],
      ['MOOT', 'succeeded', 'Ada', null],
    ],
  )
  await misused([/does not need manual review/, ...resolve('Ada', reference, 'failed')])
  const acts = await shop.db<{ act: string }[]>`select act from audit where reference = ${reference} order by id`
  assert.deepEqual(acts.map(({ act }) => act).sort(), [
    ...['order.confirm', 'order.decision.carry-out', 'order.decision.moot'],
    ...['order.propose', 'order.propose'],
  ])

  // The partner's own response counts if it arrives before the confirmation.
  const { reference: answered } = await transferTo(shop, '002')
  const asked = await makeUnresolved(shop, 'transfer')
  await prints(...resolve('Ada', asked, 'failed'))
  await prints('orders', 'ask', asked)
  await shop.advance(200)
  assert.equal(await statusOf(answered), 'SUCCESS')
  await misused([/does not need manual review/, ...resolve('Bola', asked, 'failed')])
  assert.equal((await prints('orders', 'show', asked)).decisions[0].state, 'MOOT')
  const verdict = await verifyLedger(shop.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
})
