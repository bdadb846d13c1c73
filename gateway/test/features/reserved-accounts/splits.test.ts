import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { aShop, type Client, type Shop } from '../../harness/gateway.ts'
import { anInvoice, aReservedAccount, pay, reserveAccount } from '../../harness/samples.ts'

async function subAccount(client: Client, accountNumber: string, defaultSplitPercentage: number): Promise<string> {
  const [made] = await client.call(contract.createSubAccounts, {
    body: [{ currencyCode: 'NGN', bankCode: '058', accountNumber, email: 'sub@example.com', defaultSplitPercentage }],
  })
  return made?.subAccountCode ?? assert.fail('a sub account is made')
}

const owed = async ({ db, merchantId }: Shop): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (
      await db<{ code: string; balance: bigint }[]>`
        select code, balance from ${BALANCES} account where merchant_id = ${merchantId} and code like 'payable%' and balance > 0`
    ).map(({ code, balance }) => [code, balance]),
  )

test('a reserved account splits every credit as agreed; items carry the code of their config', async () => {
  const shop = await aShop()
  const [a, b] = [await subAccount(shop, '0123456789', 20), await subAccount(shop, '0123456790', 10)]
  const account = await reserveAccount(shop, {
    incomeSplitConfig: [
      { subAccountCode: a, feeBearer: true, feePercentage: 50, splitPercentage: '30' },
      { subAccountCode: b, splitAmount: 100 },
    ],
  })
  const [first, second] = account.incomeSplitConfig
  const reservedAccountConfigCode = first?.reservedAccountConfigCode ?? ''
  assert.match(reservedAccountConfigCode, /^[A-Z0-9]{10}$/)
  assert.deepEqual(first, {
    subAccountCode: a,
    feePercentage: 50,
    feeBearer: true,
    splitPercentage: 30,
    reservedAccountConfigCode,
  })
  assert.deepEqual(second, {
    subAccountCode: b,
    feePercentage: 0,
    feeBearer: false,
    splitPercentage: 0,
    splitAmount: 100,
    reservedAccountConfigCode,
  })
  await pay(shop, account, 1_000) // the fee is 15
  assert.deepEqual(await owed(shop), {
    payable: 60_000n - 750n,
    [`payable/${a}`]: 30_000n - 750n,
    [`payable/${b}`]: 10_000n,
  })
  // A fixed amount that exceeds the credit is cut to it.
  await pay(shop, account, 50)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a split config can be changed and removed, applies from the next credit on, and shows the fee bearer', async () => {
  const shop = await aShop()
  const [a, b] = [await subAccount(shop, '0123456789', 25), await subAccount(shop, '0123456790', 10)]
  const account = await reserveAccount(shop)
  const update = (body: object[]) =>
    shop.call(contract.updateIncomeSplitConfig, { params: account, body: body as never })
  const result = await update([{ subAccountCode: a, feeBearer: false, feePercentage: 10.5, splitPercentage: 30 }])
  assert.match(result.code, /^[A-Z0-9]{10}$/)
  assert.deepEqual(result, {
    code: result.code,
    reservedAccountCode: account.reservationReference,
    feeBearer: 'MERCHANT_ONLY',
    configDetails: [
      {
        subAccountCode: a,
        feePercentage: 10.5,
        feeBearer: false,
        splitPercentage: 30,
        reservedAccountConfigCode: result.code,
      },
    ],
  })
  await pay(shop, account, 1_000)
  assert.deepEqual(await owed(shop), { payable: 70_000n - 1_500n, [`payable/${a}`]: 30_000n })

  // Defaults: the sub account's own share, all of the fee.
  const whole = await update([{ subAccountCode: a, feeBearer: true }])
  assert.deepEqual([whole.feeBearer, whole.configDetails[0]?.splitPercentage], ['SUB_ACCOUNT_ONLY', 25])
  assert.notEqual(whole.code, result.code)
  const shared = await update([
    { subAccountCode: a, feeBearer: true, feePercentage: 40 },
    { subAccountCode: b, feeBearer: true, feePercentage: 20 },
  ])
  assert.equal(shared.feeBearer, 'SHARED')
  // The agreed splits apply even though the sub account is gone.
  await shop.call(contract.deleteSubAccount, { params: { subAccountCode: a } })
  await pay(shop, account, 1_000)
  assert.equal((await owed(shop))[`payable/${a}`], 30_000n + 25_000n - 600n)

  assert.deepEqual((await update([])).configDetails, [])
  await pay(shop, account, 1_000)
  assert.equal((await owed(shop))[`payable/${a}`], 30_000n + 25_000n - 600n)
  assert.deepEqual((await shop.call(contract.getReservedAccount, { params: account })).incomeSplitConfig, [])
  assert.ok(isClean(await verifyLedger(shop.db)))

  for (const body of [
    [{ subAccountCode: a }], // deleted
    [{ subAccountCode: 'KBO_SUB_000000000000' }],
    [{ subAccountCode: b, splitPercentage: 101 }],
    [
      { subAccountCode: b, splitPercentage: 60 },
      { subAccountCode: b, splitPercentage: 41 },
    ],
    [{ subAccountCode: b, splitPercentage: 10, splitAmount: 10 }],
    [{}],
    {},
  ])
    await shop.rejected(400, contract.updateIncomeSplitConfig, { params: account, body })
})

test('an invoice is split by its own config, or else by its account’s', async () => {
  const shop = await aShop()
  const [a, b] = [await subAccount(shop, '0123456789', 25), await subAccount(shop, '0123456790', 10)]
  const account = await shop.call(contract.reserveInvoiceAccount, {
    body: {
      ...aReservedAccount(shop, { incomeSplitConfig: [{ subAccountCode: a }] }),
      reservedAccountType: 'INVOICE',
    },
  })
  const { accountReference } = account
  const now = shop.core.clock.now()
  const attached = await shop.call(contract.createInvoice, {
    body: anInvoice(shop, now, { accountReference, amount: 1_000 }),
  })
  const unset = { splitAmount: null, feePercentage: null, feeBearer: false, splitPercentage: null }
  assert.deepEqual(attached.incomeSplitConfig, [{ subAccountCode: a, ...unset }])
  await pay(shop, account, 1_000)
  const own = await shop.call(contract.createInvoice, {
    body: anInvoice(shop, now, {
      accountReference,
      amount: 1_000,
      incomeSplitConfig: [{ subAccountCode: b, splitAmount: '20.50', feeBearer: true, feePercentage: 10.5 }],
    }),
  })
  assert.deepEqual(own.incomeSplitConfig, [
    { subAccountCode: b, splitAmount: 20.5, feePercentage: 10.5, feeBearer: true, splitPercentage: null },
  ])
  assert.deepEqual(await shop.call(contract.getInvoice, { params: own }), own)
  await pay(shop, account, 1_000)
  const fee = 157n // 10.5 % of 1,500 kobo, rounded down
  assert.deepEqual(await owed(shop), {
    payable: 75_000n - 1_500n + 97_950n - 1_500n + fee,
    [`payable/${a}`]: 25_000n,
    [`payable/${b}`]: 2_050n - fee,
  })
  const above = anInvoice(shop, now, { amount: 1_000, incomeSplitConfig: [{ subAccountCode: b, splitAmount: 1_001 }] })
  await shop.rejected(422, contract.createInvoice, { body: above })
  assert.ok(isClean(await verifyLedger(shop.db)))
})
