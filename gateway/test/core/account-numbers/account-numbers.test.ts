import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type AccountSource,
  accountKey,
  accountSources,
  accountsOf,
  findAccounts,
  openVirtualAccounts,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../../src/core/account-numbers/index.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { Refusal } from '../../../src/kernel/errors.ts'
import { isNuban } from '../../../src/kernel/nuban.ts'
import { type Db, inTransaction, openDatabase } from '../../../src/platform/postgres/db.ts'
import { asOwner, ownDatabase } from '../../harness/postgres.ts'

const NOW = new Date('2026-03-01T09:30:00Z')
const DAY_SECONDS = 86_400
const MERCHANT = 1n

/** A database of the test's own with a merchant and the given number of connections. */
async function database(t: TestContext, connectionsMax = 8): Promise<Db> {
  const { url, drop } = await ownDatabase()
  const db = openDatabase(url, connectionsMax)
  t.after(async () => {
    await db.end()
    await drop()
  })
  await db`
    insert into merchant (id, code, name, email, api_key, wallet_account_number, ip_whitelist, permissions, created_at)
    values (${MERCHANT}, 'ABCDEFGHIJKL', 'Shop', 'shop@example.com', 'MK_TEST_ABCDEFGHIJ', '0000014579', '{}', '{}', ${NOW})`
  return db
}

const source = (changes: Partial<AccountSource> = {}): AccountSource => ({
  code: 'wema',
  partner: 'simulated',
  bankCode: '035',
  kind: 'prefix',
  prefix: '',
  checkDigit: 'nuban',
  restDays: 90,
  settlementAccount: null,
  forWallets: false,
  place: 0,
  createdAt: NOW,
  disabledAt: null,
  ...changes,
})

/** A process that opens accounts at these sources, or at three banks whose numbers are all assigned by Kobo. */
const openAccounts = (...sources: readonly AccountSource[]): VirtualAccounts => {
  const given = sources.length > 0 ? sources : ['035', '232', '50515'].map((bankCode) => source({ bankCode }))
  return openVirtualAccounts(() => accountSources(given), NOBODY_ISSUES)
}

const NOBODY_ISSUES = { obtain: () => assert.fail('no bank is called for a number') }

let owners = 0n
const request = (changes: Partial<VirtualAccount> = {}): Omit<VirtualAccount, 'accountNumber' | 'partner'> => ({
  bankCode: '035',
  merchantId: MERCHANT,
  purpose: 'transaction',
  ownerId: ++owners,
  accountName: 'Shop-Shoes',
  openedAt: NOW,
  closesAt: secondsAfter(NOW, 2_400),
  ...changes,
})

const openIn = (
  db: Db,
  accounts: VirtualAccounts,
  requests: readonly ReturnType<typeof request>[],
): Promise<readonly VirtualAccount[]> => inTransaction(db, (tx) => accounts.openAll(tx, requests))

/** Makes the next process get this block of serials. */
const rewind = ({ url }: Db, block: bigint) => asOwner(url, `select setval('virtual_account_block', ${block}, false)`)

test('every number is valid at its bank, and accounts are returned in the order of the requests', async (t) => {
  const db = await database(t)
  const requests = Array.from({ length: 250 }, (_, i) => request({ bankCode: ['035', '232', '50515'][i % 3] ?? '' }))
  const opened = await openIn(db, openAccounts(), requests)
  assert.deepEqual(
    opened.map(({ accountNumber: _, ...account }) => account),
    requests.map((one) => ({ ...one, partner: 'simulated' })),
  )
  for (const { bankCode, accountNumber } of opened) assert.ok(isNuban(bankCode, accountNumber), accountNumber)
  assert.equal(new Set(opened.map(({ accountNumber }) => accountNumber.slice(0, 9))).size, 250)
  const found = await findAccounts(db, opened)
  assert.deepEqual(
    opened.map((account) => found.get(accountKey(account))),
    opened.map((account) => ({ ...account, isReassigned: false })),
  )
})

test('two processes that open accounts at the same time never assign the same number', async (t) => {
  const db = await database(t)
  const processes = [openAccounts(), openAccounts()]
  const sets = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      openIn(
        db,
        processes[i % 2] as VirtualAccounts,
        Array.from({ length: 37 }, () => request()),
      ),
    ),
  )
  assert.equal(new Set(sets.flat().map(accountKey)).size, 20 * 37)
})

test('opening an account needs no second connection, so a busy pool cannot deadlock', async (t) => {
  const db = await database(t, 1)
  const accounts = openAccounts()
  assert.equal(
    (await Promise.all([openIn(db, accounts, [request()]), openIn(db, accounts, [request()])])).flat().length,
    2,
  )
})

test('a number that is taken is skipped and stays with its owner', async (t) => {
  const db = await database(t)
  await rewind(db, 5n)
  const held = await openIn(db, openAccounts(), [request(), request({ closesAt: null })])
  await rewind(db, 5n)
  const opened = await openIn(db, openAccounts(), [request(), request(), request()])
  assert.equal(new Set([...held, ...opened].map(accountKey)).size, 5)
  assert.deepEqual(
    [...(await findAccounts(db, held)).values()].map(({ ownerId }) => ownerId).sort(),
    held.map(({ ownerId }) => ownerId).sort(),
  )
})

for (const [what, closesAt, reused] of [
  ['closed yesterday', secondsAfter(NOW, -DAY_SECONDS), false],
  ['closed 90 days ago to the second', secondsAfter(NOW, -90 * DAY_SECONDS), false],
  ['closed more than 90 days ago', secondsAfter(NOW, -90 * DAY_SECONDS - 1), true],
  ['open without an expiry', null, false],
] as const) {
  test(`a number that is ${what} is ${reused ? 'given to someone else' : 'not given to anyone else'}`, async (t) => {
    const db = await database(t)
    await rewind(db, 7n)
    const [old] = await openIn(db, openAccounts(), [
      request({ openedAt: secondsAfter(NOW, -400 * DAY_SECONDS), closesAt }),
    ])
    await rewind(db, 7n)
    const [fresh] = await openIn(db, openAccounts(), [request()])
    assert.ok(old !== undefined && fresh !== undefined)
    assert.equal(fresh.accountNumber === old.accountNumber, reused)
    const holder = (await findAccounts(db, [old])).get(accountKey(old))
    assert.deepEqual(holder, { ...(reused ? fresh : old), isReassigned: false })
    assert.equal((await accountsOf(db, 'transaction', [old])).length, reused ? 0 : 1)
  })
}

test('numbers of a rolled-back transaction are neither lost nor assigned twice', async (t) => {
  const db = await database(t)
  const accounts = openAccounts()
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await accounts.openAll(tx, [request()])
      throw new Error('undone')
    }),
    /undone/,
  )
  const opened = await openIn(db, accounts, [request(), request()])
  assert.equal(new Set(opened.map(accountKey)).size, 2)
})

test('one owner has one account per bank: the database rejects a second', async (t) => {
  const db = await database(t)
  const accounts = openAccounts()
  const first = request()
  await openIn(db, accounts, [first])
  await assert.rejects(openIn(db, accounts, [first]), /virtual_account_owner/)
})

test('every number under a prefix starts with it and ends with the agreed check digit', async (t) => {
  const db = await database(t)
  const accounts = openAccounts(
    source({ prefix: '99417' }),
    source({ code: 'sterling', bankCode: '232', prefix: '7', checkDigit: 'none' }),
  )
  const opened = await openIn(db, accounts, [
    ...Array.from({ length: 150 }, () => request()),
    ...Array.from({ length: 150 }, () => request({ bankCode: '232' })),
  ])
  const [wema, sterling] = [opened.slice(0, 150), opened.slice(150)]
  for (const { accountNumber } of wema) assert.ok(/^99417\d{5}$/.test(accountNumber) && isNuban('035', accountNumber))
  for (const { accountNumber } of sterling) assert.match(accountNumber, /^7\d{9}$/)
  assert.ok(
    sterling.some(({ accountNumber }) => !isNuban('232', accountNumber)),
    'no check digit is invented',
  )
  assert.equal(new Set(opened.map(accountKey)).size, 300)
})

test('a prefix is used up to its last number; then the bank’s next prefix is used, or new accounts are rejected', async (t) => {
  const db = await database(t)
  const small = source({ prefix: '12345678' })
  const requests = Array.from({ length: 12 }, () => request())
  const results = await inTransaction(db, (tx) => openAccounts(small).open(tx, requests))
  const rejected = results.filter((one) => one instanceof Refusal)
  assert.equal(results.length - rejected.length, 10, 'all ten numbers under it are assigned')
  assert.deepEqual(
    new Set(rejected.map(({ code, status }) => `${status} ${code}`)),
    new Set(['503 ACCOUNT_NUMBERS_USED_UP']),
  )
  await assert.rejects(openIn(db, openAccounts(small), [request()]), { code: 'ACCOUNT_NUMBERS_USED_UP' })
  const [next] = await openIn(db, openAccounts(small, source({ code: 'wema-2', prefix: '12345679' })), [request()])
  assert.match(next?.accountNumber ?? '', /^12345679/)
})

test('released numbers of each source are quarantined for the agreed time', async (t) => {
  const db = await database(t)
  const brief = source({ prefix: '12345678', restDays: 1 })
  const old = { openedAt: secondsAfter(NOW, -10 * DAY_SECONDS) }
  const closed = (days: number) => request({ ...old, closesAt: secondsAfter(NOW, -days * DAY_SECONDS) })
  await openIn(db, openAccounts(brief), [...Array.from({ length: 9 }, () => closed(0.5)), closed(1.5)])
  const results = await inTransaction(db, (tx) => openAccounts(brief).open(tx, [request(), request()]))
  assert.deepEqual(
    results.map((one) => one instanceof Refusal),
    [false, true],
  )
})

test('no account is opened at a bank without a source', async (t) => {
  const db = await database(t)
  const none = openVirtualAccounts(() => accountSources([source({ disabledAt: NOW })]), NOBODY_ISSUES)
  await assert.rejects(openIn(db, none, [request()]), { code: 'NO_ACCOUNT_NUMBERS' })
  assert.throws(none.firstBank, { code: 'NO_ACCOUNT_NUMBERS' })
})
