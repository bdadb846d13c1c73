import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { aShop, type Client } from '../../harness/gateway.ts'
import { anAccount, aTransaction, pay } from '../../harness/samples.ts'

const opened = async (client: Client, changes: Parameters<typeof aTransaction>[1] = {}): Promise<string> =>
  (await client.call(contract.initTransaction, { body: aTransaction(client, changes) })).transactionReference

/** A local time in Lagos as the response prints it. */
const lagosTime = (text: string): number => {
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  return Date.parse(`${text}+01:00`)
}

/** The check digit of the CBN's 2018 rule, implemented independently. */
function checkDigit(bankCode: string, serial: string): number {
  const institution = bankCode.length === 5 ? `9${bankCode}` : bankCode.padStart(6, '0')
  const total = [...`${institution}${serial}`].reduce(
    (sum, digit, place) => sum + Number(digit) * (place % 3 === 1 ? 7 : 3),
    0,
  )
  return (10 - (total % 10)) % 10
}

test('a transaction gets an account with all the data that the customer needs', async () => {
  const shop = await aShop()
  const before = Math.floor(shop.core.clock.now().getTime() / 1_000) * 1_000
  const { transactionReference, paymentReference, requestTime, expiresOn, accountNumber, ...rest } = await anAccount(
    shop,
    { amount: '7500.25' },
  )
  assert.deepEqual(rest, {
    accountName: 'Demo Shop-Two pairs of shoes',
    bankName: 'Wema bank',
    bankCode: '035',
    accountDurationSeconds: 2400,
    ussdPayment: null,
    amount: 7500.25,
    fee: 0,
    totalPayable: 7500.25,
    collectionChannel: 'API_NOTIFICATION',
    productInformation: null,
  })
  assert.match(accountNumber, /^\d{10}$/)
  assert.match(transactionReference, /^KOBO\|/)
  assert.match(paymentReference, /^order-/)
  const requestedAt = lagosTime(requestTime)
  assert.ok(requestedAt >= before && requestedAt <= shop.core.clock.now().getTime(), requestTime)
  assert.equal(lagosTime(expiresOn) - requestedAt, 2_400_000, expiresOn)
})

test('the account stays the same until it expires, whichever bank is named later', async () => {
  const shop = await aShop()
  const transactionReference = await opened(shop, { amount: 5_000 })
  const first = await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode: '232' } })
  assert.equal(first.ussdPayment, `*822*5*5000*${first.accountNumber}#`)
  await shop.advance(1_200)
  for (const [bankCode, ussdPayment] of [
    [undefined, null],
    [null, null],
    ['', null],
    ['058', `*737*2*5000*${first.accountNumber}#`],
    ['035', `*945*${first.accountNumber}*5000#`],
    ['50515', null],
  ] as const) {
    const again = await shop.call(contract.initBankTransfer, {
      body: { transactionReference, ...(bankCode === undefined ? {} : { bankCode }) },
    })
    assert.deepEqual(again, { ...first, ussdPayment })
  }
})

test('20 parallel calls open one account', async () => {
  const shop = await aShop()
  const transactionReference = await opened(shop)
  const calls = Array.from({ length: 20 }, (_, n) =>
    shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode: n % 2 === 0 ? '035' : '232' } }),
  )
  const numbers = new Set(
    (await Promise.all(calls)).map(({ bankCode, accountNumber }) => `${bankCode}/${accountNumber}`),
  )
  assert.equal(numbers.size, 1)
  assert.equal(
    (await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'transaction'`)
      .count,
    1,
  )
})

test('a partner bank gets the account; any other known bank only affects the USSD code', async () => {
  const shop = await aShop()
  const cases = [
    ['035', '035', 'Wema bank', 5_000, /^\*945\*\d{10}\*5000#$/],
    ['232', '232', 'Sterling bank', 5_000, /^\*822\*5\*5000\*\d{10}#$/],
    ['50515', '50515', 'Moniepoint Microfinance Bank', 5_000, undefined],
    ['058', '035', 'Wema bank', 5_000, /^\*737\*2\*5000\*\d{10}#$/],
    ['058', '035', 'Wema bank', '5000.00', /^\*737\*2\*5000\*\d{10}#$/],
    ['058', '035', 'Wema bank', 5_000.5, /^\*737\*2\*5000\.50\*\d{10}#$/],
    ['033', '035', 'Wema bank', 20.07, /^\*919\*4\*\d{10}\*20\.07#$/],
    ['050', '035', 'Wema bank', 5_000, undefined],
    ['50211', '035', 'Wema bank', 5_000, undefined],
  ] as const
  for (const [bankCode, ofBank, bankName, amount, ussd] of cases) {
    const transactionReference = await opened(shop, { amount })
    const account = await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode } })
    assert.deepEqual([account.bankCode, account.bankName], [ofBank, bankName])
    assert.equal(
      Number(account.accountNumber.at(-1)),
      checkDigit(ofBank, account.accountNumber.slice(0, 9)),
      account.accountNumber,
    )
    if (ussd === undefined) assert.equal(account.ussdPayment, null, bankCode)
    else {
      assert.match(account.ussdPayment ?? '', ussd)
      assert.ok(account.ussdPayment?.includes(account.accountNumber))
    }
  }
})

test('no two transactions share an account number', async () => {
  const shop = await aShop()
  const accounts = await Promise.all(Array.from({ length: 120 }, () => anAccount(shop)))
  assert.equal(new Set(accounts.map(({ accountNumber }) => accountNumber)).size, 120)
})

test('the account name is merchant and description, cut to 40 whole characters', async () => {
  const shop = await aShop()
  const named = async (paymentDescription: string | null): Promise<string> =>
    (await anAccount(shop, { paymentDescription })).accountName
  assert.equal(await named(null), 'Demo Shop')
  assert.equal(await named('x'.repeat(30)), `Demo Shop-${'x'.repeat(30)}`)
  assert.equal(await named('x'.repeat(31)), `Demo Shop-${'x'.repeat(30)}`)
  assert.equal(await named('👟'.repeat(31)), `Demo Shop-${'👟'.repeat(30)}`)
})

test('USSD is addressed by code with or without its signs, or by bank code', async () => {
  const shop = await aShop()
  const transactionReference = await opened(shop, { amount: 1_000 })
  const responses: Reply<typeof contract.initUssd>[] = []
  for (const bankUssdCode of ['*737#', '737', '058'])
    responses.push(await shop.call(contract.initUssd, { body: { transactionReference, bankUssdCode } }))
  const [first] = responses
  assert.equal(first?.ussdPayment, `*737*2*1000*${first?.accountNumber}#`)
  for (const response of responses) assert.deepEqual(response, first)
  assert.deepEqual(
    await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode: '058' } }),
    first,
  )
  for (const bankUssdCode of ['*000#', '000', '999', 'GTB', '101'])
    await shop.rejected(422, contract.initUssd, { body: { transactionReference, bankUssdCode } })
})

test('init-payment rejects malformed requests with 400, and unknown values with 422', async () => {
  const shop = await aShop()
  const transactionReference = await opened(shop)
  for (const [body, field] of [
    [{}, 'transactionReference'],
    [{ transactionReference: '' }, 'transactionReference'],
    [{ transactionReference: 5 }, 'transactionReference'],
    [{ transactionReference: 'x'.repeat(129) }, 'transactionReference'],
    [{ transactionReference, bankCode: 35 }, 'bankCode'],
    [{ transactionReference, bankCode: ['035'] }, 'bankCode'],
  ] as const)
    assert.match((await shop.rejected(400, contract.initBankTransfer, { body })).message, new RegExp(`^${field} `))
  assert.match(
    (await shop.rejected(400, contract.initUssd, { body: { transactionReference } })).message,
    /^bankUssdCode /,
  )
  for (const bankCode of ['999', '35', 'WEMA', '0350'])
    assert.match(
      (await shop.rejected(422, contract.initBankTransfer, { body: { transactionReference, bankCode } })).message,
      /bank/,
    )
  const unknown = {
    message: 'Could not find specified transaction',
    responseCode: '99',
    code: 'UNKNOWN_TRANSACTION',
  }
  for (const [route, body] of [
    [contract.initBankTransfer, { transactionReference: 'KOBO|01|20260101000000|000000' }],
    [contract.initUssd, { transactionReference: 'nothing', bankUssdCode: '737' }],
  ] as const)
    assert.deepEqual(await shop.rejected(422, route, { body }), unknown)
  assert.equal(
    (await shop.db`select from virtual_account where merchant_id = ${shop.merchantId} and purpose = 'transaction'`)
      .count,
    0,
  )
})

test('a method that the transaction does not enable is 422', async () => {
  const shop = await aShop()
  const card = await opened(shop, { paymentMethods: ['CARD'] })
  const dialled = await opened(shop, { paymentMethods: ['USSD'] })
  const moved = await opened(shop, { paymentMethods: ['ACCOUNT_TRANSFER', 'ACCOUNT_TRANSFER'] })
  const byTransfer = (transactionReference: string) => ({ body: { transactionReference } })
  const byUssd = (transactionReference: string) => ({ body: { transactionReference, bankUssdCode: '737' } })
  for (const reference of [card, dialled]) await shop.rejected(422, contract.initBankTransfer, byTransfer(reference))
  for (const reference of [card, moved]) await shop.rejected(422, contract.initUssd, byUssd(reference))
  await shop.call(contract.initBankTransfer, byTransfer(moved))
  await shop.call(contract.initUssd, byUssd(dialled))
})

test('a transaction that is paid, overpaid, expired or cancelled gets no account; a partly paid one keeps it', async () => {
  const shop = await aShop()
  const [paid, overpaid, partly, cancelled, late] = await Promise.all(
    Array.from({ length: 5 }, () => anAccount(shop, { amount: 1_000 })),
  )
  assert.ok(paid && overpaid && partly && cancelled && late)
  await pay(shop, paid, 1_000)
  await pay(shop, overpaid, 1_001)
  await pay(shop, partly, 999)
  await shop.call(contract.cancelTransaction, { params: cancelled })
  const rejected = async ({ transactionReference }: Reply<typeof contract.initBankTransfer>): Promise<string> => {
    await shop.rejected(422, contract.initUssd, { body: { transactionReference, bankUssdCode: '737' } })
    return (await shop.rejected(422, contract.initBankTransfer, { body: { transactionReference } })).message
  }
  assert.match(await rejected(paid), /paid/)
  assert.match(await rejected(overpaid), /paid/)
  assert.match(await rejected(cancelled), /cancelled/)
  const { transactionReference } = partly
  assert.equal(
    (await shop.call(contract.initBankTransfer, { body: { transactionReference } })).accountNumber,
    partly.accountNumber,
  )
  await shop.advance(2_400)
  for (const one of [late, partly]) assert.match(await rejected(one), /expired/)
})

test('the bank lists hold all banks, and those with USSD', async () => {
  const shop = await aShop()
  const [all, dialled] = await Promise.all([shop.call(contract.listBanks, {}), shop.call(contract.listUssdBanks, {})])
  assert.equal(all.length, 121)
  assert.deepEqual(
    all.find(({ code }) => code === '058'),
    {
      name: 'GTBank',
      code: '058',
      ussdTemplate: '*737*2*Amount*AccountNumber#',
      baseUssdCode: '*737#',
      transferUssdTemplate: '*737*AccountNumber#',
      bankId: null,
      nipBankCode: '000013',
    },
  )
  const empty = { ussdTemplate: null, baseUssdCode: null, transferUssdTemplate: null, bankId: null }
  assert.deepEqual(
    all.find(({ code }) => code === '101'),
    { name: 'Providus Bank', code: '101', nipBankCode: '000023', ...empty },
  )
  assert.deepEqual(
    dialled,
    all.filter(({ baseUssdCode }) => baseUssdCode !== null),
  )
  assert.equal(dialled.length, 17)
})
