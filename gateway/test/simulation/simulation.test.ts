import type { TestContext } from 'node:test'
import { long } from '../harness/long.ts'
import { testSeed as first } from '../harness/samples.ts'
import { completeAndCompare } from './final-check.ts'
import { openStage, type Played, play } from './play.ts'

/** The number of seeds in a run of all tests, over several processes. `npm run simulate` plays any number. */
const SEEDS = 300
/** How many seeds share two nodes and a database. They end together, so that time passes for all of them at once. */
const SEEDS_PER_STAGE = 50

const count = Number(process.env['KOBO_TEST_SEEDS'] ?? SEEDS)
const isWatched = process.env['KOBO_TEST_PROGRESS'] !== undefined

for (let from = first; from < first + count; from += SEEDS_PER_STAGE) {
  const seeds = Math.min(SEEDS_PER_STAGE, first + count - from)
  long(
    `seeds ${from} to ${from + seeds - 1}: whatever merchants, customers, partners, clocks and networks do, every kobo is accounted for`,
    async (t) => {
      t.diagnostic(`KOBO_TEST_SEED=${from} KOBO_TEST_SEEDS=${seeds}`)
      await playAll(t, from, seeds)
    },
  )
}

async function playAll(t: TestContext, from: number, seeds: number): Promise<void> {
  const stage = await openStage(t)
  if (isWatched)
    stage.onRecovered = (kind, milliseconds) => process.stderr.write(`recovered ${Math.ceil(milliseconds)} ${kind}\n`)
  const played: Played[] = []
  for (let seed = from; seed < from + seeds; seed++) {
    played.push(await play(stage, seed))
    if (isWatched) process.stderr.write(`${seed + 1 - first}\n`)
  }
  await completeAndCompare(stage, played)
}
