import { type Clock, secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { deriveKey, open, seal } from '../../platform/crypto.ts'
import type { SigningKeys } from '../../platform/http/access-tokens.ts'
import { type Db, inTransaction } from '../../platform/postgres/db.ts'
import {
  addDataKeys,
  type DataKeyRow,
  type KeyPurpose,
  lockDataKeys,
  makeFirstKeys,
  newDataKeys,
  type RotatedPurpose,
  RotationError,
  SEALING_PURPOSES,
  SEALS_AFTER_SECONDS,
  type SealingPurpose,
  selectDataKeys,
  unwrap,
} from './data-keys.ts'
import type { MasterKey } from './key-device.ts'

/** Encrypts and decrypts stored values. */
export interface Sealer {
  /** `context` names the place of the stored value; in another place it cannot be decrypted. */
  readonly seal: (plain: string, context: string) => Buffer
  readonly open: (sealed: Buffer, context: string) => string
}

/** The data keys, stored wrapped by the master key. Its own `seal` and `open` use the key for `records`. */
export interface Keyring extends Sealer {
  readonly of: (purpose: SealingPurpose) => Sealer
  /** Derives a key for one use, such as lookup hashes. It is the same on every node and never changes. */
  readonly derive: (use: string) => Buffer
  readonly tokenKeys: SigningKeys
  readonly current: (purpose: RotatedPurpose) => number
  /** Loads new keys and stores how many values each key has encrypted. Also runs every few seconds. */
  readonly refresh: () => Promise<void>
}

export interface OpenKeyring extends Keyring {
  readonly close: () => Promise<void>
}

const KEY_ID_LENGTH = 2
const REFRESH_SECONDS = 15
/**
 * A key is replaced after it has encrypted this many values. Random nonces are safe up to 2^32. The limit is lower,
 * because a dead node's counts are lost and the old key is in use until all nodes have switched.
 */
export const SEALS_MAX = 2n ** 28n
const TOKENS_USE = 'access tokens'

interface DataKey extends Pick<DataKeyRow, 'id' | 'purpose' | 'sealsFrom'> {
  readonly key: Buffer
}

/** Returns the id of the data key that encrypted a value. */
export const keyIdOf = (sealed: Buffer): number => sealed.readUInt16BE()

/** Unwraps the data keys, or creates them in a new database. Loads new keys regularly until it is closed. */
export async function openKeyring(db: Db, masterKey: MasterKey, at: Date, wall: Clock): Promise<OpenKeyring> {
  await makeFirstKeys(db, masterKey, at)
  let keys: ReadonlyMap<number, DataKey> = new Map()
  const counter = sealCounter(db)

  const current = (purpose: KeyPurpose): DataKey => {
    const now = wall.now()
    let best: DataKey | undefined
    for (const one of keys.values())
      if (one.sealsFrom <= now && serves(one, purpose) && (best === undefined || precedes(one, best))) best = one
    invariant(best !== undefined, `there is a data key for ${purpose}`)
    return best
  }
  const refresh = async (): Promise<void> => {
    const usedUp = await counter.report()
    keys = await readKeys(db, masterKey, keys)
    const due = SEALING_PURPOSES.filter((purpose) => usedUp.has(current(purpose).id))
    if (due.length > 0) {
      await replaceKeys(db, masterKey, due, wall.now())
      keys = await readKeys(db, masterKey, keys)
    }
  }
  await refresh()
  // The database may be unavailable for a moment; the next refresh is soon.
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
      counter.count(id)
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
      await counter.report().catch(() => {}) // with the database gone the counts are lost
    },
  }
}

/**
 * Whether a key serves a purpose. A key without a purpose serves all purposes, but lookups and tokens only if its id
 * is 1.
 */
const serves = ({ id, purpose }: DataKey, requestedPurpose: KeyPurpose): boolean =>
  purpose === requestedPurpose ||
  (purpose === null && (id === 1 || (requestedPurpose !== 'lookups' && requestedPurpose !== 'tokens')))

/** Whether a key is preferred to another: a purpose's own key to a general one, a newer key to an older one. */
const precedes = (one: DataKey, other: DataKey): boolean =>
  (one.purpose === null) === (other.purpose === null) ? one.id > other.id : one.purpose !== null

/** Reads the keys in use; unwraps those not known yet. */
async function readKeys(
  db: Db,
  masterKey: MasterKey,
  known: ReadonlyMap<number, DataKey>,
): Promise<ReadonlyMap<number, DataKey>> {
  const keys = new Map<number, DataKey>()
  for (const row of await selectDataKeys(db)) {
    if (row.retiredAt !== null) continue
    const key = known.get(row.id)?.key ?? (await unwrap(masterKey, row))
    if (key === undefined) throw new Error('KOBO_MASTER_KEY is not the master key of this database')
    keys.set(row.id, { ...row, key })
  }
  return keys
}

/** Counts encryptions per key in this process until they are stored. */
function sealCounter(db: Db) {
  const unreported = new Map<number, bigint>()
  const add = (id: number, count: bigint): void => void unreported.set(id, (unreported.get(id) ?? 0n) + count)
  return {
    count: (id: number): void => add(id, 1n),
    /** Adds this process's counts to those of all nodes; returns the keys that have reached the maximum. */
    report: async (): Promise<ReadonlySet<number>> => {
      const usedUp = new Set<number>()
      for (const [id, count] of [...unreported]) {
        unreported.delete(id)
        const result = db<{ seals: bigint }[]>`
          update data_key set seals = seals + ${count} where id = ${id} returning seals`
        const [row] = await result.catch((error: unknown) => {
          add(id, count)
          throw error
        })
        if (row !== undefined && row.seals >= SEALS_MAX) usedUp.add(id)
      }
      return usedUp
    },
  }
}

/** Creates new keys for purposes whose keys have reached the maximum, unless another node just did. */
async function replaceKeys(db: Db, masterKey: MasterKey, purposes: readonly SealingPurpose[], at: Date): Promise<void> {
  try {
    const rows = await selectDataKeys(db)
    const due = purposes.filter((purpose) => !rows.some((row) => row.purpose === purpose && row.sealsFrom > at))
    const made = await newDataKeys(masterKey, rows, due)
    const sealsFrom = secondsAfter(at, SEALS_AFTER_SECONDS)
    await inTransaction(db, async (tx) => addDataKeys(tx, await lockDataKeys(tx), made, { at, sealsFrom }))
  } catch (error) {
    // The limit leaves enough room: the next refresh tries again.
    if (!(error instanceof RotationError)) throw error
  }
}

/** Derives each data key's signing key once. Tokens without a key id were signed with key 1, before key ids existed. */
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
      const canSign = one !== undefined && (one.purpose === 'tokens' || (one.purpose === null && one.id === 1))
      return canSign ? derived(one) : undefined
    },
  }
}
