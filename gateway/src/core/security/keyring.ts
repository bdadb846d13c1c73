import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { deriveKey, KEY_LENGTH, open, seal } from '../../platform/crypto.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'

/** Encrypts what is stored, under data keys that are themselves wrapped by the master key. */
export interface Keyring {
  /** `context` names the place of the value; a sealed value moved elsewhere does not open. */
  readonly seal: (plain: string, context: string) => Buffer
  readonly open: (sealed: Buffer, context: string) => string
  /** A key for a purpose of its own, the same on every node. */
  readonly derive: (use: string) => Buffer
}

export interface OpenKeyring extends Keyring {
  readonly close: () => void
}

const KEY_ID_LENGTH = 2
const LEARN_SECONDS = 15
/** A new data key is used when every node has had several chances to learn of it. */
export const SEALS_AFTER_SECONDS = 60

interface DataKeyRow {
  readonly id: number
  readonly wrapped: Buffer
  readonly wrappedNext: Buffer | null
  readonly sealsFrom: Date | number
}

interface DataKey {
  readonly key: Buffer
  readonly sealsFrom: Date | number
}

const wrapContext = (id: number): string => `data-key/${id}`
const wrap = (masterKey: Buffer, id: number, key: Buffer): Buffer => seal(masterKey, key, wrapContext(id))

/** Opens the data keys with the master key; makes the first one in a new database. Learns of new ones while it is open. */
export async function openKeyring(db: Db, masterKey: Buffer, at: Date, wall: Clock): Promise<OpenKeyring> {
  const first = wrap(masterKey, 1, randomBytes(KEY_LENGTH))
  await inTransaction(
    db,
    (tx) => tx`insert into data_key (id, wrapped, created_at) values (1, ${first}, ${at}) on conflict do nothing`,
  )
  const keys = new Map<number, DataKey>()
  const learn = async (): Promise<void> => {
    for (const row of await selectDataKeys(db)) {
      const key = unwrap(masterKey, row)
      if (key === undefined) throw new Error('KOBO_MASTER_KEY is not the key with which this database was made')
      keys.set(row.id, { key, sealsFrom: row.sealsFrom })
    }
  }
  await learn()
  // The database may be away for a moment: there is another chance soon.
  const learning = setInterval(() => void learn().catch(() => {}), LEARN_SECONDS * 1_000)
  learning.unref()

  const find = (id: number): Buffer => {
    const found = keys.get(id)
    invariant(found !== undefined, `data key ${id} exists`)
    return found.key
  }
  const newest = (): number => {
    const now = wall.now()
    return Math.max(...[...keys].flatMap(([id, { sealsFrom }]) => (sealsFrom <= now ? id : [])))
  }
  return {
    seal: (plain, context) => {
      const id = newest()
      const keyId = Buffer.alloc(KEY_ID_LENGTH)
      keyId.writeUInt16BE(id)
      return Buffer.concat([keyId, seal(find(id), Buffer.from(plain), context)])
    },
    open: (sealed, context) => open(find(sealed.readUInt16BE()), sealed.subarray(KEY_ID_LENGTH), context).toString(),
    derive: (use) => deriveKey(find(1), use),
    close: () => clearInterval(learning),
  }
}

/** The data key, where this master key wraps it: as the present one, or as the one that replaces it. */
function unwrap(masterKey: Buffer, { id, wrapped, wrappedNext }: DataKeyRow): Buffer | undefined {
  return opened(masterKey, wrapped, id) ?? opened(masterKey, wrappedNext, id)
}

function opened(masterKey: Buffer, wrapped: Buffer | null, id: number): Buffer | undefined {
  if (wrapped === null) return undefined
  try {
    return open(masterKey, wrapped, wrapContext(id))
  } catch {
    return undefined
  }
}

const selectDataKeys = (db: Db | Tx): Promise<DataKeyRow[]> =>
  db<DataKeyRow[]>`select id, wrapped, wrapped_next, seals_from from data_key order by id`

/** Why master keys cannot be exchanged now. */
export class RotationError extends Error {}

/**
 * Begins to replace the master key: wraps every data key by the next one too, so that nodes start with either, and adds a
 * data key for what is encrypted from `sealsFrom` on. Begun again, it changes nothing. Answers how many data keys there are.
 */
export const beginRotation = (
  db: Db,
  masterKey: Buffer,
  nextKey: Buffer,
  { at, sealsFrom }: { readonly at: Date; readonly sealsFrom: Date },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (masterKey.equals(nextKey)) throw new RotationError('The next master key is the present one')
    const rows = await lockDataKeys(tx)
    if (rows.some(({ wrappedNext }) => wrappedNext !== null)) {
      if (rows.every(({ id, wrappedNext }) => opened(nextKey, wrappedNext, id) !== undefined)) return rows.length
      throw new RotationError('The master key is being replaced by another one: finish that first')
    }
    for (const row of rows) {
      const key = unwrap(masterKey, row)
      invariant(key !== undefined, 'the present master key opens every data key')
      await tx`update data_key set wrapped_next = ${wrap(nextKey, row.id, key)} where id = ${row.id}`
    }
    const id = Math.max(...rows.map((row) => row.id)) + 1
    const key = randomBytes(KEY_LENGTH)
    await tx`
      insert into data_key (id, wrapped, wrapped_next, created_at, seals_from)
      values (${id}, ${wrap(masterKey, id, key)}, ${wrap(nextKey, id, key)}, ${at}, ${sealsFrom})`
    return rows.length + 1
  })

/** Ends it, by the new master key: from then on the old one opens nothing. Answers how many data keys were still under it. */
export const endRotation = (db: Db, masterKey: Buffer): Promise<number> =>
  inTransaction(db, async (tx) => {
    const rows = (await lockDataKeys(tx)).filter(({ wrappedNext }) => wrappedNext !== null)
    if (rows.some(({ id, wrappedNext }) => opened(masterKey, wrappedNext, id) === undefined))
      throw new RotationError('KOBO_MASTER_KEY is still the old key: finish with the new one')
    await tx`update data_key set wrapped = wrapped_next, wrapped_next = null where wrapped_next is not null`
    return rows.length
  })

async function lockDataKeys(tx: Tx): Promise<readonly DataKeyRow[]> {
  await tx`lock table data_key in share row exclusive mode`
  return selectDataKeys(tx)
}
