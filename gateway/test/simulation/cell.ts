import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { isClean } from '../../src/core/money/ledger/index.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import type { BankEffect } from '../bookkeeper/check-books.ts'
import { assertBooks } from '../harness/checked-books.ts'
import { client, start } from '../harness/gateway.ts'
import { ownDatabase } from '../harness/postgres.ts'
import { RAILS_SECRET } from '../rails/adapter.ts'
import type { Act } from './collect.ts'
import type { Node } from './nodes.ts'
import { PARTNER } from './partners.ts'
import type { Cell } from './scene.ts'
import { newShop } from './shop.ts'
import { SPEND } from './spend.ts'

const FUNDS = 20_000_000

export async function openCell(t: TestContext, railsUrl: string, wall: Clock): Promise<Cell> {
  const { url: databaseUrl, drop } = await ownDatabase()
  const env = { KOBO_RAILS_URL: railsUrl, KOBO_RAILS_SECRET: RAILS_SECRET, KOBO_RATE_LIMIT: '0', KOBO_CELL_DIGITS: '7' }
  const running = await start({ databaseUrl, env, wall })
  t.after(async () => {
    await running.close()
    await drop()
  })
  const node: Node = {
    ...{ name: 'other installation’s', url: running.url, running, life: 1, aheadMilliseconds: 0, trouble: undefined },
    database: () => assert.fail('its database is always there'),
    crash: () => {},
    restart: async () => {},
  }
  const shop = await newShop(node)
  const merchant = await client(node.url, shop.credentials)
  await merchant.call(contract.changeSettings, { body: { otpEnabled: false, permissions: { bills: true } } })
  await merchant.call(contract.fundWallet, { body: { amount: FUNDS } })
  return { node, shop, db: running.core.db, databaseUrl }
}

const PAYOUTS = ['transfer', 'batch', 'vend'] as const

/** The other installation pays out at the same time. The partners must never mistake its orders for ours. */
const payElsewhere: Act = async (scene) => {
  const { node, shop } = scene.cell
  const act = SPEND[scene.dice.oneOf(PAYOUTS)]
  const there = { ...scene, nodes: { ...scene.nodes, all: [node, node] as const } }
  return `is not concerned: another installation ${await act(there, shop, node)}`
}

export const ELSEWHERE = { payElsewhere }

/** Whether the other installation has no open order. */
export async function isCellDone({ db }: Cell): Promise<boolean> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from rail_order where state <> 'CONCLUDED'`
  return row?.count === 0
}

const referencesIn = async (db: Db): Promise<ReadonlySet<string>> =>
  new Set((await db<{ reference: string }[]>`select reference from rail_order`).map(({ reference }) => base(reference)))

/** An order's reference without the number of the attempt. */
const base = (reference: string): string => reference.replace(/~\d+$/, '')

/**
 * Checks the other installation's ledger, and that it shares no reference with ours. Returns the effects that are ours.
 */
export async function withoutCell(cell: Cell, db: Db, effects: readonly BankEffect[]): Promise<readonly BankEffect[]> {
  const [theirs, ours] = [await referencesIn(cell.db), await referencesIn(db)]
  assert.deepEqual(
    [...theirs].filter((reference) => ours.has(reference)),
    [],
    'two installations never use the same reference at a partner',
  )
  const isTheirs = ({ reference }: BankEffect): boolean => theirs.has(base(reference))
  const verdict = await verifyLedger(cell.db)
  assert.ok(isClean(verdict), JSON.stringify(verdict))
  await assertBooks(cell.databaseUrl, { simulatedBanks: { partners: [PARTNER], effects: effects.filter(isTheirs) } })
  return effects.filter((one) => !isTheirs(one))
}
