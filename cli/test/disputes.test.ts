import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { OPENING_BALANCE, paid } from '../../gateway/test/harness/refund-samples.ts'
import { balancesOf } from '../../gateway/test/harness/samples.ts'
import { aGateway } from './commands.ts'

test('a dispute reported by mail is opened once, listed and decided by commands, and the held amount moves', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const transaction = await paid(shop, 5_000)
  const reported = ['--merchant', code, '--transaction', transaction, '--partner', 'wema', '--reference', 'mail-1']
  const open = (...more: readonly string[]) =>
    ['disputes', 'open', ...reported, '--type', 'recall', '--because', 'Sent in error', ...more] as const
  const [opened] = await prints(...open('--amount', '2000', '--due', '2030-01-31T17:00:00+01:00'))
  assert.deepEqual(
    [opened.type, opened.status, opened.amount, opened.amountOwed, opened.partnerReference, opened.evidenceDueAt],
    ['RECALL', 'OPEN', 2_000, 0, 'mail-1', '2030-01-31T16:00:00.000Z'],
  )
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE - 2_000)
  assert.deepEqual(
    (await prints(...open('--amount', '2000')))[0].reference,
    opened.reference,
    'a repeated notification changes nothing',
  )
  await misused(
    [/already exists with another payment/, ...open('--amount', '1999')],
    [/has no transaction/, ...open().map((word) => (word === transaction ? 'KOBO|0' : word))],
    [/--type must be one of/, ...open().map((word) => (word === 'recall' ? 'gossip' : word))],
    [/--amount must be naira/, ...open('--amount', 'much')],
    [/--due must be a time/, ...open('--due', 'soon')],
    [/No dispute has the reference/, 'disputes', 'decide', 'KDSP0', 'won', '--because', 'x'],
    [/The outcome must be one of/, 'disputes', 'decide', opened.reference, 'maybe', '--because', 'x'],
    [/--because is required/, 'disputes', 'decide', opened.reference, 'won'],
    [/--status must be one of/, 'disputes', 'list', '--status', 'GONE'],
  )
  const decide = (word: string) => ['disputes', 'decide', opened.reference, word, '--because', 'Their letter'] as const
  const [won] = await prints(...decide('won'))
  assert.deepEqual([won.status, won.comment], ['WON', 'Their letter'])
  assert.equal((await balancesOf(shop)).availableBalance, OPENING_BALANCE)
  assert.deepEqual(await prints(...decide('won')), [won], 'said again it changes nothing')
  await misused([/WON/, ...decide('lost')])
  assert.deepEqual(await prints('disputes', 'list', '--status', 'won'), [won])
  assert.deepEqual(await prints('disputes', 'list', '--status', 'open'), [])
  const params = { disputeReference: opened.reference }
  assert.equal((await shop.call(contract.getDispute, { params })).disputeStatus, 'WON')
  const acts = await shop.db<{ act: string; actor: string }[]>`
    select act, actor from audit where reference = ${opened.reference} order by id`
  assert.deepEqual(acts[0], { act: 'dispute.open', actor: 'command line' })
})
