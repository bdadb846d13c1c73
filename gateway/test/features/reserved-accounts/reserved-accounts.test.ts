import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { isNuban } from '../../../src/kernel/nuban.ts'
import { aShop, type Client } from '../../harness/gateway.ts'
import { aReservedAccount, BVN, pay, reserveAccount } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'

const CANNOT_FIND = {
  message: 'Cannot find reserved account',
  responseCode: '99',
  code: 'UNKNOWN_RESERVED_ACCOUNT',
}
const invoiceAccount = (shop: Client, changes: object = {}) => ({
  ...aReservedAccount(shop, changes),
  reservedAccountType: 'INVOICE' as const,
})

test('an account is reserved at all partner banks, and its response matches the API exactly', async () => {
  const shop = await aShop()
  const { contractCode } = shop.credentials
  const body = aReservedAccount(shop, { getAllAvailableBanks: true, nin: '12345678901', accountReference: 'ref-1' })
  const response = await shop.call(contract.reserveAccount, { body })
  const numbers = response.accounts.map(({ accountNumber }) => accountNumber)
  assert.match(response.reservationReference, /^[A-Z0-9]{20}$/)
  assert.match(response.createdOn, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/)
  assert.deepEqual(response, {
    contractCode,
    accountReference: 'ref-1',
    accountName: 'Ada Obi Stores',
    currencyCode: 'NGN',
    customerEmail: 'ada@example.com',
    customerName: 'Ada Obi',
    accounts: [
      { bankCode: '035', bankName: 'Wema bank', accountNumber: numbers[0], accountName: 'Ada Obi Stores' },
      { bankCode: '232', bankName: 'Sterling bank', accountNumber: numbers[1], accountName: 'Ada Obi Stores' },
      {
        bankCode: '50515',
        bankName: 'Moniepoint Microfinance Bank',
        accountNumber: numbers[2],
        accountName: 'Ada Obi Stores',
      },
    ],
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: response.reservationReference,
    reservedAccountType: 'GENERAL',
    status: 'ACTIVE',
    createdOn: response.createdOn,
    incomeSplitConfig: [],
    bvn: BVN,
    nin: '12345678901',
    restrictPaymentSource: false,
  })
  for (const { bankCode, accountNumber } of response.accounts) assert.ok(isNuban(bankCode, accountNumber))

  const detail = await shop.call(contract.getReservedAccount, { params: response })
  const [first] = response.accounts
  const merchant = await shop.core.directory.byApiKey(shop.credentials.apiKey)
  assert.deepEqual(detail, {
    ...response,
    accountNumber: first?.accountNumber,
    bankCode: '035',
    bankName: 'Wema bank',
    contract: { name: merchant?.name, code: contractCode, description: 'Collections' },
    transactionCount: 0,
  })
})

test('unset texts are null; one BVN may hold many accounts; a NIN alone is enough', async () => {
  const shop = await aShop()
  const { customerName: _, ...nameless } = aReservedAccount(shop)
  const account = await shop.call(contract.reserveAccount, { body: nameless })
  assert.deepEqual([account.customerName, account.nin, account.bvn], [null, null, BVN])
  const other = await reserveAccount(shop, { bvn: null, nin: '12345678901' })
  assert.deepEqual([other.bvn, other.nin], [null, '12345678901'])
  await reserveAccount(shop)
})

test('banks: the requested ones, or the default one; booleans may be texts', async () => {
  const shop = await aShop()
  const banksOf = async (changes: object): Promise<string[]> =>
    (await reserveAccount(shop, changes)).accounts.map(({ bankCode }) => bankCode)
  assert.deepEqual(await banksOf({ getAllAvailableBanks: false }), ['035'])
  assert.deepEqual(await banksOf({ getAllAvailableBanks: 'false', preferredBanks: [] }), ['035'])
  assert.deepEqual(await banksOf({ getAllAvailableBanks: 'true' }), ['035', '232', '50515'])
  assert.deepEqual(await banksOf({ preferredBanks: ['50515', '232', '50515'] }), ['232', '50515'])
  for (const unknown of ['058', '999'])
    assert.match(
      (
        await shop.rejected(422, contract.reserveAccount, {
          body: aReservedAccount(shop, { preferredBanks: [unknown] }),
        })
      ).message,
      new RegExp(unknown),
    )
})

test('malformed requests are 400 and name the field; forbidden ones are 422; nothing is reserved', async () => {
  const shop = await aShop()
  const sound = aReservedAccount(shop)
  for (const field of [
    'accountReference',
    'accountName',
    'currencyCode',
    'contractCode',
    'customerEmail',
    'getAllAvailableBanks',
  ]) {
    const { message } = await shop.rejected(400, contract.reserveAccount, { body: { ...sound, [field]: undefined } })
    assert.equal(message, `${field} is required`)
  }
  for (const [changes, field] of [
    [{ accountReference: '' }, 'accountReference'],
    [{ accountName: '' }, 'accountName'],
    [{ customerEmail: 'nobody' }, 'customerEmail'],
    [{ bvn: '123' }, 'bvn'],
    [{ bvn: 22_212_345_678 }, 'bvn'],
    [{ nin: '1234567890a' }, 'nin'],
    [{ bvn: null, nin: null }, 'bvn'],
    [{ getAllAvailableBanks: 'yes' }, 'getAllAvailableBanks'],
    [{ preferredBanks: '035' }, 'preferredBanks'],
    [{ restrictPaymentSource: true }, 'allowedPaymentSources'],
    [{ restrictPaymentSource: true, allowedPaymentSource: { bvns: [] } }, 'allowedPaymentSources'],
    [{ allowedPaymentSource: { bvns: ['1'] } }, 'allowedPaymentSource.bvns[0]'],
    [
      { allowedPaymentSources: { bankAccounts: [{ bankCode: '058' }] } },
      'allowedPaymentSources.bankAccounts[0].accountNumber',
    ],
    [{ incomeSplitConfig: [{}] }, 'incomeSplitConfig[0].subAccountCode'],
  ] as const) {
    const { message } = await shop.rejected(400, contract.reserveAccount, { body: { ...sound, ...changes } })
    assert.ok(message.startsWith(`${field} `), message)
  }
  for (const [changes, expected] of [
    [{ contractCode: '000000000000' }, 'Could not find specified contract'],
    [{ currencyCode: 'USD' }, 'Unknown currency code supplied'],
    [
      { incomeSplitConfig: [{ subAccountCode: 'KBO_SUB_000000000000' }] },
      'Could not find sub account KBO_SUB_000000000000',
    ],
  ] as const) {
    const { message } = await shop.rejected(422, contract.reserveAccount, { body: { ...sound, ...changes } })
    assert.equal(message, expected)
  }
  for (const changes of [{ contractCode: 'x' }, { currencyCode: 'x' }])
    await shop.rejected(422, contract.reserveInvoiceAccount, { body: invoiceAccount(shop, changes) })
  for (const changes of [{ bvn: null }, { reservedAccountType: 'OTHER' }, { accountName: null }])
    await shop.rejected(400, contract.reserveInvoiceAccount, { body: { ...invoiceAccount(shop), ...changes } })
  assert.equal((await shop.db`select from reserved_account where merchant_id = ${shop.merchantId}`).count, 0)
  assert.equal(
    (await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'reserved-account'`)
      .count,
    0,
  )
})

test('30 parallel requests with one reference reserve one account, at v1 and v2', async () => {
  const shop = await aShop()
  const body = aReservedAccount(shop, { getAllAvailableBanks: true })
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      shop.send('POST', (i % 2 === 0 ? contract.reserveAccount : contract.reserveInvoiceAccount).path, { body }),
    ),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  for (const { status, body: response } of responses)
    assert.ok(
      status === 200 ||
        (status === 422 && response.responseMessage === 'You can not reserve two accounts with the same reference'),
    )
  assert.equal(
    (await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'reserved-account'`)
      .count,
    3,
  )
})

test('the response for an invoice account is flat, and the account is inactive until it has an open invoice', async () => {
  const shop = await aShop()
  const account = await shop.call(contract.reserveInvoiceAccount, { body: invoiceAccount(shop) })
  const [number] = account.accounts
  assert.ok(number !== undefined)
  const { accountNumber, bankName, bankCode, reservedAccountType, status } = account
  assert.deepEqual(
    { accountNumber, bankName, bankCode, reservedAccountType, status },
    {
      accountNumber: number.accountNumber,
      bankName: 'Wema bank',
      bankCode: '035',
      reservedAccountType: 'INVOICE',
      status: 'INACTIVE',
    },
  )
  assert.equal((await pay(shop, account, 1_000)).reason, 'ACCOUNT_INACTIVE')
  // Older clients reserve general accounts at this path.
  const general = await shop.call(contract.reserveInvoiceAccount, { body: aReservedAccount(shop) })
  assert.deepEqual([general.reservedAccountType, general.status], ['GENERAL', 'ACTIVE'])
})

test('linked accounts are added, existing ones stay, and none is duplicated', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop)
  const grow = (body: object): Promise<Reply<typeof contract.addLinkedAccounts>> =>
    shop.call(contract.addLinkedAccounts, { params: account, body })
  assert.deepEqual((await grow({})).accounts, account.accounts)
  const two = await grow({ getAllAvailableBanks: false, preferredBanks: ['232'] })
  assert.deepEqual(
    two.accounts.map(({ bankCode }) => bankCode),
    ['035', '232'],
  )
  const responses = await Promise.all(Array.from({ length: 10 }, () => grow({ getAllAvailableBanks: true })))
  for (const { accounts } of responses) assert.deepEqual(accounts.slice(0, 2), two.accounts)
  assert.equal(new Set(responses.map(({ accounts }) => JSON.stringify(accounts))).size, 1)
  assert.equal((await pay(shop, responses[0]?.accounts[2] ?? account, 100)).status, 'ACCEPTED')

  const body = { preferredBanks: ['058'] }
  assert.match((await shop.rejected(400, contract.addLinkedAccounts, { params: account, body })).message, /058/)
  await shop.rejected(400, contract.addLinkedAccounts, { params: account, body: { preferredBanks: 5 } })
  const unknown = { params: { accountReference: 'nobody' }, body: {} }
  assert.deepEqual(await shop.rejected(404, contract.addLinkedAccounts, unknown), CANNOT_FIND)
})

test('the BVN and the NIN can be changed, and are shown in clear and stored encrypted', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop, {
    allowedPaymentSource: { bvns: ['33312345678'], bankAccounts: [], accountNames: [] },
  })
  const changed = await shop.call(contract.updateCustomerBvn, { params: account, body: { bvn: '44412345678' } })
  assert.deepEqual([changed.bvn, changed.nin, changed.accountNumber], ['44412345678', null, account.accountNumber])
  const kyc = await shop.call(contract.updateKycInfo, { params: account, body: { nin: '55512345678' } })
  assert.deepEqual(kyc, {
    accountReference: account.accountReference,
    accountName: 'Ada Obi Stores',
    customerEmail: 'ada@example.com',
    customerName: 'Ada Obi',
    bvn: '44412345678',
    nin: '55512345678',
  })
  const stored = JSON.stringify(
    await shop.db`select row_to_json(a)::text as row from reserved_account a where merchant_id = ${shop.merchantId}`,
  )
  const hexOf = (number: string): string => Buffer.from(number).toString('hex')
  for (const number of [BVN, '33312345678', '44412345678', '55512345678'])
    assert.ok(!stored.includes(number) && !stored.includes(hexOf(number)), 'no number is readable in the database')

  for (const bvn of ['123', '2221234567x', ''])
    assert.deepEqual(await shop.rejected(400, contract.updateCustomerBvn, { params: account, body: { bvn } }), {
      message: 'Invalid BVN provided',
      responseCode: '99',
      code: 'INVALID_BVN',
    })
  const rejected = async (body: object): Promise<string> =>
    (await shop.rejected(400, contract.updateKycInfo, { params: account, body })).message
  assert.match(await rejected({}), /^bvn or nin is required/)
  assert.match(await rejected({ bvn: '1' }), /^bvn /)
  assert.match(await rejected({ nin: '1' }), /^nin /)
  assert.equal(
    (await shop.rejected(400, contract.updateCustomerBvn, { params: account, body: {} })).message,
    'bvn is required',
  )
})

test('a stored response holds no readable BVN either', async () => {
  const shop = await aShop()
  const body = aReservedAccount(shop)
  for (const { path } of [contract.reserveAccount, contract.reserveInvoiceAccount]) {
    const request = () => shop.send('POST', path, { body, headers: { 'idempotency-key': 'once' } })
    const [first, again] = [await request(), await request()]
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const accepted = JSON.stringify(
    await shop.db`select row_to_json(i)::text as row from idempotency_key i where merchant_id = ${shop.merchantId}`,
  )
  assert.ok(accepted.includes('once') && !accepted.includes(BVN))
})

test('a deallocated account is not found, rejects money, and neither its number nor its reference is reused', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop, { getAllAvailableBanks: true })
  await pay(shop, account, 1_000)
  const response = await shop.call(contract.deallocateReservedAccount, { params: account })
  assert.deepEqual(
    [response.accountReference, response.accountNumber, response.status],
    [account.accountReference, account.accountNumber, 'INACTIVE'],
  )
  await shop.rejected(404, contract.getReservedAccount, { params: account })
  const v1 = `/api/v1/bank-transfer/reserved-accounts/${account.accountReference}`
  assert.equal((await shop.send('GET', v1)).status, 404)
  assert.equal((await shop.send('DELETE', v1)).status, 400)
  for (const { bankCode, accountNumber } of account.accounts)
    assert.equal((await pay(shop, { bankCode, accountNumber }, 500)).reason, 'ACCOUNT_INACTIVE')
  const body = aReservedAccount(shop, { accountReference: account.accountReference })
  await shop.rejected(422, contract.reserveAccount, { body })
  const [row] = await shop.db<{ closes: Date | null }[]>`
    select max(closes_at) as closes from virtual_account
     where merchant_id = ${shop.merchantId} and purpose = 'reserved-account' and bank_code <> '232'`
  assert.equal(row?.closes, null, 'a number without an end is never given away')
  await until('the bank that issued one is notified that it is closed', async () => {
    const { count } = await shop.db`
      select from simulated_entry e join account_request r on e.reference = 'KFVA' || r.id
       where e.rail = 'closed account' and r.merchant_id = ${shop.merchantId}`
    return count === 1
  })
})

test('an unknown account is 400 if the API lists no 404', async () => {
  const shop = await aShop()
  const params = { accountReference: 'nobody' }
  for (const [route, body] of [
    [contract.updateCustomerBvn, { bvn: BVN }],
    [contract.updateKycInfo, { bvn: BVN }],
    [contract.updatePaymentSourceFilter, { restrictPaymentSource: false }],
    [contract.updateIncomeSplitConfig, []],
    [contract.deallocateReservedAccount, undefined],
  ] as const)
    assert.deepEqual(await shop.rejected(400, route, { params, body }), CANNOT_FIND)
  assert.deepEqual(await shop.rejected(400, contract.listReservedAccountTransactions, { query: params }), CANNOT_FIND)
  assert.deepEqual(await shop.rejected(404, contract.getReservedAccount, { params }), CANNOT_FIND)
  assert.match(
    (await shop.rejected(400, contract.listReservedAccountTransactions, { query: {} })).message,
    /^accountReference /,
  )
  assert.match(
    (await shop.rejected(400, contract.listReservedAccountTransactions, { query: { ...params, page: -1 } })).message,
    /^page /,
  )
})

test('older paths return the same with deprecation headers; literal path segments are not references', async () => {
  const shop = await aShop()
  const account = await reserveAccount(shop)
  const detail = await shop.call(contract.getReservedAccount, { params: account })
  const v1 = `/api/v1/bank-transfer/reserved-accounts/${account.accountReference}`
  const old = await shop.send('GET', v1)
  assert.deepEqual(old.body.responseBody, detail)
  assert.ok(old.headers.get('deprecation') !== null && old.headers.get('sunset') !== null)
  const successor = contract.getReservedAccount.path.replace(':accountReference', '{accountReference}')
  assert.equal(old.headers.get('link-template'), `"${successor}"; rel="successor-version"`)
  const listed = await shop.send(
    'GET',
    `/api/v1/bank-transfer/reserved-accounts/transactions?accountReference=${account.accountReference}`,
  )
  assert.equal((listed.body.responseBody as { totalElements: number }).totalElements, 0)
  assert.equal(listed.headers.get('deprecation'), null)
  const gone = await shop.send('DELETE', v1)
  assert.equal(gone.status, 200, gone.text)
  assert.ok(gone.headers.get('deprecation') !== null)
})

test('another merchant cannot see or change anything, and may use the same reference', async () => {
  const shop = await aShop()
  const other = await shop.anotherMerchant()
  const account = await reserveAccount(shop)
  const params = { accountReference: account.accountReference }
  await other.rejected(404, contract.getReservedAccount, { params })
  await other.rejected(404, contract.addLinkedAccounts, { params, body: { getAllAvailableBanks: true } })
  await other.rejected(400, contract.updateCustomerBvn, { params, body: { bvn: BVN } })
  await other.rejected(400, contract.updateKycInfo, { params, body: { bvn: BVN } })
  await other.rejected(400, contract.updatePaymentSourceFilter, { params, body: {} })
  await other.rejected(400, contract.updateIncomeSplitConfig, { params, body: [] })
  await other.rejected(400, contract.deallocateReservedAccount, { params })
  await other.rejected(400, contract.listReservedAccountTransactions, { query: params })
  const own = await reserveAccount(other, params)
  assert.notEqual(own.accountNumber, account.accountNumber)
  await pay(shop, account, 1_000)
  assert.equal((await other.call(contract.getReservedAccount, { params })).transactionCount, 0)
  assert.equal((await shop.call(contract.getReservedAccount, { params })).transactionCount, 1)
})
