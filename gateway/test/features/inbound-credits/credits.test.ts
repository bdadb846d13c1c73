import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { receive } from '../../../src/features/transactions/index.ts'
import { transactionIdOf } from '../../../src/kernel/ids.ts'
import { naira } from '../../../src/kernel/money.ts'
import { testWall } from '../../harness/clock.ts'
import { partners, reportCredit, reportSignedCredit } from '../../harness/credits.ts'
import { gateway, type TestGateway } from '../../harness/gateway.ts'
import { aMandate } from '../../harness/mandate-samples.ts'
import { commandAt } from '../../harness/processes.ts'
import { anAccount, aTransaction, pay, reserveAccount } from '../../harness/samples.ts'
import { until } from '../../harness/until.ts'
import { RAILS_SECRET } from '../../rails/adapter.ts'

const ACCEPTED = { kind: 'accepted' }
const CONFLICT = { kind: 'conflict' }
const PAYER = { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: '22212345678' }

interface AccountNumber {
  readonly bankCode: string
  readonly accountNumber: string
}

/** A gateway whose credits are reported by a connector. */
async function aShopWithAdapter(t: TestContext): Promise<TestGateway> {
  const { url } = await partners(t)
  return gateway(t, { env: { KOBO_RAILS_URL: url, KOBO_RAILS_SECRET: RAILS_SECRET } })
}

/** Reports a credit in naira; returns the response to the connector. */
async function sendCredit(
  shop: TestGateway,
  railReference: string,
  { bankCode, accountNumber }: AccountNumber,
  amount: number,
): Promise<unknown> {
  const response = await reportCredit(shop, {
    railReference,
    bankCode,
    accountNumber,
    amount: amount * 100,
    payer: PAYER,
  })
  assert.equal(response.status, 200)
  return response.json()
}

/** An account number for a new payment, at a bank. */
async function accountAt(shop: TestGateway, bankCode: string, amount: number) {
  const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop, { amount }) })
  const account = await shop.call(contract.initBankTransfer, { body: { transactionReference, bankCode } })
  assert.equal(account.bankCode, bankCode)
  return account
}

/** The account number into which a mandate's token is paid. */
async function tokenAccount(shop: TestGateway): Promise<AccountNumber> {
  const { mandateCode } = await shop.call(contract.createMandate, { body: aMandate(shop) })
  const [row] = await shop.db<AccountNumber[]>`
    select token_bank_code as bank_code, token_account_number as account_number from mandate where mandate_code = ${mandateCode}`
  return row ?? assert.fail('there is a mandate')
}

async function topUpAccount(shop: TestGateway, nth: number): Promise<AccountNumber> {
  const { topUpAccountDetails } = await shop.call(contract.createWallet, {
    body: {
      walletReference: `wallet-${nth}`,
      walletName: 'Savings',
      customerName: 'Ada Obi',
      customerEmail: 'ada@example.com',
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  return topUpAccountDetails
}

const statusOf = async (
  shop: Pick<TestGateway, 'call'>,
  { transactionReference }: { readonly transactionReference: string },
) => (await shop.call(contract.getTransaction, { params: { transactionReference } })).paymentStatus

/** Conflicts that need manual review, from the metrics. */
async function openConflicts(shop: TestGateway): Promise<number> {
  const { text } = await shop.send('GET', '/metrics')
  return Number(/^kobo_credit_conflicts\{state="OPEN"\} (\d+)$/m.exec(text)?.[1])
}

const journals = async ({ db }: TestGateway): Promise<bigint | undefined> =>
  (await db<{ count: bigint }[]>`select count(*) from journal`)[0]?.count

/** Runs a command next to the gateway; returns its output. */
async function printed(shop: TestGateway, ...args: readonly string[]) {
  const env = { DATABASE_URL: shop.databaseUrl, KOBO_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const { code, stdout, stderr } = await commandAt(testWall, env, 'credits', 'conflicts', ...args)
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}

test('two banks that use the same references are both accepted', async (t) => {
  const shop = await aShopWithAdapter(t)
  const atWema = await accountAt(shop, '035', 5_000)
  const atMoniepoint = await accountAt(shop, '50515', 70_000)
  assert.deepEqual(await sendCredit(shop, 'FT0001', atWema, 5_000), ACCEPTED)
  for (let time = 0; time < 2; time++)
    assert.deepEqual(await sendCredit(shop, 'FT0001', atMoniepoint, 70_000), ACCEPTED)
  assert.deepEqual([await statusOf(shop, atWema), await statusOf(shop, atMoniepoint)], ['PAID', 'PAID'])
  const [payable] = await shop.db<{ balance: bigint }[]>`select balance from ${BALANCES} account where code = 'payable'`
  assert.equal(payable?.balance, 7_500_000n - 7_500n - 105_000n)
  const { content } = await shop.call(contract.listEvents, { query: { reference: atMoniepoint.transactionReference } })
  assert.deepEqual(
    content.map(({ body }) => JSON.parse(body).eventData.paymentSourceInformation[0].sessionId),
    ['FT0001'],
    'the merchant gets the name that the bank uses',
  )
  assert.equal(await openConflicts(shop), 0)
  assert.deepEqual(await sendCredit(shop, 'FT0001', atMoniepoint, 7_000), CONFLICT)
  assert.equal((await printed(shop, 'list'))[0].before[0].amount, 70_000)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

for (const [who, open, amount] of [
  ['a payment', (shop) => accountAt(shop, '035', 5_000), 5_000],
  ['a reserved account', (shop) => reserveAccount(shop), 5_000],
  ['a wallet', topUpAccount, 5_000],
  ['a mandate', tokenAccount, 50],
] as const satisfies readonly (readonly [string, (shop: TestGateway, nth: number) => Promise<AccountNumber>, number])[])
  test(`for ${who}, other money under a used reference is a conflict: never accepted, posted nowhere, stored once`, async (t) => {
    const shop = await aShopWithAdapter(t)
    const first = await open(shop, 1)
    const second = await open(shop, 2)
    assert.equal(second.bankCode, first.bankCode)
    assert.deepEqual(await sendCredit(shop, 'FT0001', first, amount), ACCEPTED)
    const booked = await journals(shop)
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await sendCredit(shop, 'FT0001', second, 70_000), CONFLICT, 'another account')
      assert.deepEqual(await sendCredit(shop, 'FT0001', first, amount + 1), CONFLICT, 'another amount')
      assert.deepEqual(
        await sendCredit(shop, 'FT0001', first, amount),
        ACCEPTED,
        'a repeat stays a repeat, whatever is reported in between',
      )
    }
    assert.equal(await journals(shop), booked)
    assert.equal(await openConflicts(shop), 2)
    const listed: { amount: number; before: { accountNumber: string; amount: number }[] }[] = await printed(
      shop,
      'list',
    )
    assert.deepEqual(
      listed.map((one) => [one.amount, one.before.map((before) => [before.accountNumber, before.amount])]),
      [
        [70_000, [[first.accountNumber, amount]]],
        [amount + 1, [[first.accountNumber, amount]]],
      ],
    )
    assert.ok(isClean(await verifyLedger(shop.db)))
  })

test('a reference names one credit, whichever feature receives it', async (t) => {
  const shop = await aShopWithAdapter(t)
  const wallet = { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }
  const payment = await accountAt(shop, wallet.bankCode, 5_000)
  assert.deepEqual(await sendCredit(shop, 'FT0001', wallet, 5_000), ACCEPTED)
  assert.deepEqual(await sendCredit(shop, 'FT0001', payment, 5_000), CONFLICT)
  assert.equal(await statusOf(shop, payment), 'PENDING')
})

test('of parallel credits with one reference for many accounts, one is accepted and all others are conflicts', async (t) => {
  const shop = await aShopWithAdapter(t)
  const accounts = await Promise.all(Array.from({ length: 8 }, () => accountAt(shop, '035', 5_000)))
  const outcomes = await Promise.all(
    [...accounts, ...accounts].map(async (account) => ({
      account,
      outcome: await sendCredit(shop, 'FT0001', account, 5_000),
    })),
  )
  const stored = outcomes.filter(({ outcome }) => JSON.stringify(outcome) === JSON.stringify(ACCEPTED))
  assert.equal(new Set(stored.map(({ account }) => account)).size, 1)
  for (const { account, outcome } of outcomes)
    assert.deepEqual(outcome, account === stored[0]?.account ? ACCEPTED : CONFLICT)
  assert.equal(await openConflicts(shop), 7)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('an operator accepts a conflict as a separate credit, and a repeated notification gets that outcome', async (t) => {
  const shop = await aShopWithAdapter(t)
  const [first, second, late] = await Promise.all([5_000, 70_000, 900].map((amount) => accountAt(shop, '035', amount)))
  assert.ok(first !== undefined && second !== undefined && late !== undefined)
  await sendCredit(shop, 'FT0001', first, 5_000)
  await sendCredit(shop, 'FT0001', second, 70_000)
  await sendCredit(shop, 'FT0001', late, 900)
  await pay(shop, late, 900)
  const [toTake, tooLate] = await printed(shop, 'list')
  assert.equal((await printed(shop, 'take', toTake.id)).state, 'TAKING')
  await printed(shop, 'take', tooLate.id)
  await until('both were received', async () => (await printed(shop, 'list')).length === 0)

  assert.equal(await statusOf(shop, second), 'PAID')
  assert.deepEqual(await sendCredit(shop, 'FT0001', second, 70_000), ACCEPTED)
  assert.deepEqual(await sendCredit(shop, 'FT0001', late, 900), { kind: 'rejected', reason: 'ALREADY_PAID' })
  const { content } = await shop.call(contract.listEvents, { query: { reference: second.transactionReference } })
  assert.deepEqual(
    content.map(({ body }) => JSON.parse(body).eventData.paymentSourceInformation[0].sessionId),
    ['FT0001'],
    'the merchant gets the name that the bank uses',
  )
  const states = await shop.db<{ state: string }[]>`select state from credit_conflict order by id`
  assert.deepEqual(
    states.map(({ state }) => state),
    ['TAKEN', 'REFUSED'],
  )
  const audited = await shop.db`select from audit where act = 'credit-conflict.take' and reference = 'FT0001'`
  assert.equal(audited.count, 2)
  assert.equal(await openConflicts(shop), 0)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a dismissed conflict alerts no one and is never accepted', async (t) => {
  const shop = await aShopWithAdapter(t)
  const first = await accountAt(shop, '035', 5_000)
  await sendCredit(shop, 'FT0001', first, 5_000)
  await sendCredit(shop, 'FT0001', first, 50_000)
  const [{ id }] = await printed(shop, 'list')
  assert.equal((await printed(shop, 'dismiss', id, '--because', 'A slip of the bank')).state, 'DISMISSED')
  assert.deepEqual(await printed(shop, 'list'), [])
  assert.deepEqual(await sendCredit(shop, 'FT0001', first, 50_000), CONFLICT)
  assert.equal(await openConflicts(shop), 0)
  const [audited] = await shop.db<{ details: object }[]>`
    select details from audit where act = 'credit-conflict.dismiss'`
  assert.deepEqual(audited?.details, { id, reason: 'A slip of the bank' })
})

test('a payer’s BVN is stored with a conflict, and never in clear text', async (t) => {
  const shop = await aShopWithAdapter(t)
  const first = await reserveAccount(shop)
  const restricted = await reserveAccount(shop, {
    restrictPaymentSource: true,
    allowedPaymentSources: { bvns: [PAYER.bvn] },
  })
  await sendCredit(shop, 'FT0001', first, 5_000)
  await sendCredit(shop, 'FT0001', restricted, 7_000)
  const [row] = await shop.db<{ text: string }[]>`select to_jsonb(c)::text as text from credit_conflict c`
  for (const clear of [PAYER.bvn, Buffer.from(PAYER.bvn).toString('hex')])
    assert.ok(row?.text.includes(clear) === false)
  const [{ id }] = await printed(shop, 'list')
  await printed(shop, 'take', id)
  await until('it was received', async () => (await printed(shop, 'list')).length === 0)
  assert.deepEqual(await sendCredit(shop, 'FT0001', restricted, 7_000), ACCEPTED)
})

test('a credit of the previous version, which had no partners, is recognised', async (t) => {
  const shop = await aShopWithAdapter(t)
  const first = await accountAt(shop, '035', 5_000)
  const wallet = { bankCode: '50515', accountNumber: shop.credentials.walletAccountNumber }
  const token = await tokenAccount(shop)
  const all = [
    ['FT0001', first, 5_000],
    ['FT0002', wallet, 300],
    ['FT0003', token, 50],
  ] as const
  for (const [reference, account, amount] of all)
    assert.deepEqual(await sendCredit(shop, reference, account, amount), ACCEPTED)
  await shop.db`update payment set partner = ''`
  await shop.db`update top_up set partner = ''`
  await shop.db`update mandate_token set partner = ''`
  const booked = await journals(shop)
  for (const [reference, account, amount] of all) {
    assert.deepEqual(await sendCredit(shop, reference, account, amount), ACCEPTED)
    assert.deepEqual(await sendCredit(shop, reference, account, amount + 1), CONFLICT)
  }
  assert.equal(await journals(shop), booked)
})

test('payments of two merchants whose transactions have one id stay separate', async (t) => {
  const shop = await aShopWithAdapter(t)
  const other = await shop.anotherMerchant()
  const mine = await anAccount(shop, { amount: 5_000 })
  const theirs = await anAccount(other, { amount: 70_000 })
  const id = transactionIdOf(mine.transactionReference) ?? assert.fail('it has an id')
  const otherId = (await shop.core.directory.byApiKey(other.credentials.apiKey))?.id ?? assert.fail('it is known')
  await shop.db`update transaction set id = ${id} where merchant_id = ${otherId}`
  const arrival = (merchantId: bigint, account: AccountNumber, amount: number, railReference: string) => ({
    merchantId,
    transactionId: id,
    receipt: {
      partner: 'adapter',
      railReference,
      bankCode: account.bankCode,
      accountNumber: account.accountNumber,
      amount: naira(amount),
      payer: { name: null, accountNumber: null, bankCode: null, bvn: null },
      method: 'ACCOUNT_TRANSFER' as const,
      card: null,
    },
  })
  const outcomes = await unitOfWork(shop.core, (unit) =>
    receive(unit, [arrival(shop.merchantId, mine, 5_000, 'FT0001'), arrival(otherId, theirs, 70_000, 'FT0002')]),
  )
  assert.deepEqual(outcomes, [ACCEPTED, ACCEPTED])
  const paid = await shop.db<{ merchantId: bigint; status: string; amountPaid: bigint }[]>`
    select merchant_id, status, amount_paid from transaction where id = ${id} order by amount_paid`
  assert.deepEqual(
    [...paid],
    [
      { merchantId: shop.merchantId, status: 'PAID', amountPaid: 500_000n },
      { merchantId: otherId, status: 'PAID', amountPaid: 7_000_000n },
    ],
  )
})

test('a bank’s reference names one credit over all merchants, also one that belongs to no merchant', async (t) => {
  const shop = await aShopWithAdapter(t)
  const other = await shop.anotherMerchant()
  const [mine, theirs] = [await anAccount(shop, { amount: 5_000 }), await anAccount(other, { amount: 5_000 })]
  const unassigned = { bankCode: mine.bankCode, accountNumber: '9999999999' }
  assert.equal(theirs.bankCode, mine.bankCode)
  const notFound = { kind: 'rejected', reason: 'ACCOUNT_NOT_FOUND' }
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await sendCredit(shop, 'FT0001', unassigned, 5_000), notFound)
    assert.deepEqual(await sendCredit(shop, 'FT0001', mine, 5_000), CONFLICT, 'it was no merchant’s')
    assert.deepEqual(await sendCredit(shop, 'FT0002', mine, 5_000), ACCEPTED)
    assert.deepEqual(await sendCredit(shop, 'FT0002', theirs, 5_000), CONFLICT, 'it is another merchant’s')
    assert.deepEqual(await sendCredit(shop, 'FT0002', unassigned, 5_000), CONFLICT, 'it is a merchant’s')
  }
  assert.equal(await statusOf(shop, mine), 'PAID')
  assert.deepEqual(await paidIn(shop), [500_000n])
  assert.equal(await openConflicts(shop), 3)
  const listed: { before: { accountNumber: string; sentBackFor: string | null }[] }[] = await printed(shop, 'list')
  assert.deepEqual(
    listed.map(({ before }) => before.map(({ accountNumber, sentBackFor }) => [accountNumber, sentBackFor])),
    [[[unassigned.accountNumber, 'ACCOUNT_NOT_FOUND']], [[mine.accountNumber, null]], [[mine.accountNumber, null]]],
    'people see what the name was used for',
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

/** The amounts of all payments, of every merchant. */
const paidIn = async ({ db }: TestGateway): Promise<readonly bigint[]> =>
  (await db<{ amount: bigint }[]>`select amount from payment order by id`).map(({ amount }) => amount)

test('of parallel credits with one reference for accounts of two merchants and of none, one counts', async (t) => {
  const shop = await aShopWithAdapter(t)
  const other = await shop.anotherMerchant()
  const accounts: AccountNumber[] = [await anAccount(shop), await anAccount(other)]
  accounts.push({ bankCode: accounts[0]?.bankCode ?? '', accountNumber: '9999999999' }, await reserveAccount(shop))
  const outcomes = await Promise.all(
    [...accounts, ...accounts].map(async (account) => JSON.stringify(await sendCredit(shop, 'FT0001', account, 5_000))),
  )
  const counted = accounts.filter((_, index) => outcomes[index] !== JSON.stringify(CONFLICT))
  assert.equal(counted.length, 1)
  assert.equal(outcomes.filter((outcome) => outcome === JSON.stringify(CONFLICT)).length, 6)
  assert.equal(await openConflicts(shop), 3)
  assert.ok((await paidIn(shop)).length <= 1)
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a repeated notification is a repeat although its number has a new holder by now', async (t) => {
  const shop = await aShopWithAdapter(t)
  const other = await shop.anotherMerchant()
  const [first, second] = [await anAccount(shop, { amount: 5_000 }), await anAccount(other, { amount: 5_000 })]
  assert.deepEqual(await sendCredit(shop, 'FT0001', first, 5_000), ACCEPTED)
  assert.deepEqual(await sendCredit(shop, 'FT0002', first, 5_000), { kind: 'rejected', reason: 'ALREADY_PAID' })
  await reissue(shop, first, second)
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(await sendCredit(shop, 'FT0001', first, 5_000), ACCEPTED)
    assert.deepEqual(await sendCredit(shop, 'FT0002', first, 5_000), { kind: 'rejected', reason: 'ALREADY_PAID' })
    assert.deepEqual(await sendCredit(shop, 'FT0001', first, 700), CONFLICT)
  }
  assert.deepEqual(await paidIn(shop), [500_000n])
  assert.equal(await statusOf(other, second), 'PENDING')
  assert.ok(isClean(await verifyLedger(shop.db)))
})

test('a conflict that an operator accepts never goes to a later holder of its number, and keeps the partner’s cost', async (t) => {
  const shop = await aShopWithAdapter(t)
  const other = await shop.anotherMerchant()
  const [first, later] = [await accountAt(shop, '035', 5_000), await anAccount(other, { amount: 70_000 })]
  const [lent, stored] = [await accountAt(shop, '035', 70_000), await accountAt(shop, '035', 900)]
  const report = (account: AccountNumber, amount: number) =>
    reportSignedCredit(shop, {
      railReference: 'FT0001',
      bankCode: account.bankCode,
      accountNumber: account.accountNumber,
      amount: amount * 100,
      payer: PAYER,
      fee: 1_000,
    })
  assert.deepEqual(await report(first, 5_000), ACCEPTED)
  for (const [account, amount] of [[lent, 70_000] as const, [stored, 900] as const])
    assert.deepEqual(await report(account, amount), CONFLICT)
  await reissue(shop, lent, later)
  for (const { id } of await printed(shop, 'list')) await printed(shop, 'take', id)
  await until('both were received', async () => (await printed(shop, 'list')).length === 0)
  assert.equal(await statusOf(other, later), 'PENDING')
  assert.equal(await statusOf(shop, stored), 'PAID')
  assert.deepEqual(await report(lent, 70_000), { kind: 'held', reason: 'ACCOUNT_REASSIGNED' })
  const costs = await shop.db<{ fee: bigint }[]>`select fee from credit_cost`
  assert.deepEqual(
    costs.map(({ fee }) => fee),
    [1_000n, 1_000n, 1_000n],
  )
  assert.ok(isClean(await verifyLedger(shop.db)))
})

/** The bank assigns the number of the first account to the holder of the second. */
async function reissue({ db }: TestGateway, first: AccountNumber, second: AccountNumber): Promise<void> {
  const [held] = await db<{ merchantId: bigint; purpose: string; ownerId: bigint }[]>`
    delete from virtual_account where account_number = ${second.accountNumber} returning merchant_id, purpose, owner_id`
  assert.ok(held !== undefined)
  await db`
    update virtual_account set merchant_id = ${held.merchantId}, purpose = ${held.purpose}, owner_id = ${held.ownerId}
     where account_number = ${first.accountNumber}`
}
