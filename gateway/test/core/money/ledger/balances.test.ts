import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '../../../../src/app/ledger.ts'
import { BALANCES, foldChanges, type Journal, postNew } from '../../../../src/core/money/ledger/index.ts'
import { whose } from '../../../../src/core/shards/index.ts'
import { unitOfWork } from '../../../../src/core/unit-of-work.ts'
import { kobo } from '../../../../src/kernel/money.ts'
import { inTransaction } from '../../../../src/platform/db.ts'
import { gateway, type TestGateway } from '../../../harness/gateway.ts'
import { anAccount, pay } from '../../../harness/samples.ts'
import { until } from '../../../harness/wait.ts'

const fold = ({ core, db }: TestGateway): Promise<number> =>
  core.shards.each((shard) => inTransaction(db, (tx) => foldChanges(tx, whose(shard), 0n)))

/** What an account holds by its row alone, and in all. */
async function held({ db }: TestGateway, code: string): Promise<readonly (bigint | undefined)[]> {
  const [row] = await db<{ balance: bigint }[]>`select balance from account where code = ${code}`
  const [all] = await db<{ balance: bigint }[]>`select balance from ${BALANCES} a where code = ${code}`
  return [row?.balance, all?.balance]
}

/** The gateway folds too, whenever it likes: what it has in hand is not ours. */
const isFolded = (shop: TestGateway, payable: bigint): Promise<void> =>
  until('all is in the rows', async () => {
    await fold(shop)
    const [row, all] = await held(shop, 'payable')
    assert.equal(all, payable, 'no fold changes what an account holds')
    return row === payable && (await shop.db`select from balance_change`).count === 0
  })

test('a payment waits for nobody who holds its merchant’s balances; what it appends is folded once, whoever folds', async (t) => {
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
    assert.deepEqual((await verifyLedger(shop.db)).wrong, [], 'the books are right before it is folded')
  })

  const paying = Promise.all(Array.from({ length: 10 }, async () => pay(shop, await anAccount(shop), 1_000)))
  await Promise.all(Array.from({ length: 4 }, () => fold(shop)))
  await paying
  await isFolded(shop, 98_500n + 197_000n + 10n * 98_500n)
  assert.deepEqual((await verifyLedger(shop.db)).wrong, [])
})

test('what is taken from an account counts what was appended to it, and never more', async (t) => {
  const shop = await gateway(t)
  const [merchant] = await shop.db<{ id: bigint }[]>`select id from merchant`
  const move = (key: string, from: string, to: string, amount: bigint): Journal => ({
    merchantId: merchant?.id ?? 0n,
    key,
    memo: key,
    moves: [{ from, to, amount: kobo(amount) }],
  })
  /** In one transaction, so that nobody folds what comes before it is taken. */
  const takeOf = (key: string, comes: bigint, taken: bigint): Promise<void> =>
    unitOfWork(shop.core, async (unit) => {
      postNew(unit, [move(`${key}/in`, 'clearing/funding', 'payable', comes)])
      postNew(unit, [move(`${key}/out`, 'payable', 'reserve', taken)])
    })
  await assert.rejects(takeOf('too-much', 500n, 501n), /account_not_below_zero/)
  assert.deepEqual(await held(shop, 'payable'), [undefined, undefined], 'a refusal changes nothing')
  await takeOf('all', 500n, 500n)
  assert.deepEqual(await held(shop, 'payable'), [0n, 0n])
  await takeOf('some', 500n, 200n)
  await assert.rejects(takeOf('more', 100n, 401n), /account_not_below_zero/)
  assert.equal((await held(shop, 'payable'))[1], 300n)
})
