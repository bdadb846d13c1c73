import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readMasterKey } from '@kobo/gateway/app/data-folder.ts'
import { SEALED_COLUMNS } from '@kobo/gateway/app/sealed.ts'
import {
  ROTATED_PURPOSES,
  type RotatedPurpose,
  RotationError,
  selectDataKeys,
} from '@kobo/gateway/core/security/data-keys.ts'
import { beginRotation, endRotation } from '@kobo/gateway/core/security/master-key.ts'
import { beginResealing, type ResealingProgress, reseal, retireKeys } from '@kobo/gateway/core/security/resealing.ts'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { NO_PROGRESS, type Progress, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, type Surroundings, UsageError, withCore } from '../command.ts'

export const keysRotate: Command = {
  usage: '[--finish]',
  summary: 'Replaces the master key while the nodes run',
  details: `
1. With the present key in KOBO_MASTER_KEY and the new one in KOBO_MASTER_KEY_NEXT: kobo keys rotate
   Nodes can now start with either key.
2. Start every node again, one after another, with the new key in KOBO_MASTER_KEY.
3. With the new key in KOBO_MASTER_KEY: kobo keys rotate --finish
   From now on the old key opens nothing. Who may have known it may have known the data keys too: kobo keys rotate-data
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { finish: { type: 'boolean' } } })
    return withCore(around, async ({ core: { db }, config }) => {
      const masterKey = readMasterKey(config)
      if (values.finish === true) {
        print(around, { finished: true, dataKeys: await told(endRotation(db, masterKey)) })
        return 0
      }
      if (config.masterKeyNext === undefined)
        throw new UsageError(
          'KOBO_MASTER_KEY_NEXT is required: 32 bytes in base64, as openssl rand -base64 32 makes them.',
        )
      const dataKeys = await told(beginRotation(db, masterKey, config.masterKeyNext))
      print(around, { finished: false, dataKeys })
      return 0
    })
  },
}

const POLL_MILLISECONDS = 1_000

export const keysRotateData: Command = {
  usage: '[--purpose PURPOSE …]',
  summary: 'Makes new data keys and encrypts everything anew with them, while the nodes run',
  details: `
Purposes: ${ROTATED_PURPOSES.join(', ')}; all of them unless some are named.
First every node of a rolling upgrade must run this version. It waits a minute and a half, until every node uses the new
keys, and then encrypts in sets. It may be stopped at any time: called again, it goes on where it was. Access tokens that
the key before has signed stay valid until they end. Afterwards: kobo keys retire
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { purpose: { type: 'string', multiple: true } } })
    const purposes = checkPurposes(values.purpose ?? ROTATED_PURPOSES)
    return withCore(around, async ({ core, config }) => {
      const resealing = { ...core, columns: SEALED_COLUMNS }
      const usedFrom = await told(beginResealing(resealing, readMasterKey(config), purposes))
      await untilUsed(around, core.wall, usedFrom)
      const resealed: Record<string, bigint> = {}
      for (const purpose of purposes) resealed[purpose] = await reseal(resealing, purpose, progressOf(around))
      print(around, { resealed })
      return 0
    })
  },
}

/** Waits for a moment, and shows how much of the wait is over. */
async function untilUsed(around: Surroundings, wall: Clock, moment: Date): Promise<void> {
  const bar = barOf(around, 'Until every node uses the new keys', 'seconds')
  const leftNow = (): number => Math.ceil((moment.getTime() - wall.now().getTime()) / 1_000)
  const all = leftNow()
  for (let left = all; left > 0; left = leftNow()) {
    bar.show(all - left, all)
    await pause(POLL_MILLISECONDS)
  }
  bar.clear()
}

/** A bar for each column in turn. How many rows there are is known roughly. */
function progressOf(around: Surroundings): (progress: ResealingProgress) => void {
  let bar: Progress = NO_PROGRESS
  let shown = ''
  return ({ place, rows, about, isLast }) => {
    if (place !== shown) bar = barOf(around, `Encrypting ${place} anew`, 'rows')
    shown = place
    bar.show(rows, isLast ? rows : Math.max(rows, about))
    if (isLast) bar.clear()
  }
}

const barOf = ({ err, isWatched = false }: Surroundings, label: string, unit: string): Progress =>
  isWatched ? progressBar(err, label, unit) : NO_PROGRESS

export const keysRetire: Command = {
  usage: '',
  summary: 'Erases the data keys that were replaced over an hour ago and seal nothing any more',
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      print(around, { keys: await told(retireKeys({ ...core, columns: SEALED_COLUMNS })) })
      return 0
    })
  },
}

export const keysList: Command = {
  usage: '',
  summary: 'Lists the data keys: what each is for, since when, and how much it has sealed',
  run: async (args, around) => {
    parseArgs({ args })
    return withCore(around, async ({ core }) => {
      const rows = await selectDataKeys(core.db)
      const shown = rows.map(({ id, purpose, createdAt, seals, retiredAt }) => ({
        id,
        purpose: purpose ?? 'all',
        createdAt,
        seals,
        retiredAt,
      }))
      print(around, shown)
      return 0
    })
  },
}

function checkPurposes(given: readonly string[]): readonly RotatedPurpose[] {
  const wrong = given.find((one) => !ROTATED_PURPOSES.some((purpose) => purpose === one))
  if (wrong !== undefined) throw new UsageError(`There is no purpose ${wrong}: ${ROTATED_PURPOSES.join(', ')}.`)
  return ROTATED_PURPOSES.filter((purpose) => given.includes(purpose))
}

/** What keeps a rotation from going on is the operator's to mend. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof RotationError ? new UsageError(`${error.message}.`) : error
  })
