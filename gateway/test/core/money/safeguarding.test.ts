import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { asOwner } from '../../harness/postgres.ts'
import { anAccount } from '../../harness/samples.ts'
import { commandsFor, gatewayOf, reportCreditFrom } from '../../harness/test-banks.ts'
import { anOperator } from '../../harness/users.ts'

test('the report compares what partners hold with what is owed, and fails if merchants’ money is missing', async (t) => {
  const shop = await gatewayOf(t, ['wema'], { env: { KOBO_FLOAT_MINIMUM: 'wema=7000' } })
  const { run, prints } = commandsFor(shop)
  const before = await prints('ledger', 'safeguarding')
  const credited = async (railReference: string, cost: object): Promise<void> => {
    const { accountNumber, bankCode } = await anAccount(shop, { amount: 5_000 })
    const credit = { railReference, bankCode, accountNumber, amount: 500_000, ...cost }
    assert.deepEqual(await reportCreditFrom(shop, 'wema', credit), { kind: 'accepted' })
  }
  await credited('SESSION-1', {})
  const { partners, owed, surplus } = await prints('ledger', 'safeguarding')
  const wema = partners.find(({ partner }: { partner: string }) => partner === 'wema')
  assert.deepEqual(wema, { partner: 'wema', held: '5000.00', statement: null })
  const fee = 5_000 - Number(owed.payable)
  assert.ok(fee > 0)
  assert.equal(Number(surplus) - Number(before.surplus), fee, 'the fee is ours')
  const stray = { railReference: 'STRAY', bankCode: '035', accountNumber: '9000000001', amount: 70_000 }
  assert.equal(((await reportCreditFrom(shop, 'wema', stray)) as { kind: string }).kind, 'held')
  const { text } = await shop.send('GET', '/metrics')
  assert.match(text, new RegExp(`^kobo_owed_naira\\{to="payable"\\} ${Number(owed.payable)}$`, 'm'))
  assert.match(text, /^kobo_owed_naira\{to="suspense"\} 700$/m)
  assert.match(text, /^kobo_partner_held_naira\{partner="wema"\} 5700$/m)
  assert.match(text, /^kobo_partner_float_minimum_naira\{partner="wema"\} 7000$/m)
  assert.ok(text.includes(`kobo_safeguarding_surplus_naira{of="all"} ${Number(surplus)}\n`))
  // Operators see the same figures.
  const float = await (await anOperator(shop, 'auditor')).call(contract.getFloat, {})
  assert.deepEqual(
    float.partners.find(({ partner }) => partner === 'wema'),
    { partner: 'wema', held: 5_700, minimum: 7_000, suspense: 700, costs: 0, statement: null },
  )
  assert.equal(float.surplus, Number(surplus))
  assert.equal(float.owed.find(({ to }) => to === 'payable')?.amount, Number(owed.payable))
  assert.ok(float.verifiedOn !== null)
  // The partner keeps more than we earn.
  await credited('SESSION-2', { fee: 100_000 })
  const short = await run('ledger', 'safeguarding')
  assert.equal(short.code, 1)
  assert.ok(Number(JSON.parse(short.stdout).surplus) < 0)
  // If the ledger is wrong, nothing is reported.
  await asOwner(
    shop.databaseUrl,
    'alter table account disable trigger all',
    `update account set balance = balance + 1 where code like 'wallet/%'`,
  )
  const wrong = await run('ledger', 'safeguarding')
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /The ledger is not correct/)
})
