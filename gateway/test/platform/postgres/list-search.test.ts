import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { firstIdAt } from '../../../src/kernel/ids.ts'
import { inTransaction } from '../../../src/platform/postgres/db.ts'
import { listing, SEARCH_BOUNDS, searchBack } from '../../../src/platform/postgres/list-search.ts'
import { column, table } from '../../../src/platform/postgres/table.ts'
import { aShop } from '../../harness/gateway.ts'

const audits = table('audit', ['merchantId', 'id'], {
  merchantId: column<bigint>(),
  id: column<bigint>(),
  act: column<string>(),
  actor: column<string>(),
  details: column<object>(),
  at: column<Date>(),
})

test('a search for something rare reports how far back it went, and continues from there', async () => {
  const shop = await aShop()
  const merchantId = 7_000_001n
  const minute = (n: number): Date => new Date(Date.UTC(2026, 2, 1, 10, n))
  const rows = Array.from({ length: 30 }, (_, n) => ({
    merchantId,
    id: firstIdAt(minute(n)),
    act: n === 3 ? 'rare' : 'common',
    actor: 'gateway',
    details: {},
    at: minute(n),
  }))
  await inTransaction(shop.db, async (tx) => audits.insert(tx, rows))
  const searched = { idFormat: 'standard', method: 'act' } as const
  const [stepMillisecondsMax, milliseconds] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const list = listing(audits, searched, { stepRows: 5, stepsMax: 2, stepMillisecondsMax, milliseconds })

  const first = await list(shop.db, merchantId, { method: 'rare' }, { size: 5 })
  assert.deepEqual([first.rows.length, first.searchedBackTo], [0, minute(20)])
  const second = await list(shop.db, merchantId, { method: 'rare' }, { size: 5, before: first.next })
  assert.deepEqual([second.rows.length, second.searchedBackTo], [0, minute(10)])
  const third = await list(shop.db, merchantId, { method: 'rare' }, { size: 5, before: second.next })
  assert.deepEqual([third.rows.map(({ at }) => at), third.next === undefined], [[minute(3)], false])
  const last = await list(shop.db, merchantId, { method: 'rare' }, { size: 5, before: third.next })
  assert.deepEqual([[...last.rows], last.next, last.searchedBackTo], [[], undefined, undefined])

  // A search without time left takes one step; a page is filled from as many steps as it needs.
  const hurried = listing(audits, searched, { stepRows: 5, stepsMax: 2, stepMillisecondsMax, milliseconds: 0 })
  const hurriedPage = await hurried(shop.db, merchantId, { method: 'rare' }, { size: 5 })
  assert.deepEqual([hurriedPage.rows.length, hurriedPage.searchedBackTo], [0, minute(25)])
  const overSteps = await list(shop.db, merchantId, {}, { size: 7 })
  assert.deepEqual(
    [overSteps.rows.map(({ at }) => at), overSteps.next, overSteps.searchedBackTo],
    [[29, 28, 27, 26, 25, 24, 23].map(minute), firstIdAt(minute(23)), undefined],
  )

  const common = await list(shop.db, merchantId, { from: minute(4), to: minute(8) }, { size: 3 })
  assert.deepEqual(
    common.rows.map(({ at }) => at),
    [minute(8), minute(7), minute(6)],
  )
  const rest = await list(shop.db, merchantId, { from: minute(4), to: minute(8) }, { size: 3, before: common.next })
  assert.deepEqual([rest.rows.map(({ at }) => at), rest.next], [[minute(5), minute(4)], undefined])

  const oldest = { size: 5, isOldestFirst: true }
  const upwards = await list(shop.db, merchantId, { from: minute(4), to: minute(8) }, { ...oldest, size: 3 })
  assert.deepEqual(
    upwards.rows.map(({ at }) => at),
    [minute(4), minute(5), minute(6)],
  )
  const end = await list(shop.db, merchantId, { from: minute(4), to: minute(8) }, { ...oldest, before: upwards.next })
  assert.deepEqual([end.rows.map(({ at }) => at), end.next], [[minute(7), minute(8)], undefined])
  const early = await hurried(shop.db, merchantId, { method: 'absent' }, oldest)
  assert.deepEqual([early.rows.length, early.searchedBackTo], [0, minute(4)])
})

test('a customer with very many records is found by email address without a search', async () => {
  const shop = await aShop()
  const merchantId = 7_000_002n
  const second = (n: number): Date => new Date(Date.UTC(2026, 2, 1, 10, 0, n))
  const rows = Array.from({ length: 60 }, (_, n) => ({
    merchantId,
    id: firstIdAt(second(n)),
    act: 'Walk-in customer',
    actor: n % 20 === 0 ? 'ada@example.com' : 'Shop@example.com',
    details: {},
    at: second(n),
  }))
  await inTransaction(shop.db, async (tx) => audits.insert(tx, rows))
  const searched = { idFormat: 'standard', customer: { email: 'actor', name: 'act' }, isPerCustomer: true } as const
  const list = listing(audits, searched, { ...SEARCH_BOUNDS, stepRows: 5, stepsMax: 2 })
  const customer = 'shop@example.com'

  const { rows: found, next, searchedBackTo } = await list(shop.db, merchantId, { customer }, { size: 5 })
  assert.deepEqual([found.map(({ at }) => at), next, searchedBackTo], [[second(59)], undefined, undefined])
  const older = await list(shop.db, merchantId, { customer }, { size: 5, before: firstIdAt(second(59)) })
  assert.deepEqual([older.rows, older.next], [[], undefined])
})

test('a search starts with a small step, and takes smaller ones if rows come slowly', async () => {
  const steps: number[] = []
  const bounds = { ...SEARCH_BOUNDS, stepsMax: 3, milliseconds: Number.POSITIVE_INFINITY }
  await searchBack(1_000n, 1, bounds, async (before, _wanted, stepRows) => {
    steps.push(stepRows)
    await pause(70) // more than twice as long as a step should take
    return { rows: [], lookedTo: before - 1n }
  })
  const [first = 0, second = 0, third = 0] = steps
  assert.ok(first <= 250 && second <= first / 2 && third <= second, `steps of ${steps} rows`)
})
