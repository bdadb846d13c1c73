import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readMasterKey } from '@kobo/gateway/app/data-folder.ts'
import { ENCRYPTED_COLUMNS } from '@kobo/gateway/app/features.ts'
import {
  ROTATED_PURPOSES,
  type RotatedPurpose,
  RotationError,
  selectDataKeys,
} from '@kobo/gateway/core/security/data-keys.ts'
import { openKeyDevice } from '@kobo/gateway/core/security/key-device.ts'
import { beginRotation, endRotation } from '@kobo/gateway/core/security/master-key.ts'
import {
  beginReEncryption,
  type ReEncryptionProgress,
  reEncrypt,
  retireKeys,
} from '@kobo/gateway/core/security/re-encryption.ts'
import { rotateReceiptKey } from '@kobo/gateway/core/security/receipt-keys.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import type { Clock } from '@kobo/gateway/kernel/clock.ts'
import { NO_PROGRESS, type Progress, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { type Command, type CommandContext, print, UsageError, withCore } from '../../command.ts'

export const keysRotate: Command = {
  usage: '[--finish]',
  summary: 'Replaces the master key while the nodes run',
  details: `
1. Put the current key in KOBO_MASTER_KEY and the new one in KOBO_MASTER_KEY_NEXT and run: ./kobo keys rotate
   Nodes can now start with either key.
2. Restart every node, one after another, with the new key in KOBO_MASTER_KEY.
3. Put the new key in KOBO_MASTER_KEY and run: ./kobo keys rotate --finish
   The old key no longer works. If it was leaked, the data keys may be too: run ./kobo keys rotate-data
`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { finish: { type: 'boolean' } } })
    return withCore(context, async ({ core: { db }, config }) => {
      const masterKey = await readMasterKey(config)
      if (values.finish === true) {
        print(context, { finished: true, dataKeys: await asUsageError(endRotation(db, masterKey)) })
        return 0
      }
      if (config.masterKeyNext === undefined)
        throw new UsageError(
          'KOBO_MASTER_KEY_NEXT is required. Generate 32 bytes with: openssl rand -base64 32, or name a device',
        )
      const next = Buffer.isBuffer(config.masterKeyNext)
        ? config.masterKeyNext
        : await openKeyDevice(config.masterKeyNext)
      const dataKeys = await asUsageError(beginRotation(db, masterKey, next))
      print(context, { finished: false, dataKeys })
      return 0
    })
  },
}

const POLL_MILLISECONDS = 1_000

export const keysRotateData: Command = {
  usage: '[--purpose PURPOSE …]',
  summary: 'Creates new data keys and re-encrypts everything with them while the nodes run',
  details: `
Purposes: ${ROTATED_PURPOSES.join(', ')} (default: all).
Finish a rolling upgrade first: every node must run this version. The command waits 90 seconds until every node uses the new keys,
then re-encrypts in batches. If it is interrupted, run it again to continue. Access tokens signed with the old key stay valid until
they expire. Afterwards run: ./kobo keys retire
`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { purpose: { type: 'string', multiple: true } } })
    const purposes = checkPurposes(values.purpose ?? ROTATED_PURPOSES)
    return withCore(context, async ({ core, config }) => {
      const resealing = { ...core, columns: ENCRYPTED_COLUMNS }
      const usedFrom = await asUsageError(beginReEncryption(resealing, await readMasterKey(config), purposes))
      await untilUsed(context, core.wall, usedFrom)
      const resealed: Record<string, bigint> = {}
      for (const purpose of purposes) resealed[purpose] = await reEncrypt(resealing, purpose, progressOf(context))
      print(context, { resealed })
      return 0
    })
  },
}

/** Waits until the new keys are used everywhere, and shows the progress. */
async function untilUsed(context: CommandContext, wall: Clock, moment: Date): Promise<void> {
  const bar = barOf(context, 'Waiting until every node uses the new keys', 'seconds')
  const leftNow = (): number => Math.ceil((moment.getTime() - wall.now().getTime()) / 1_000)
  const all = leftNow()
  for (let left = all; left > 0; left = leftNow()) {
    bar.show(all - left, all)
    await pause(POLL_MILLISECONDS)
  }
  bar.clear()
}

/** Shows a progress bar per column; the number of rows is an estimate. */
function progressOf(context: CommandContext): (progress: ReEncryptionProgress) => void {
  let bar: Progress = NO_PROGRESS
  let shown = ''
  return ({ place, rows, about, isLast }) => {
    if (place !== shown) bar = barOf(context, `Re-encrypting ${place}`, 'rows')
    shown = place
    bar.show(rows, isLast ? rows : Math.max(rows, about))
    if (isLast) bar.clear()
  }
}

const barOf = ({ err, isTerminal = false }: CommandContext, label: string, unit: string): Progress =>
  isTerminal ? progressBar(err, label, unit) : NO_PROGRESS

export const keysRotateReceipts: Command = {
  usage: '',
  summary: 'Replaces the key that signs receipts; receipts that were signed before stay valid',
  details: `
The private key that it replaces is erased. Its public key stays published, so that older receipts can be checked.
`,
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, { keyId: await unitOfWork(core, (unit) => rotateReceiptKey(unit, core.keyring)) })
      return 0
    })
  },
}

export const keysRetire: Command = {
  usage: '',
  summary: 'Deletes data keys that were replaced over an hour ago and are no longer used',
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      print(context, { keys: await asUsageError(retireKeys({ ...core, columns: ENCRYPTED_COLUMNS })) })
      return 0
    })
  },
}

export const keysList: Command = {
  usage: '',
  summary: 'Lists the data keys: purpose, creation time, and number of encryptions',
  run: async (args, context) => {
    parseArgs({ args })
    return withCore(context, async ({ core }) => {
      const rows = await selectDataKeys(core.db)
      const shown = rows.map(({ id, purpose, createdAt, seals, retiredAt }) => ({
        id,
        purpose: purpose ?? 'all',
        createdAt,
        seals,
        retiredAt,
      }))
      print(context, shown)
      return 0
    })
  },
}

function checkPurposes(given: readonly string[]): readonly RotatedPurpose[] {
  const wrong = given.find((one) => !ROTATED_PURPOSES.some((purpose) => purpose === one))
  if (wrong !== undefined) throw new UsageError(`Unknown purpose ${wrong}. Use one of ${ROTATED_PURPOSES.join(', ')}.`)
  return ROTATED_PURPOSES.filter((purpose) => given.includes(purpose))
}

const asUsageError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof RotationError ? new UsageError(`${error.message}.`) : error
  })
