import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { BALANCES, isClean } from '../../src/core/money/ledger/index.ts'
import { unitOfWork } from '../../src/core/unit-of-work.ts'
import { decideDispute } from '../../src/features/disputes/index.ts'
import { HOUSE } from '../../src/kernel/house.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { names } from '../../src/platform/postgres/sql.ts'
import { assertBooks } from '../harness/checked-books.ts'
import { until } from '../harness/until.ts'
import { isCellDone, withoutCell } from './cell.ts'
import { payOut } from './operators.ts'
import { PARTNER } from './partners.ts'
import { advance, ofSeed, type Played, type Stage, seedFailure } from './play.ts'
import { type Scene, type SimulatedShop, send } from './scene.ts'

/** Long enough for every event to be delivered and every card payment to be settled, over any holidays. */
const IN_THE_END_SECONDS = 14 * 86_400
/** How many rounds of waiting last that long. */
const LONG_ROUNDS = 3
/** Longer than any pause of an unresponsive partner or endpoint, in real time. */
const REST_SECONDS = 301
/** On a slow machine few rounds fit into the wait. So every tenth lasts a day, for work that is due the next day. */
const ROUNDS_PER_DAY = 10
const DAY_ROUNDS_UNTIL = 60

/** Completes everything that the seeds have started, and compares our ledger with the books of banks and partners. */
export async function completeAndCompare(stage: Stage, played: readonly Played[]): Promise<void> {
  await finish(stage, played)
  const { nodes, partners, bank } = stage
  const effects = await withoutCell(stage.cell, nodes.db, await partners.effects())
  const moved = new Map(effects.flatMap((one) => (one.outcome === 'paid' ? [[one.reference, one.amount ?? 0n]] : [])))
  for (const one of played)
    await ofSeed(one, async () => {
      for (const shop of one.scene.shops) await compare(stage, shop, moved)
    })
  try {
    await nothingDoubled(stage, moved)
    await allIsBack(stage, [HOUSE, ...played.flatMap(({ scene }) => scene.shops.map(({ id }) => id))], moved)
    const verdict = await verifyLedger(nodes.db)
    assert.ok(isClean(verdict), JSON.stringify(verdict))
    await assertBooks(nodes.databaseUrl, { simulatedBanks: { partners: [PARTNER], effects, credits: bank.arrived() } })
  } catch (error) {
    throw seedFailure(played[0]?.seed ?? 0, [], error, played.length)
  }
}

/**
 * All partners and webhook endpoints are healthy again: requests without a response are retried, and time passes until
 * nothing is open.
 */
async function finish(stage: Stage, played: readonly Played[]): Promise<void> {
  const { nodes, partners, bank, events } = stage
  const [node] = nodes.all
  await stage.ledgerCheck
  await nodes.restartAll()
  await partners.behave()
  events.respond = () => 200
  const closed: { readonly scene: Scene; readonly shop: SimulatedShop }[] = []
  for (const { scene, ...one } of played)
    await ofSeed(one, async () => {
      for (const again of scene.unanswered) await again()
      // A shop whose settlement account reverses every payout gets another account.
      const body = { settlementAccount: { bankCode: '058', accountNumber: '0123456789' } }
      for (const shop of scene.shops) {
        await send(scene, shop, node, contract.changeSettings, { body })
        await endDisputes(stage, shop)
        // A closed merchant may still receive money.
        if (shop.isClosed) closed.push({ scene, shop })
      }
    })
  await bank.repeatUnanswered(node)
  const shops = played.flatMap(({ scene }) => scene.shops)
  const ids = [HOUSE, ...shops.map(({ id }) => id)].map(String)
  let rounds = 0
  let open = ''
  await until('all work is completed', async () => {
    // On a fast machine there are many rounds: they must not outlast the retention of event texts.
    const isDay = rounds % ROUNDS_PER_DAY === 0 && rounds <= DAY_ROUNDS_UNTIL
    const seconds = rounds < LONG_ROUNDS ? IN_THE_END_SECONDS : isDay ? 86_400 : REST_SECONDS
    rounds++
    for (const { scene } of played.slice(-1)) await advance(scene, seconds)
    for (const { scene, shop } of closed) await payOut(scene, shop, node)
    const [left] = await nodes.db<Readonly<Record<string, number>>[]>`
      select (select count(*) from rail_order where merchant_id = any(${ids}::bigint[]) and state <> 'CONCLUDED')::integer as orders,
             (select count(*) from event where merchant_id = any(${ids}::bigint[]) and status in ('PENDING', 'WAITING', 'PAUSED'))::integer as events,
             (select count(*) from transaction where merchant_id = any(${ids}::bigint[]) and settles_at is not null)::integer as settlements`
    nodes.wall.moveOn(REST_SECONDS)
    for (const { tokens } of [...shops, stage.keeper, stage.cell.shop]) tokens.clear()
    for (const db of [nodes.db, stage.cell.db]) await queryAgain(db)
    const isCellOpen = !(await isCellDone(stage.cell))
    const [order] = await nodes.db<{ row: string }[]>`
      select to_jsonb(o)::text as row from rail_order o where merchant_id = any(${ids}::bigint[]) and state <> 'CONCLUDED' limit 1`
    open = JSON.stringify({ ...left, isCellOpen, order: order?.row })
    return Object.values(left ?? {}).every((count) => count === 0) && !isCellOpen
  }).catch((error: Error) => assert.fail(`${error.message}; still open: ${open}`))
}

/** An operator queries unresolved orders again. */
const queryAgain = (db: Db): Promise<unknown> => db`
  update rail_order
     set state = case when concluded_at is null then 'SENT' else 'WATCHED' end, tries = tries + 1, unknown_answers = 0, due_at = created_at
   where state = 'UNRESOLVED'`

/** The partners decide the disputes that are still open, also those of closed merchants, who cannot log in. */
async function endDisputes({ nodes }: Stage, { id: merchantId }: SimulatedShop): Promise<void> {
  const open = await nodes.db<{ id: bigint }[]>`
    select id from dispute where merchant_id = ${merchantId} and ended_at is null order by id`
  for (const [nth, { id }] of open.entries())
    await unitOfWork(nodes.all[0].running.core, (unit) =>
      decideDispute(unit, { merchantId, id }, nth % 2 === 0 ? 'LOST' : 'WON', null),
    )
}

/** The clearing account of each method of payment. */
const COLLECTED: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'clearing/bank-transfer',
  CARD: 'clearing/card',
  DIRECT_DEBIT: 'clearing/direct-debit',
}

/** The clearing account of each kind of order, with the sign of its moves. */
const CLEARING: Readonly<Record<string, readonly [account: string, sign: bigint]>> = {
  transfer: ['clearing/transfers', 1n],
  'settlement-payout': ['clearing/transfers', 1n],
  'card-charge': ['clearing/card', -1n],
  'card-reversal': ['clearing/card', 1n],
  debit: ['clearing/direct-debit', -1n],
  vend: ['clearing/bills', 1n],
  return: ['clearing/adapter', 1n],
}

interface Ordered {
  readonly purpose: string
  readonly reference: string
  readonly slot: string
  readonly partner: string | null
  readonly amount: bigint
  readonly held: bigint
}

async function compare(
  { nodes: { db }, bank, events }: Stage,
  shop: SimulatedShop,
  moved: ReadonlyMap<string, bigint>,
) {
  // Kobo itself returns credits for closed merchants, and those from a time when the holder of their number is unknown.
  const owned = await db<{ railReference: string }[]>`
    select rail_reference from credit_return where merchant_id = ${shop.id}`
  const isOwn = new Set(owned.map(({ railReference }) => railReference))
  const held = bank
    .held(shop.id)
    .filter(({ railReference }) => isOwn.has(railReference))
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const [charges] = await db<{ charged: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as charged from merchant_charge where merchant_id = ${shop.id}`
  const expected = new Map<string, bigint>([
    ['clearing/bank-transfer', -bank.acceptedTotal(shop.id)],
    ['clearing/adapter', (charges?.charged ?? 0n) - held],
  ])
  const add = (account: string, amount: bigint): void =>
    void expected.set(account, (expected.get(account) ?? 0n) + amount)
  const ordered = await db<Ordered[]>`
    select purpose, reference, slot, partner, amount, held from rail_order where merchant_id = ${shop.id}`
  for (const { purpose, reference, slot, partner, amount, held } of ordered) {
    const theirs = moved.get(reference)
    if (theirs === undefined) continue
    assert.equal(theirs, amount, `${purpose} ${reference} moved the ordered amount`)
    const refunded = slot === 'card' ? 'clearing/card' : 'clearing/bank-transfer'
    const [account, sign] = CLEARING[purpose] ?? [refunded, 1n]
    // Returns are posted at the partner that reported the credit; other orders at the partner that executed them.
    const at = purpose === 'return' || partner === null || partner === 'adapter' ? account : `${account}/${partner}`
    add(at, sign * (purpose === 'vend' ? held : amount))
  }
  const lost = await db<{ method: string; amount: bigint }[]>`
    select method, amount from dispute where merchant_id = ${shop.id} and status in ('LOST', 'ACCEPTED') and method <> 'CASH'`
  for (const { method, amount } of lost) add(COLLECTED[method] ?? '', amount)
  const balances = await db<{ code: string; balance: bigint }[]>`
    select code, balance from ${BALANCES} account
     where merchant_id = ${shop.id} and code like 'clearing/%' and code not in ('clearing/funding', 'clearing/cash')`
  assert.deepEqual(
    Object.fromEntries(balances.filter(({ balance }) => balance !== 0n).map(({ code, balance }) => [code, balance])),
    Object.fromEntries([...expected].filter(([, balance]) => balance !== 0n)),
    `merchant ${shop.id}: our ledger matches the partners’ books`,
  )
  await nothingLost(db, shop)
  await allIsOver(db, shop)
  await allEventsArrived(db, shop, events.received)
}

/** The column with the merchant's own reference in each table. */
const REFERENCE = {
  transaction: 'payment_reference',
  transfer: 'reference',
  transfer_batch: 'batch_reference',
  refund: 'refund_reference',
  bill_vend: 'reference',
  paycode: 'paycode_reference',
  mandate: 'mandate_reference',
  debit: 'payment_reference',
} as const

async function nothingLost(db: Db, { id, acknowledged }: SimulatedShop): Promise<void> {
  for (const [table, all] of Map.groupBy(acknowledged, (one) => one.table)) {
    const found = await db<{ reference: string }[]>`
      select ${names(REFERENCE[table])} as reference from ${names(table)} where merchant_id = ${id}`
    const known = new Set(found.map(({ reference }) => reference))
    assert.deepEqual(
      all.filter(({ reference }) => !known.has(reference)),
      [],
      `merchant ${id}: everything acknowledged is stored`,
    )
    const references = all.map(({ reference }) => reference)
    assert.equal(
      new Set(references).size,
      references.length,
      `merchant ${id}: each was acknowledged once: ${references}`,
    )
  }
}

/**
 * Checks that nothing is open. Events may be given up, because an endpoint that often fails may fail at every attempt.
 */
async function allIsOver(db: Db, { id, isClosed }: SimulatedShop): Promise<void> {
  const open = await db`
    select 'in flight' as what, code as of from ${BALANCES} account where merchant_id = ${id} and code like 'in-flight/%' and balance <> 0
    union all
    select 'payable', code from ${BALANCES} account where merchant_id = ${id} and code like 'payable%' and balance <> 0
    union all
    select 'left with a closed merchant', code from ${BALANCES} account
     where merchant_id = ${id} and code like 'wallet/%' and balance <> 0 and ${isClosed}
    union all
    select 'to be settled', transaction_reference from transaction where merchant_id = ${id} and settles_at is not null
    union all
    select 'an event', event_type from event
     where merchant_id = ${id} and status <> 'DELIVERED'
       and not (status = 'GIVEN_UP' and attempts >= ${contract.EVENT_ATTEMPTS_MAX})`
  assert.deepEqual([...open], [], `merchant ${id}: nothing is open`)
}

async function allEventsArrived(
  db: Db,
  { id }: SimulatedShop,
  received: readonly { readonly body: string }[],
): Promise<void> {
  const receivedTexts = new Set(received.map(({ body }) => body))
  const events = await db<{ body: string }[]>`
    select body from event where merchant_id = ${id} and status <> 'GIVEN_UP'`
  assert.deepEqual(
    events.filter(({ body }) => !receivedTexts.has(body)),
    [],
    `merchant ${id}: its own server has every event`,
  )
}

/** Checks that we know every order that a partner has executed, under its last reference. */
async function nothingDoubled({ nodes: { db }, partners }: Stage, moved: ReadonlyMap<string, bigint>): Promise<void> {
  assert.deepEqual(partners.contradictions, [], 'a reference means one thing')
  const known = await db<{ reference: string }[]>`select reference from rail_order`
  const ours = new Set(known.map(({ reference }) => reference))
  assert.deepEqual(
    [...moved.keys()].filter((reference) => !ours.has(reference)),
    [],
    'partners have run nothing but our orders',
  )
}

interface Returned {
  readonly railReference: string
  readonly amount: bigint
  readonly state: string
  readonly orders: readonly string[]
}

/**
 * Checks by the partners’ own books that each rejected credit was returned to its payer once, or needs manual review
 * and was never returned.
 */
async function allIsBack(
  { nodes: { db }, bank }: Stage,
  merchants: readonly bigint[],
  moved: ReadonlyMap<string, bigint>,
): Promise<void> {
  const rows = await db<Returned[]>`
    select r.rail_reference, r.amount, r.state,
           array(select o.reference from rail_order o
                  where o.merchant_id = r.merchant_id and o.subject_id = r.id and o.purpose = 'return') as orders
      from credit_return r where r.merchant_id = any(${merchants.map(String)}::bigint[])`
  const known = new Map(rows.map((row) => [row.railReference, row]))
  for (const merchantId of merchants) {
    for (const { railReference, amount } of bank.held(merchantId)) {
      const row = known.get(railReference)
      assert.equal(row?.amount, BigInt(amount), `${railReference} is kept`)
      const back = row?.orders.filter((reference) => moved.has(reference)) ?? []
      assert.deepEqual([row?.state, back.length], back.length === 1 ? ['RETURNED', 1] : ['WAITING', 0], railReference)
    }
  }
}
