import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { aShop, type Client, type Shop } from '../../harness/gateway.ts'
import { checkReply } from '../../harness/responses.ts'
import { anAccount, anInvoice, aReservedAccount, aTransaction, pay } from '../../harness/samples.ts'
import { aTeamMember } from '../../harness/users.ts'

type NewSubAccount = Extract<Input<typeof contract.createSubAccounts>['body'], readonly unknown[]>[number]

const aSubAccount = (changes: Partial<NewSubAccount> = {}): NewSubAccount => ({
  currencyCode: 'NGN',
  accountNumber: '0123456789',
  bankCode: '058',
  email: 'bisola@example.com',
  defaultSplitPercentage: 20,
  ...changes,
})

const create = async (
  client: Client,
  ...changes: readonly Partial<NewSubAccount>[]
): Promise<Reply<typeof contract.createSubAccounts>> =>
  client.call(contract.createSubAccounts, { body: changes.map((change) => aSubAccount(change)) })

const owed = async ({ db, merchantId }: Shop): Promise<Record<string, bigint>> =>
  Object.fromEntries(
    (
      await db<{ code: string; balance: bigint }[]>`
        select code, balance from ${BALANCES} account
         where merchant_id = ${merchantId} and (code like 'payable%' or code in ('fees/collection', 'clearing/bank-transfer/simulated'))`
    ).map(({ code, balance }) => [code, balance]),
  )

test('sub accounts are created with the name from the bank, listed, changed and deleted', async () => {
  const shop = await aShop()
  const created = await create(
    shop,
    { defaultSplitPercentage: 20.87 },
    { accountNumber: '0123456790', bankCode: '057', settlementReportEmails: ['a@example.com', 'b@example.com'] },
  )
  assert.equal(created.length, 2)
  const [first, second] = created
  assert.ok(first !== undefined && second !== undefined)
  assert.match(first.subAccountCode, /^KBO_SUB_\d{12}$/)
  assert.match(first.accountName, /^[A-Z]+ [A-Z]+ [A-Z]+$/)
  const { subAccountCode: _, accountName: __, settlementProfileCode, ...rest } = first
  assert.deepEqual(rest, {
    accountNumber: '0123456789',
    currencyCode: 'NGN',
    email: 'bisola@example.com',
    bankCode: '058',
    bankName: 'GTBank',
    defaultSplitPercentage: 20.87,
    settlementReportEmails: ['bisola@example.com'],
  })
  assert.match(settlementProfileCode, /^\d{12}$/)
  assert.deepEqual(second.settlementReportEmails, ['a@example.com', 'b@example.com'])
  assert.deepEqual(await shop.call(contract.listSubAccounts, {}), created)

  const changed = await shop.call(contract.changeSubAccount, {
    body: { subAccountCode: first.subAccountCode, accountNumber: '0999999999', defaultSplitPercentage: '5.5' },
  })
  assert.notEqual(changed.accountName, first.accountName)
  assert.deepEqual(
    { ...changed, accountName: '' },
    { ...first, accountName: '', accountNumber: '0999999999', defaultSplitPercentage: 5.5 },
  )
  const renamed = await shop.call(contract.changeSubAccount, {
    body: { subAccountCode: first.subAccountCode, email: 'new@example.com' },
  })
  assert.deepEqual(renamed, { ...changed, email: 'new@example.com' })

  await shop.call(contract.deleteSubAccount, { params: second })
  await shop.call(contract.deleteSubAccountByQuery, { query: { subAccountCode: first.subAccountCode } })
  assert.deepEqual(await shop.call(contract.listSubAccounts, {}), [])
  await shop.rejected(404, contract.deleteSubAccount, { params: second })
  await shop.rejected(404, contract.changeSubAccount, { body: { subAccountCode: first.subAccountCode } })
})

test('a single object is accepted too, and a deletion returns the envelope without a body', async () => {
  const shop = await aShop()
  const response = await shop.send('POST', contract.createSubAccounts.path, { body: aSubAccount() })
  checkReply(contract.createSubAccounts, response)
  const [created] = response.body.responseBody as Reply<typeof contract.createSubAccounts>
  const deleted = await shop.send('DELETE', `${contract.createSubAccounts.path}/${created?.subAccountCode}`)
  assert.equal(deleted.text, '{"requestSuccessful":true,"responseMessage":"success","responseCode":"0"}')
})

test('malformed or unknown values are rejected with 400 that names the field, and nothing is created', async () => {
  const shop = await aShop()
  const rejected = async (body: unknown): Promise<string> =>
    (await shop.rejected(400, contract.createSubAccounts, { body })).message
  assert.match(await rejected({ ...aSubAccount(), accountNumber: '12' }), /^accountNumber /)
  assert.match(await rejected([aSubAccount(), { ...aSubAccount(), email: 'nobody' }]), /^\[1\]\.email /)
  assert.match(await rejected([{ ...aSubAccount(), defaultSplitPercentage: 101 }]), /^\[0\]\.defaultSplitPercentage /)
  assert.match(
    await rejected(aSubAccount({ defaultSplitPercentage: 33.33333 })),
    /^defaultSplitPercentage .*4 decimals/,
  )
  assert.match(await rejected({ ...aSubAccount(), bankCode: undefined }), /^bankCode is required/)
  await rejected([])
  assert.match(await rejected(aSubAccount({ bankCode: '999' })), /Unknown bank code 999/)
  assert.match(await rejected([aSubAccount(), aSubAccount({ accountNumber: '0000000000' })]), /Could not find account/)
  assert.match(await rejected(aSubAccount({ accountNumber: '0123456006' })), /try again/)
  assert.match(await rejected(aSubAccount({ currencyCode: 'USD' })), /Unknown currency/)
  assert.deepEqual(await shop.call(contract.listSubAccounts, {}), [])
  await shop.rejected(400, contract.deleteSubAccountByQuery, { query: {} })
  await shop.rejected(400, contract.changeSubAccount, { body: { email: 'new@example.com' } })
})

test('without the permission every endpoint returns 403, and a merchant sees only its own', async () => {
  const shop = await aShop()
  const [created] = await create(shop, {})
  const other = await shop.anotherMerchant()
  assert.deepEqual(await other.call(contract.listSubAccounts, {}), [])
  await other.rejected(404, contract.deleteSubAccount, { params: created ?? {} })
  await other.rejected(404, contract.changeSubAccount, { body: { subAccountCode: created?.subAccountCode } })
  const items = [{ subAccountCode: created?.subAccountCode ?? '' }]
  await other.rejected(422, contract.initTransaction, { body: aTransaction(other, { incomeSplitConfig: items }) })

  await shop.call(contract.changeSettings, { body: { permissions: { subAccounts: false } } })
  await shop.rejected(403, contract.createSubAccounts, { body: aSubAccount() })
  await shop.rejected(403, contract.listSubAccounts, {})
  await shop.rejected(403, contract.changeSubAccount, { body: { subAccountCode: created?.subAccountCode } })
  await shop.rejected(403, contract.deleteSubAccount, { params: created ?? {} })
  await shop.rejected(403, contract.deleteSubAccountByQuery, { query: created ?? {} })
})

test('a split payment is posted to the merchant, each sub account and the fee, and adds up', async () => {
  const shop = await aShop()
  const [a, b] = (await create(shop, { defaultSplitPercentage: 20 }, { accountNumber: '0123456790' })).map(
    ({ subAccountCode }) => subAccountCode,
  )
  assert.ok(a !== undefined && b !== undefined)
  const incomeSplitConfig = [
    { subAccountCode: a, feeBearer: true, feePercentage: 50 },
    { subAccountCode: b, splitAmount: 100.5, feeBearer: false, feePercentage: 80 },
  ]
  const body = aTransaction(shop, { amount: 1_000, incomeSplitConfig })
  const initialized = await shop.call(contract.initTransaction, { body })
  assert.deepEqual(initialized.incomeSplitConfig, incomeSplitConfig)
  const account = await shop.call(contract.initBankTransfer, {
    body: { transactionReference: initialized.transactionReference },
  })
  // The agreed split of a transaction does not change.
  await shop.call(contract.changeSubAccount, { body: { subAccountCode: a, defaultSplitPercentage: 90 } })
  await shop.call(contract.deleteSubAccount, { params: { subAccountCode: b } })
  await pay(shop, account, 1_000)

  assert.deepEqual(await owed(shop), {
    'clearing/bank-transfer/simulated': -100_000n,
    payable: 69_200n, // 1,000 less 200 and 100.50, less half of the fee of 15
    [`payable/${a}`]: 19_250n,
    [`payable/${b}`]: 10_050n,
    'fees/collection': 1_500n,
  })
  assert.equal((await shop.call(contract.getTransaction, { params: account })).settlementAmount, '985.00')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('several credits, below or above the amount due, end with the division of their sum', async () => {
  const shop = await aShop()
  const [a, b] = (await create(shop, {}, {})).map(({ subAccountCode }) => subAccountCode)
  assert.ok(a !== undefined && b !== undefined)
  const account = await anAccount(shop, {
    amount: 100,
    incomeSplitConfig: [
      { subAccountCode: a, splitPercentage: 50, feeBearer: true },
      { subAccountCode: b, splitPercentage: 50 },
    ],
  })
  // The merchant gets a kobo that cannot be halved, until a second one makes the sum even.
  for (const amount of ['0.01', '0.01', '33.33', '70.00']) await pay(shop, account, amount)
  const { payable, [`payable/${a}`]: ofA, [`payable/${b}`]: ofB, 'fees/collection': fees } = await owed(shop)
  // 103.35 was paid: the fee is 1.55, and half of an odd sum leaves a kobo.
  assert.deepEqual({ payable, ofA, ofB, fees }, { payable: 1n, ofA: 5_167n - 155n, ofB: 5_167n, fees: 155n })

  const fixed = await anAccount(shop, {
    amount: 1_000,
    incomeSplitConfig: [
      { subAccountCode: a, splitAmount: 600 },
      { subAccountCode: b, splitAmount: 400 },
    ],
  })
  await pay(shop, fixed, 700)
  const after = await owed(shop)
  // The merchant's share does not cover the fee of 10.50, so the last sub account bears it.
  assert.equal((after[`payable/${a}`] ?? 0n) - (ofA ?? 0n), 60_000n)
  assert.equal((after[`payable/${b}`] ?? 0n) - (ofB ?? 0n), 10_000n - 1_050n)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('if the customer bears the fee, splits apply to the amount without it', async () => {
  const shop = await aShop()
  await shop.call(contract.changeSettings, { body: { feeBearer: 'CUSTOMER' } })
  const [a] = (await create(shop, { defaultSplitPercentage: 25 })).map(({ subAccountCode }) => subAccountCode)
  assert.ok(a !== undefined)
  const account = await anAccount(shop, { amount: 1_000, incomeSplitConfig: [{ subAccountCode: a, feeBearer: true }] })
  await pay(shop, account, 1_015)
  assert.deepEqual(await owed(shop), {
    'clearing/bank-transfer/simulated': -101_500n,
    payable: 75_000n,
    [`payable/${a}`]: 25_000n,
    'fees/collection': 1_500n,
  })
})

test('a user without the right to change terms sends no share of a payment to a sub account', async () => {
  const shop = await aShop()
  const [made] = await create(shop, { defaultSplitPercentage: 100 })
  const incomeSplitConfig = [{ subAccountCode: made?.subAccountCode ?? '', splitPercentage: 100 }]
  const support = await aTeamMember(shop, 'support')
  const owner = await aTeamMember(shop, 'owner')
  const payment = () => aTransaction(shop, { incomeSplitConfig })
  const account = () => aReservedAccount(shop, { incomeSplitConfig })
  for (const [route, body] of [
    [contract.initTransaction, payment()],
    [contract.reserveAccount, account()],
    [contract.createInvoice, anInvoice(shop, shop.core.clock.now(), { incomeSplitConfig })],
  ] as const) {
    const { code, message } = await support.rejected(403, route, { body })
    assert.deepEqual([code, /incomeSplitConfig/.test(message)], ['FIELD_NOT_ALLOWED', true])
  }
  await support.call(contract.initTransaction, { body: aTransaction(shop, { incomeSplitConfig: [] }) })
  await owner.call(contract.initTransaction, { body: payment() })
  await shop.call(contract.initTransaction, { body: payment() })
})

test('splits above the amount, of unknown or deleted sub accounts, or by both percentage and amount are rejected', async () => {
  const shop = await aShop()
  const [a, b] = (await create(shop, {}, { defaultSplitPercentage: 60 })).map(({ subAccountCode }) => subAccountCode)
  assert.ok(a !== undefined && b !== undefined)
  const rejected = async (status: number, items: readonly object[]): Promise<string> => {
    const body = { ...aTransaction(shop, { amount: 1_000 }), incomeSplitConfig: items }
    return (await shop.rejected(status, contract.initTransaction, { body })).message
  }
  assert.match(await rejected(422, [{ subAccountCode: 'KBO_SUB_000000000000' }]), /Could not find sub account/)
  assert.match(await rejected(422, [{ subAccountCode: b }, { subAccountCode: b }]), /at most 100 %/)
  assert.match(await rejected(422, [{ subAccountCode: a, splitAmount: '1000.01' }]), /more than the payment/)
  assert.match(
    await rejected(422, [
      { subAccountCode: a, splitAmount: 400.01 },
      { subAccountCode: b, splitPercentage: 60 },
    ]),
    /more than the payment/,
  )
  assert.match(
    await rejected(422, [
      { subAccountCode: a, feeBearer: true },
      { subAccountCode: b, feeBearer: true, feePercentage: 0.0001 },
    ]),
    /feePercentage values must add up to at most 100 %/,
  )
  assert.match(
    await rejected(400, [{ subAccountCode: a }, { subAccountCode: b, splitPercentage: 1, splitAmount: 1 }]),
    /^incomeSplitConfig\[1\] .*not both/,
  )
  assert.match(
    await rejected(400, [{ subAccountCode: a, splitPercentage: 100.5 }]),
    /^incomeSplitConfig\[0\]\.splitPerc/,
  )
  assert.match(await rejected(400, [{ subAccountCode: a, splitAmount: -1 }]), /^incomeSplitConfig\[0\]\.splitAmount/)
  assert.match(await rejected(400, [{ splitPercentage: 1 }]), /subAccountCode is required/)
  await shop.call(contract.deleteSubAccount, { params: { subAccountCode: a } })
  assert.match(await rejected(422, [{ subAccountCode: a }]), /Could not find sub account/)

  // Clients send 0 for an unset value.
  const body = { ...aTransaction(shop), incomeSplitConfig: [{ subAccountCode: b, splitPercentage: 0, splitAmount: 0 }] }
  await shop.call(contract.initTransaction, { body })
})
