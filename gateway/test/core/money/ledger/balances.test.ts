import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '../../../../src/app/ledger.ts'
import { BALANCES, foldChanges, type Journal, postNew } from '../../../../src/core/money/ledger/index.ts'
import { shardScope } from '../../../../src/core/shards/index.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import { kobo } from '../../../../src/kernel/money.ts'
import { inTransaction } from '../../../../src/platform/postgres/db.ts'
import { gateway, type TestGateway } from '../../../harness/gateway.ts'
import { anAccount, pay } from '../../../harness/samples.ts'
import { until } from '../../../harness/until.ts'

const fold = ({ core, db }: TestGateway): Promise<number> =>
  core.shards.each((shard) => inTransaction(db, (tx) => foldChanges(tx, shardScope(shard), 0n)))

/** An account's balance by its row alone, and in total. */
async function held({ db }: TestGateway, code: string): Promise<readonly (bigint | undefined)[]> {
  const [row] = await db<{ balance: bigint }[]>`select balance from account where code = ${code}`
  const [all] = await db<{ balance: bigint }[]>`select balance from ${BALANCES} a where code = ${code}`
  return [row?.balance, all?.balance]
}

/** The gateway folds on its own schedule, so wait for it. */
const isFolded = (shop: TestGateway, payable: bigint): Promise<void> =>
  until('all changes are folded', async () => {
    await fold(shop)
    const [row, all] = await held(shop, 'payable')
    assert.equal(all, payable, 'no fold changes a balance')
    return row === payable && (await shop.db`select from balance_change`).count === 0
  })

test('a payment does not wait for a lock on its merchant’s balances; its changes are folded once, by any process', async (t) => {
  const shop = await gateway(t)
  await pay(shop, await anAccount(shop), 1_000)
  await isFolded(shop, 98_500n)

  await inTransaction(shop.db, async (tx) => {
    const codes = ['payable', 'fees/collection', 'clearing/bank-transfer/simulated']
    const locked = await tx`
      select from account where merchant_id = ${shop.merchantId} and code = any(${codes}) for update`
    assert.equal(locked.count, 3)
    assert.equal((await pay(shop, await anAccount(shop), 2_000)).status, 'ACCEPTED')
    assert.deepEqual(await held(shop, 'payable'), [98_500n, 98_500n + 197_000n])
    assert.deepEqual((await verifyLedger(shop.db)).wrong, [], 'the ledger is right before the fold')
  })

  const paying = Promise.all(Array.from({ length: 10 }, async () => pay(shop, await anAccount(shop), 1_000)))
  await Promise.all(Array.from({ length: 4 }, () => fold(shop)))
  await paying
  await isFolded(shop, 98_500n + 197_000n + 10n * 98_500n)
  assert.deepEqual((await verifyLedger(shop.db)).wrong, [])
})

test('a debit may use the money appended to the account, and never more', async (t) => {
  const shop = await gateway(t)
  const [merchant] = await shop.db<{ id: bigint }[]>`select id from merchant`
  const move = (key: string, from: string, to: string, amount: bigint): Journal => ({
    merchantId: merchant?.id ?? 0n,
    key,
    memo: key,
    moves: [{ from, to, amount: kobo(amount) }],
  })
  /** In one transaction, so that no fold runs between the credit and the debit. */
  const takeOf = (key: string, comes: bigint, taken: bigint): Promise<void> =>
    unitOfWork(shop.core, async (unit) => {
      postNew(unit, [move(`${key}/in`, 'clearing/funding', 'payable', comes)])
      postNew(unit, [move(`${key}/out`, 'payable', 'reserve', taken)])
    })
  await assert.rejects(takeOf('too-much', 500n, 501n), /account_not_below_zero/)
  assert.deepEqual(await held(shop, 'payable'), [undefined, undefined], 'a rejected debit changes nothing')
  await takeOf('all', 500n, 500n)
  assert.deepEqual(await held(shop, 'payable'), [0n, 0n])
  await takeOf('some', 500n, 200n)
  await assert.rejects(takeOf('more', 100n, 401n), /account_not_below_zero/)
  assert.equal((await held(shop, 'payable'))[1], 300n)
})
