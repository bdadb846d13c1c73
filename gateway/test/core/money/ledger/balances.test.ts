import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '../../../../src/app/ledger.ts'
import { BALANCES, foldChanges, type Journal, postNew } from '../../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import { kobo } from '../../../../src/kernel/money.ts'
import { type Db, inTransaction } from '../../../../src/platform/db.ts'
import { sql } from '../../../../src/platform/sql.ts'
import { gateway, type TestGateway } from '../../../harness/gateway.ts'
import { anAccount, pay } from '../../../harness/samples.ts'

const fold = (db: Db): Promise<number> => inTransaction(db, (tx) => foldChanges(tx, () => sql`true`, 0n))

const appended = async ({ db }: TestGateway): Promise<number> => (await db`select from balance_change`).count

/** What an account holds by its row alone, and in all. */
async function held({ db }: TestGateway, code: string): Promise<readonly (bigint | undefined)[]> {
  const [row] = await db<{ balance: bigint }[]>`select balance from account where code = ${code}`
  const [all] = await db<{ balance: bigint }[]>`select balance from ${BALANCES} a where code = ${code}`
  return [row?.balance, all?.balance]
}

test('a payment waits for nobody who holds its merchant’s balances; what it appends is folded once, whoever folds', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 1_000)
  await fold(shop.db)
  assert.deepEqual(await held(shop, 'payable'), [98_500n, 98_500n])

  await inTransaction(shop.db, async (tx) => {
    const codes = ['payable', 'fees/collection', 'clearing/bank-transfer/simulated']
    assert.equal((await tx`select from account where code = any(${codes}) for update`).count, 3)
    assert.equal((await pay(shop, await anAccount(shop), 2_000)).status, 'ACCEPTED')
  })
  assert.deepEqual(await held(shop, 'payable'), [98_500n, 98_500n + 197_000n])
  assert.deepEqual((await verifyLedger(shop.db)).wrong, [], 'the books are right before it is folded')

  const paying = Promise.all(Array.from({ length: 10 }, async () => pay(shop, await anAccount(shop), 1_000)))
  const folded = await Promise.all(Array.from({ length: 4 }, () => fold(shop.db)))
  assert.ok(folded.some((count) => count > 0))
  await paying
  await fold(shop.db)
  assert.equal(await appended(shop), 0)
  const sum = 98_500n + 197_000n + 10n * 98_500n
  assert.deepEqual(await held(shop, 'payable'), [sum, sum])
  assert.deepEqual((await verifyLedger(shop.db)).wrong, [])
})

test('what is taken from an account counts what was appended to it, and never more', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 1_000)
  const [merchant] = await shop.db<{ id: bigint }[]>`select id from merchant`
  const take = (key: string, amount: bigint) => {
    const moves = [{ from: 'payable', to: 'reserve', amount: kobo(amount) }]
    const journal: Journal = { merchantId: merchant?.id ?? 0n, key, memo: key, moves }
    return unitOfWork(shop.core, async (unit) => postNew(unit, [journal]))
  }
  assert.equal((await held(shop, 'payable'))[1], 98_500n)
  await assert.rejects(take('too-much', 98_501n), /account_not_below_zero/)
  assert.deepEqual((await held(shop, 'payable'))[1], 98_500n, 'a refusal changes nothing')
  await take('all', 98_500n)
  assert.deepEqual(await held(shop, 'payable'), [0n, 0n])
  await assert.rejects(take('more', 1n), /account_not_below_zero/)
})
