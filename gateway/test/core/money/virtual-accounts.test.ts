import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  accountKey,
  accountsOf,
  findAccounts,
  openVirtualAccounts,
  type VirtualAccount,
  type VirtualAccounts,
} from '../../../src/core/money/virtual-accounts/index.ts'
import { secondsAfter } from '../../../src/kernel/clock.ts'
import { isNuban } from '../../../src/kernel/nuban.ts'
import { type Db, inTransaction, openDatabase } from '../../../src/platform/db.ts'
import { asOwner, ownDatabase } from '../../harness/postgres.ts'

const NOW = new Date('2026-03-01T09:30:00Z')
const DAY_SECONDS = 86_400
const MERCHANT = 1n

/** A database of the test's own with a merchant, and as many connections as told. */
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

let owners = 0n
const wish = (changes: Partial<VirtualAccount> = {}): Omit<VirtualAccount, 'accountNumber'> => ({
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
  wishes: readonly ReturnType<typeof wish>[],
): Promise<readonly VirtualAccount[]> => inTransaction(db, (tx) => accounts.open(tx, wishes))

/** Makes the next process get this block of serials. */
const rewind = ({ url }: Db, block: bigint) => asOwner(url, `select setval('virtual_account_block', ${block}, false)`)

test('every number is valid at its bank, and each wish gets its own account in its own place', async (t) => {
  const db = await database(t)
  const wishes = Array.from({ length: 250 }, (_, i) => wish({ bankCode: ['035', '232', '50515'][i % 3] ?? '' }))
  const opened = await openIn(db, openVirtualAccounts(), wishes)
  assert.deepEqual(
    opened.map(({ accountNumber: _, ...account }) => account),
    wishes,
  )
  for (const { bankCode, accountNumber } of opened) assert.ok(isNuban(bankCode, accountNumber), accountNumber)
  assert.equal(new Set(opened.map(({ accountNumber }) => accountNumber.slice(0, 9))).size, 250)
  const found = await findAccounts(db, opened)
  assert.deepEqual(
    opened.map((account) => found.get(accountKey(account))),
    opened,
  )
})

test('no number is given twice by two processes that open accounts at the same time', async (t) => {
  const db = await database(t)
  const processes = [openVirtualAccounts(), openVirtualAccounts()]
  const sets = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      openIn(
        db,
        processes[i % 2] as VirtualAccounts,
        Array.from({ length: 37 }, () => wish()),
      ),
    ),
  )
  assert.equal(new Set(sets.flat().map(accountKey)).size, 20 * 37)
})

test('opening an account needs no second connection, so a busy pool cannot lock itself up', async (t) => {
  const db = await database(t, 1)
  const accounts = openVirtualAccounts()
  assert.equal((await Promise.all([openIn(db, accounts, [wish()]), openIn(db, accounts, [wish()])])).flat().length, 2)
})

test('a number that is taken is skipped, and whoever holds it keeps it', async (t) => {
  const db = await database(t)
  await rewind(db, 5n)
  const held = await openIn(db, openVirtualAccounts(), [wish(), wish({ closesAt: null })])
  await rewind(db, 5n)
  const opened = await openIn(db, openVirtualAccounts(), [wish(), wish(), wish()])
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
  ['open without end', null, false],
] as const) {
  test(`a number that is ${what} is ${reused ? 'given to someone else' : 'not given to anyone else'}`, async (t) => {
    const db = await database(t)
    await rewind(db, 7n)
    const [old] = await openIn(db, openVirtualAccounts(), [
      wish({ openedAt: secondsAfter(NOW, -400 * DAY_SECONDS), closesAt }),
    ])
    await rewind(db, 7n)
    const [fresh] = await openIn(db, openVirtualAccounts(), [wish()])
    assert.ok(old !== undefined && fresh !== undefined)
    assert.equal(fresh.accountNumber === old.accountNumber, reused)
    const holder = (await findAccounts(db, [old])).get(accountKey(old))
    assert.deepEqual(holder, reused ? fresh : old)
    assert.equal((await accountsOf(db, 'transaction', [old])).length, reused ? 0 : 1)
  })
}

test('numbers of a transaction that is undone are not lost to the next, nor given twice', async (t) => {
  const db = await database(t)
  const accounts = openVirtualAccounts()
  await assert.rejects(
    inTransaction(db, async (tx) => {
      await accounts.open(tx, [wish()])
      throw new Error('undone')
    }),
    /undone/,
  )
  const opened = await openIn(db, accounts, [wish(), wish()])
  assert.equal(new Set(opened.map(accountKey)).size, 2)
})

test('one owner has one account per bank: the database refuses a second', async (t) => {
  const db = await database(t)
  const accounts = openVirtualAccounts()
  const first = wish()
  await openIn(db, accounts, [first])
  await assert.rejects(openIn(db, accounts, [first]), /virtual_account_owner/)
})
