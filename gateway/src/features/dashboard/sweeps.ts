import type { Core } from '../../core/core.ts'
import { selectMerchantIds } from '../../core/merchants/index.ts'
import { firstJournal, sumHours } from '../../core/money/ledger/index.ts'
import type { Shard } from '../../core/shards/index.ts'
import type { Sweep } from '../../core/sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { firstIdAt, momentOfId } from '../../kernel/ids.ts'
import { transactionReads } from '../transactions/index.ts'
import {
  lockMerchants,
  lockSummed,
  readSummed,
  replaceOutcomes,
  type Summed,
  selectOpenHours,
  startSums,
  writeSums,
} from './repository.ts'

const HOUR_MILLISECONDS = 3_600_000
const HOUR_SECONDS = 3_600
/** An hour is final a quarter of an hour after its end: work that began in it has committed by then. */
const FINAL_AFTER_SECONDS = 900
/** The most hours of a merchant that are summed in one step. */
const STEP_HOURS = 168
const MERCHANTS_MAX = 100
const OPEN_HOURS_MAX = 200

/** Returns the start of the hour that a time is in. */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MILLISECONDS) * HOUR_MILLISECONDS)

/** Returns the time before which all hours are final. */
export const finalBefore = (at: Date): Date => hourOf(secondsAfter(at, -FINAL_AFTER_SECONDS))

/** Sums the hours that have become final; each merchant continues where its last run stopped. Runs once an hour. */
export function totalsSweep(core: Core): Sweep {
  let doneThrough = new Date(0)
  let last = 0n
  return {
    name: 'sum up hours',
    run: async (at, limit) => {
      const through = finalBefore(at)
      if (through <= doneThrough) return 0
      const merchants = await selectMerchantIds(core.db, last, MERCHANTS_MAX)
      if (merchants.length === 0) {
        await core.shards.each((shard) => unitOfWork(core, (unit) => sumAgain(unit, shard, through)))
        doneThrough = through
        last = 0n
        return 0
      }
      const together = [...Map.groupBy(merchants, core.shards.of).values()]
      const areDone = []
      for (const some of together) areDone.push(await unitOfWork(core, (unit) => sumUp(unit, some, through)))
      if (areDone.every(Boolean)) last = merchants.at(-1) ?? last
      return limit // there may be more merchants, or further hours of these
    },
  }
}

/** Sums all final hours of a merchant, after its history was changed. */
export async function sumUpNow(core: Core, merchantId: bigint): Promise<void> {
  const through = finalBefore(core.clock.now())
  while (!(await unitOfWork(core, (unit) => sumUp(unit, [merchantId], through))));
}

/** Sums the next hours of some merchants, up to STEP_HOURS each; returns whether all of them are up to date. */
async function sumUp({ tx }: UnitOfWork, merchants: readonly bigint[], through: Date): Promise<boolean> {
  const known = new Set((await readSummed(tx, merchants)).map(({ merchantId }) => merchantId))
  for (const merchantId of merchants.filter((id) => !known.has(id))) {
    const first = await firstJournal(tx, merchantId)
    const begun = first === undefined ? through : hourOf(momentOfId(first))
    await startSums(tx, { merchantId, through: begun < through ? begun : through })
  }
  const behind = await lockSummed(tx, merchants, through)
  const steps = behind.map((row) => ({ ...row, to: stepFrom(row, through) }))
  const ranges = steps.map(({ merchantId, through: from, to }) => ({
    merchantId,
    after: firstIdAt(from) - 1n,
    upTo: firstIdAt(to) - 1n,
  }))
  const moves = await sumHours(tx, ranges)
  const ended = await transactionReads.outcomes(
    tx,
    steps.map(({ merchantId, through: from, to }) => ({ merchantId, from, to })),
  )
  writeSums(
    tx,
    moves,
    ended,
    steps.map(({ merchantId, to }) => ({ merchantId, through: to })),
  )
  return steps.every(({ to }) => to.getTime() === through.getTime())
}

function stepFrom({ through: from }: Summed, through: Date): Date {
  const step = secondsAfter(from, STEP_HOURS * HOUR_SECONDS)
  return step < through ? step : through
}

/** Sums hours with open transactions again, except those that another node is summing. */
async function sumAgain({ tx }: UnitOfWork, shard: Shard, before: Date): Promise<number> {
  const open = await selectOpenHours(tx, shard, before, OPEN_HOURS_MAX)
  if (open.length === 0) return 0
  const merchants = await lockMerchants(tx, [...new Set(open.map(({ merchantId }) => merchantId))])
  const hours = open.filter(({ merchantId }) => merchants.has(merchantId))
  const ended = await transactionReads.outcomes(
    tx,
    hours.map(({ merchantId, hour }) => ({ merchantId, from: hour, to: secondsAfter(hour, HOUR_SECONDS) })),
  )
  replaceOutcomes(tx, hours, ended)
  return hours.length
}
