import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { readCredentials } from '../../src/app/demo.ts'
import { verifyLedger } from '../../src/app/ledger.ts'
import { HOUSE, inDatabase, isClean } from '../../src/core/money/ledger/index.ts'
import { addMerchant } from '../harness/gateway.ts'
import { type Receiver, receiver } from '../harness/receiver.ts'
import { chance } from '../harness/samples.ts'
import { until } from '../harness/wait.ts'
import { type Bank, bank } from './bank.ts'
import { type Act, COLLECT } from './collect.ts'
import { type Fault, fault } from './faults.ts'
import { type Node, type Nodes, nodes } from './nodes.ts'
import { type Partners, partners } from './partners.ts'
import { type Scene, type SimulatedShop, say } from './scene.ts'
import { SPEND } from './spend.ts'

/** Short stories find as much as long ones, and tell it in fewer words. */
export const STEPS = 4
const SHOPS_MAX = 2
const BURST_MAX = 4
/** Of so many steps one has a fault. */
const STEPS_PER_FAULT = 4
/** Of so many steps one lets time pass, by one of these. */
const STEPS_PER_WAIT = 6
const WAITS_SECONDS = [1, 30, 90, 600, 2_500, 40_000] as const
const FUNDS = 2_000_000
const BANK = '058'

const ACTS: Readonly<Record<string, Act>> = { ...COLLECT, ...SPEND }
/** What happens more often than the rest. */
const OFTEN = ['askForTransfer', 'pay', 'pay', 'pay', 'chargeCard', 'transfer', 'refund', 'refund'] as const
const KINDS: readonly string[] = [...Object.keys(ACTS), ...OFTEN]

/** What seeds are played on, one after another: two nodes, their database, the partners outside. */
export interface Stage {
  readonly nodes: Nodes
  readonly partners: Partners
  readonly bank: Bank
  readonly events: Receiver
  /** The proof of the step before, which goes on beside the next step: it sees one moment. */
  proof: Promise<void>
  /** Told how long it took after a fault until the node was as before. */
  onRecovered?: (kind: string, milliseconds: number) => void
}

/** A seed that was played, and what is to be held against the books. */
export interface Played {
  readonly seed: number
  readonly steps: readonly string[]
  readonly scene: Scene
}

export async function openStage(t: TestContext): Promise<Stage> {
  const outside = await partners(t, { now: () => both.clock.now() }, { now: () => both.wall.now() })
  const both = await nodes(t, outside.url)
  return { nodes: both, partners: outside, bank: bank(both), events: await receiver(t), proof: Promise.resolve() }
}

/** Plays a seed: steps, each with all of the proof's questions after it. */
export async function play(stage: Stage, seed: number): Promise<Played> {
  const steps: string[] = []
  const scene = await ofSeed({ seed, steps }, async () => {
    const begun = await begin(stage, seed)
    for (let step = 0; step < STEPS; step++) {
      await takeStep(stage, begun, steps)
      await stage.proof
      stage.proof = ofSeed({ seed, steps: [...steps] }, () => prove(stage, begun))
      stage.proof.catch(() => {}) // whoever waits for it is told
    }
    return begun
  })
  return { seed, steps, scene }
}

/** Does something of a seed; its failure tells how to live through it again. */
export const ofSeed = <T>({ seed, steps }: Omit<Played, 'scene'>, work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    throw told(seed, steps, error)
  })

/** A failure that tells its seed: the proof of one seed may fail while the next one is played. */
class ToldFailure extends Error {}

/** A failure, with the seed, or the first of so many, that lives through it again, and what had happened. */
export function told(seed: number, steps: readonly string[], error: unknown, seeds = 1): Error {
  if (error instanceof ToldFailure) return error
  const why = error instanceof Error ? error.message : String(error)
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
  return new ToldFailure(
    `${why}\n\nLive through it again: npm run simulate -- --from ${seed} --seeds ${seeds}\n\n${list}\n`,
    {
      cause: error,
    },
  )
}

async function begin({ nodes: both, partners: outside, bank: banks, events }: Stage, seed: number): Promise<Scene> {
  outside.begin(seed)
  // Seeds that follow each other are to have nothing in common.
  const dice = chance(createHash('sha256').update(String(seed)).digest().readUInt32BE())
  events.answering = () => dice.oneOf([200, 200, 200, 500, 429, 404])
  const shops: SimulatedShop[] = []
  let references = 0
  const scene: Scene = {
    dice,
    nodes: both,
    partners: outside,
    bank: banks,
    shops,
    reference: (what) => `${what}-${seed}-${++references}`,
    unanswered: [],
  }
  const count = dice.times(SHOPS_MAX)
  for (let nth = 0; nth < count; nth++) shops.push(await openShop(scene, events))
  return scene
}

async function openShop(scene: Scene, { url }: Receiver): Promise<SimulatedShop> {
  const [node] = scene.nodes.all
  const { core } = node.running
  const id = await addMerchant(node.running)
  const credentials = await readCredentials(core, node.url, (await core.directory.byId(id))?.code)
  assert.ok(credentials !== undefined)
  const shop: SimulatedShop = {
    id,
    credentials,
    subAccounts: [],
    payables: [],
    transactions: [],
    paid: [],
    cardTokens: [],
    mandates: [],
    paycodes: [],
    tokens: new Map(),
    acknowledged: [],
  }
  const body = { webhookUrl: url, otpEnabled: false, permissions: { bills: true } }
  await say(scene, shop, node, contract.changeSettings, { body })
  await say(scene, shop, node, contract.fundWallet, { body: { amount: FUNDS } })
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
  const made = (await say(scene, shop, node, contract.createSubAccounts, { body })) ?? []
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
      const act = ACTS[kind]
      assert.ok(act !== undefined)
      steps.push(`merchant ${shops.indexOf(shop) + 1} at the ${node.name} node ${await act(scene, shop, node)}`)
    }),
  )
  if (trouble !== undefined) {
    const since = performance.now()
    await trouble.mend()
    stage.onRecovered?.(trouble.kind, performance.now() - since)
  }
  for (const act of acts) if (act.status === 'rejected') throw act.reason
  if (waits > 0) {
    steps.push(`${waits} s pass`)
    await advance(scene, waits)
    await outside.deliverLate()
  }
}

/** Asks all of the proof's questions of the seed's merchants and of the house; those of the seeds before are asked about in the end. */
async function prove({ nodes: { db } }: Stage, { shops }: Scene): Promise<void> {
  const merchants = [HOUSE, ...shops.map(({ id }) => id)]
  const verdict = await verifyLedger(db, { checkpoints: inDatabase(db, true), merchants })
  assert.ok(isClean(verdict), JSON.stringify(verdict))
}

/** Lets business time pass, on both nodes. */
export async function advance(scene: Scene, seconds: number): Promise<void> {
  const [shop] = scene.shops
  const [node, other] = scene.nodes.all
  assert.ok(shop !== undefined)
  const told = await say(scene, shop, node, contract.advanceClock, { body: { seconds } })
  const moment = new Date(told?.epochMilliseconds ?? 0)
  await until('the other node has heard of it', () => other.running.core.clock.now() >= moment)
}
