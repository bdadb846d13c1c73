import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../gateway/src/app/ledger.ts'
import { isClean } from '../../gateway/src/core/money/ledger/index.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { balancesOf, transferTo } from '../../gateway/test/harness/samples.ts'
import { makeUnresolved } from '../../gateway/test/harness/unresolved.ts'
import { anOperator } from '../../gateway/test/harness/users.ts'
import { aGateway, commandsWith } from './commands.ts'

const resolve = (
  by: string,
  reference: string,
  verdict: string,
  ...reported: readonly string[]
): [string, ...string[]] => [
  'orders',
  ...['resolve', reference, '--as', verdict, '--because', 'The bank’s statement', '--by', by],
  ...reported.flatMap((pair) => ['--detail', pair]),
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
  const request = await makeUnresolved(shop, 'transfer')
  await prints(...resolve('Ada', request, 'failed'))
  await prints('orders', 'ask', request)
  await shop.advance(200)
  assert.equal(await statusOf(answered), 'SUCCESS')
  await misused([/does not need manual review/, ...resolve('Bola', request, 'failed')])
  assert.equal((await prints('orders', 'show', request)).decisions[0].state, 'MOOT')
  const verdict = await verifyLedger(shop.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
})

test('one operator is one person at the command line and in the dashboard', async (t) => {
  const { shop, env, misused } = await aGateway(t)
  await shop.call(contract.changeSettings, { body: { otpEnabled: false } })
  await transferTo(shop, '002')
  const reference = await makeUnresolved(shop, 'transfer')
  const [ada, ben, auditor] = [
    await anOperator(shop, 'operator'),
    await anOperator(shop, 'operator'),
    await anOperator(shop, 'auditor'),
  ]
  const body = { verdict: 'failed', because: 'The bank’s statement' } as const
  await ada.call(contract.decideOrder, { params: { reference }, body })
  const { token: replaced } = await ada.call(contract.createOperatorToken, {})
  const { token } = await ada.call(contract.createOperatorToken, {})
  await auditor.rejected(403, contract.createOperatorToken, {})
  const as = (operatorToken: string) => commandsWith({ ...env, KOBO_OPERATOR_TOKEN: operatorToken }, testWall)
  await misused([/KOBO_OPERATOR_TOKEN is required/, ...resolve('Test operator', reference, 'failed')])
  const unknown = /--by must be the email address of an operator/
  for (const [shown, name] of [
    [token, 'Test operator'],
    [token, ben.email],
    [replaced, ada.email],
    [token, auditor.email],
  ] as const)
    await as(shown).misused([unknown, ...resolve(name, reference, 'failed')])
  await as(token).misused([/You made this proposal/, ...resolve(ada.email.toUpperCase(), reference, 'failed')])
  const tokens = await shop.db`select from operator_token where token_hash in (${token}, ${replaced})`
  assert.equal(tokens.count, 0, 'stored as a hash')
  await shop.db`update operator_token set expires_at = created_at where person_id = ${ada.personId}`
  await as(token).misused([unknown, ...resolve(ada.email, reference, 'failed')])
  const confirming = as((await ben.call(contract.createOperatorToken, {})).token)
  assert.equal((await confirming.prints(...resolve(ben.email, reference, 'failed'))).state, 'CONFIRMED')
  const [confirmed] = await shop.db<{ actor: string; name: string }[]>`
    select actor, name from audit where act = 'order.confirm' and reference = ${reference}`
  assert.deepEqual({ ...confirmed }, { actor: `person/${ben.personId}`, name: ben.email })
})
