import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { verifyLedger } from '../../src/app/ledger.ts'
import { databaseCheckpoints, isClean } from '../../src/core/money/ledger/index.ts'
import { HOUSE } from '../../src/kernel/house.ts'
import { assertBooks } from '../harness/checked-books.ts'
import { seededRandom } from '../harness/samples.ts'
import { isShort } from '../harness/slow.ts'
import { until } from '../harness/until.ts'
import { anOperator } from '../harness/users.ts'
import { type WebhookEndpoint, webhookEndpoint } from '../harness/webhook-endpoint.ts'
import { type Bank, bank } from './bank.ts'
import { ELSEWHERE, openCell } from './cell.ts'
import { type Act, COLLECT } from './collect.ts'
import { DISPUTE } from './disputes.ts'
import { type Fault, fault } from './faults.ts'
import { type Node, type Nodes, nodes } from './nodes.ts'
import { OPERATE } from './operators.ts'
import { type Partners, partners } from './partners.ts'
import { type Cell, type Scene, type SimulatedShop, send } from './scene.ts'
import { newShop } from './shop.ts'
import { SPEND } from './spend.ts'

/** Short runs find as much as long ones, and are easier to read. */
export const STEPS = 4
const SHOPS_MAX = 2
const BURST_MAX = 4
/** One of this many steps has a fault. */
const STEPS_PER_FAULT = 4
/** One of this many steps lets time pass, by one of these durations. */
const STEPS_PER_WAIT = 6
const WAITS_SECONDS = [1, 30, 90, 600, 2_500, 40_000] as const
const FUNDS = 2_000_000
const BANK = '058'

const ACTS = { ...COLLECT, ...SPEND, ...DISPUTE, ...OPERATE, ...ELSEWHERE } satisfies Readonly<Record<string, Act>>
type Kind = keyof typeof ACTS
/** Actions that happen more often than the rest. */
const OFTEN: readonly Kind[] = ['requestTransfer', 'pay', 'pay', 'pay', 'chargeCard', 'transfer', 'refund', 'refund']
const KINDS = [...(Object.keys(ACTS) as Kind[]), ...OFTEN]

/** The stage that several seeds share: two nodes, their database, and the partners. */
export interface Stage {
  readonly nodes: Nodes
  readonly partners: Partners
  readonly bank: Bank
  readonly events: WebhookEndpoint
  readonly keeper: SimulatedShop
  readonly operators: readonly bigint[]
  readonly cell: Cell
  /** The ledger check of the previous step, which runs during the next one on a snapshot. */
  ledgerCheck: Promise<void>
  /** Called with the time that a node took to recover from a fault. */
  onRecovered?: (kind: string, milliseconds: number) => void
}

/** A seed that was played, to be compared with the ledger. */
export interface Played {
  readonly seed: number
  readonly steps: readonly string[]
  readonly scene: Scene
}

export async function openStage(t: TestContext): Promise<Stage> {
  const outside = await partners(t, {
    clock: { now: () => both.clock.now() },
    wall: { now: () => both.wall.now() },
    loseLease: async (reference) => {
      await both.db`
        update rail_order set leased_until = now(), due_at = least(due_at, created_at)
         where reference = ${reference} and state in ('WAITING', 'SENT') and leased_until > now()`
    },
  })
  const both = await nodes(t, outside.url)
  const events = await webhookEndpoint(t)
  const [node] = both.all
  const operator = async (): Promise<bigint> => {
    const { core } = node.running
    return (await anOperator({ core, url: node.url }, 'operator')).personId
  }
  return {
    nodes: both,
    partners: outside,
    bank: bank(both),
    events,
    keeper: await newShop(node),
    operators: [await operator(), await operator()],
    cell: await openCell(t, outside.url, both.wall),
    ledgerCheck: Promise.resolve(),
  }
}

/**
 * The independent ledger check reads the rows of all seeds so far, so in the short run only one of this many seeds runs
 * it. It always runs at the end.
 */
const SEEDS_PER_BOOK_KEEPER = isShort ? 5 : 1

/** Plays a seed in steps. A full ledger check follows each step; the independent check follows the last one. */
export async function play(stage: Stage, seed: number): Promise<Played> {
  const steps: string[] = []
  const scene = await ofSeed({ seed, steps }, async () => {
    const begun = await begin(stage, seed)
    for (let step = 0; step < STEPS; step++) {
      await takeStep(stage, begun, steps)
      await stage.ledgerCheck
      stage.ledgerCheck = ofSeed({ seed, steps: [...steps] }, async () => {
        await checkLedger(stage, begun)
        if (step === STEPS - 1 && seed % SEEDS_PER_BOOK_KEEPER === 0)
          await assertBooks(stage.nodes.databaseUrl, { isMidway: true })
      })
      stage.ledgerCheck.catch(() => {}) // the code that awaits it gets the error
    }
    return begun
  })
  return { seed, steps, scene }
}

/** Runs a part of a seed. An error describes how to reproduce it. */
export const ofSeed = <T>({ seed, steps }: Omit<Played, 'scene'>, work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    throw seedFailure(seed, steps, error)
  })

/** An error that names its seed, because the check of one seed may fail while the next one is played. */
class SeedFailure extends Error {}

/** An error with the seed (or the first of several seeds) that reproduces it, and the steps so far. */
export function seedFailure(seed: number, steps: readonly string[], error: unknown, seeds = 1): Error {
  if (error instanceof SeedFailure) return error
  const why = error instanceof Error ? error.message : String(error)
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
  return new SeedFailure(`${why}\n\nReproduce: npm run simulate -- --from ${seed} --seeds ${seeds}\n\n${list}\n`, {
    cause: error,
  })
}

async function begin(stage: Stage, seed: number): Promise<Scene> {
  const { nodes: both, partners: outside, bank: banks, events, keeper, operators, cell } = stage
  outside.begin(seed)
  // The seed is hashed, so that consecutive seeds have nothing in common.
  const dice = seededRandom(createHash('sha256').update(String(seed)).digest().readUInt32BE())
  events.respond = () => dice.oneOf([200, 200, 200, 500, 429, 404])
  const shops: SimulatedShop[] = []
  let references = 0
  const scene: Scene = {
    dice,
    nodes: both,
    partners: outside,
    bank: banks,
    shops,
    ...{ keeper, operators, cell, paying: new Set<string>(), statements: Promise.resolve() },
    reference: (what) => `${what}-${seed}-${++references}`,
    unanswered: [],
  }
  const count = dice.times(SHOPS_MAX)
  for (let nth = 0; nth < count; nth++) shops.push(await openShop(scene, events))
  return scene
}

async function openShop(scene: Scene, { url }: WebhookEndpoint): Promise<SimulatedShop> {
  const [node] = scene.nodes.all
  const shop = await newShop(node)
  const body = { webhookUrl: url, otpEnabled: false, permissions: { bills: true } }
  await send(scene, shop, node, contract.changeSettings, { body })
  await send(scene, shop, node, contract.fundWallet, { body: { amount: FUNDS } })
  if (scene.dice.below(2) === 0) await openSubAccounts(scene, shop, node)
  return shop
}

async function openSubAccounts(scene: Scene, shop: SimulatedShop, node: Node): Promise<void> {
  const body = ['0123456789', '0123456002'].map((accountNumber) => ({
    currencyCode: 'NGN',
    accountNumber,
    bankCode: BANK,
    email: 'bisola@example.com',
    defaultSplitPercentage: 0.07,
  }))
  const made = (await send(scene, shop, node, contract.createSubAccounts, { body })) ?? []
  shop.subAccounts.push(...made.map(({ subAccountCode }) => subAccountCode))
}

async function takeStep(stage: Stage, scene: Scene, steps: string[]): Promise<void> {
  const { dice, nodes: both, partners: outside, shops } = scene
  let trouble: Fault | undefined
  if (dice.below(STEPS_PER_FAULT) === 0) trouble = await fault(dice, both)
  const casts = Array.from({ length: dice.times(BURST_MAX) }, () => ({
    kind: dice.oneOf(KINDS),
    shop: dice.oneOf(shops),
    node: dice.oneOf(both.all),
  }))
  const waits = dice.below(STEPS_PER_WAIT) === 0 ? dice.oneOf(WAITS_SECONDS) : 0
  if (trouble !== undefined) steps.push(`trouble: ${trouble.what}`)
  const acts = await Promise.allSettled(
    casts.map(async ({ kind, shop, node }) => {
      steps.push(`merchant ${shops.indexOf(shop) + 1} at the ${node.name} node ${await ACTS[kind](scene, shop, node)}`)
    }),
  )
  if (trouble !== undefined) {
    const since = performance.now()
    await trouble.repair()
    stage.onRecovered?.(trouble.kind, performance.now() - since)
  }
  for (const act of acts) if (act.status === 'rejected') throw act.reason
  if (waits > 0) {
    steps.push(`${waits} s pass`)
    await advance(scene, waits)
    await outside.deliverLate()
  }
}

/** Runs all ledger checks on the seed's merchants and on Kobo's own account; earlier seeds are checked at the end. */
async function checkLedger({ nodes: { db } }: Stage, { shops }: Scene): Promise<void> {
  const merchants = [HOUSE, ...shops.map(({ id }) => id)]
  const verdict = await verifyLedger(db, { checkpoints: databaseCheckpoints(db, true), merchants })
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** Lets business time pass on both nodes. */
export async function advance(scene: Scene, seconds: number): Promise<void> {
  const [node, other] = scene.nodes.all
  const reported = await send(scene, scene.keeper, node, contract.advanceClock, { body: { seconds } })
  await send(scene, scene.cell.shop, scene.cell.node, contract.advanceClock, { body: { seconds } })
  const moment = new Date(reported?.epochMilliseconds ?? 0)
  await until('the other node has the new time', () => other.running.core.clock.now() >= moment)
}
