import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { deriveKey, open, seal } from '../../platform/crypto.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { SigningKeys } from '../../platform/tokens.ts'
import {
  addDataKeys,
  type DataKeyRow,
  type KeyPurpose,
  lockDataKeys,
  makeFirstKeys,
  type RotatedPurpose,
  RotationError,
  SEALING_PURPOSES,
  SEALS_AFTER_SECONDS,
  type SealingPurpose,
  selectDataKeys,
  unwrap,
} from './data-keys.ts'

/** Encrypts and opens what is stored. */
export interface Sealer {
  /** `context` names the place of the value; a sealed value moved elsewhere does not open. */
  readonly seal: (plain: string, context: string) => Buffer
  readonly open: (sealed: Buffer, context: string) => string
}

/** Data keys, each wrapped by the master key. By itself it seals records: what has no purpose of its own. */
export interface Keyring extends Sealer {
  readonly of: (purpose: SealingPurpose) => Sealer
  /** A key for a use of its own, the same on every node and for ever: for hashes by which something is found again. */
  readonly derive: (use: string) => Buffer
  /** Keys that sign access tokens. */
  readonly tokenKeys: SigningKeys
  /** The id of the key that is in use for a purpose now. */
  readonly current: (purpose: RotatedPurpose) => number
  /** Learns of new keys, and tells how much was sealed by each. Done by itself every few seconds. */
  readonly refresh: () => Promise<void>
}

export interface OpenKeyring extends Keyring {
  readonly close: () => Promise<void>
}

const KEY_ID_LENGTH = 2
const REFRESH_SECONDS = 15
/**
 * A key that has sealed so many values is replaced by a new one. With random nonces 2^32 are safe; what a node that dies
 * has not told, and what is sealed until a new key is in use, is small beside the difference.
 */
export const SEALS_MAX = 2n ** 28n
const TOKENS_USE = 'access tokens'

interface DataKey extends Pick<DataKeyRow, 'id' | 'purpose' | 'sealsFrom'> {
  readonly key: Buffer
}

/** The number of the data key that a value is sealed with. */
export const keyIdOf = (sealed: Buffer): number => sealed.readUInt16BE()

/** Opens the data keys with the master key; makes the first ones in a new database. Learns of new ones while it is open. */
export async function openKeyring(db: Db, masterKey: Buffer, at: Date, wall: Clock): Promise<OpenKeyring> {
  await makeFirstKeys(db, masterKey, at)
  let keys: ReadonlyMap<number, DataKey> = new Map()
  const counted = sealCounter(db)

  const current = (purpose: KeyPurpose): DataKey => {
    const now = wall.now()
    let best: DataKey | undefined
    for (const one of keys.values())
      if (one.sealsFrom <= now && serves(one, purpose) && (best === undefined || precedes(one, best))) best = one
    invariant(best !== undefined, `there is a data key for ${purpose}`)
    return best
  }
  const refresh = async (): Promise<void> => {
    const usedUp = await counted.tell()
    keys = await readKeys(db, masterKey)
    const due = SEALING_PURPOSES.filter((purpose) => usedUp.has(current(purpose).id))
    if (due.length > 0) {
      await replaceKeys(db, masterKey, due, wall.now())
      keys = await readKeys(db, masterKey)
    }
  }
  await refresh()
  // The database may be away for a moment: there is another chance soon.
  const refreshing = setInterval(() => void refresh().catch(() => {}), REFRESH_SECONDS * 1_000)
  refreshing.unref()

  const find = (id: number): Buffer => {
    const found = keys.get(id)
    invariant(found !== undefined, `data key ${id} exists`)
    return found.key
  }
  const openSealed = (sealed: Buffer, context: string): string =>
    open(find(keyIdOf(sealed)), sealed.subarray(KEY_ID_LENGTH), context).toString()
  const sealer = (purpose: SealingPurpose): Sealer => ({
    seal: (plain, context) => {
      const { id, key } = current(purpose)
      counted.count(id)
      const keyId = Buffer.alloc(KEY_ID_LENGTH)
      keyId.writeUInt16BE(id)
      return Buffer.concat([keyId, seal(key, Buffer.from(plain), context)])
    },
    open: openSealed,
  })
  const sealers = { records: sealer('records'), cards: sealer('cards'), answers: sealer('answers') }
  return {
    ...sealers.records,
    of: (purpose) => sealers[purpose],
    derive: (use) => deriveKey(current('lookups').key, use),
    tokenKeys: tokenKeys(
      () => current('tokens'),
      (id) => keys.get(id),
    ),
    current: (purpose) => current(purpose).id,
    refresh,
    close: async () => {
      clearInterval(refreshing)
      await counted.tell().catch(() => {}) // with the database gone there is nobody to tell
    },
  }
}

/** A key without a purpose is for all; of those, what never changes and what signs goes by the first alone. */
const serves = ({ id, purpose }: DataKey, wanted: KeyPurpose): boolean =>
  purpose === wanted || (purpose === null && (id === 1 || (wanted !== 'lookups' && wanted !== 'tokens')))

/** A key of the purpose's own comes before one for all, the newest first. */
const precedes = (one: DataKey, other: DataKey): boolean =>
  (one.purpose === null) === (other.purpose === null) ? one.id > other.id : one.purpose !== null

async function readKeys(db: Db, masterKey: Buffer): Promise<ReadonlyMap<number, DataKey>> {
  const rows = (await selectDataKeys(db)).filter(({ retiredAt }) => retiredAt === null)
  return new Map(
    rows.map((row) => {
      const key = unwrap(masterKey, row)
      if (key === undefined) throw new Error('KOBO_MASTER_KEY is not the key with which this database was made')
      return [row.id, { ...row, key }]
    }),
  )
}

/** Counts what each key seals in this process, until it is told to the database. */
function sealCounter(db: Db) {
  const untold = new Map<number, bigint>()
  const add = (id: number, count: bigint): void => void untold.set(id, (untold.get(id) ?? 0n) + count)
  return {
    count: (id: number): void => add(id, 1n),
    /** Adds what was counted to what all nodes told before; answers the keys that have sealed enough. */
    tell: async (): Promise<ReadonlySet<number>> => {
      const usedUp = new Set<number>()
      for (const [id, count] of [...untold]) {
        untold.delete(id)
        const answer = db<{ seals: bigint }[]>`
          update data_key set seals = seals + ${count} where id = ${id} returning seals`
        const [row] = await answer.catch((error: unknown) => {
          add(id, count)
          throw error
        })
        if (row !== undefined && row.seals >= SEALS_MAX) usedUp.add(id)
      }
      return usedUp
    },
  }
}

/** Makes new keys for purposes whose keys have sealed enough, unless another node just did. */
async function replaceKeys(db: Db, masterKey: Buffer, purposes: readonly SealingPurpose[], at: Date): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      const rows = await lockDataKeys(tx)
      const due = purposes.filter((purpose) => !rows.some((row) => row.purpose === purpose && row.sealsFrom > at))
      await addDataKeys(tx, rows, masterKey, due, { at, sealsFrom: secondsAfter(at, SEALS_AFTER_SECONDS) })
    })
  } catch (error) {
    // There is room: the next refresh tries again, until the master key has been replaced.
    if (!(error instanceof RotationError)) throw error
  }
}

/** Keys of their own by data key, made once each. A token without an id is of the time before keys had any. */
function tokenKeys(current: () => DataKey, find: (id: number) => DataKey | undefined): SigningKeys {
  const made = new Map<number, Buffer>()
  const derived = ({ id, key }: DataKey): Buffer => {
    const known = made.get(id) ?? deriveKey(key, TOKENS_USE)
    made.set(id, known)
    return known
  }
  return {
    current: () => {
      const one = current()
      return { id: String(one.id), key: derived(one) }
    },
    find: (id) => {
      const one = find(id === undefined ? 1 : Number(id))
      const signs = one !== undefined && (one.purpose === 'tokens' || (one.purpose === null && one.id === 1))
      return signs ? derived(one) : undefined
    },
  }
}
