import { randomBytes } from 'node:crypto'
import { invariant } from '../kernel/errors.ts'
import { deriveKey, KEY_LENGTH, open, seal } from '../platform/crypto.ts'
import { type Db, inTransaction } from '../platform/db.ts'

/** Encrypts what is stored, under data keys that are themselves wrapped by the master key. */
export interface Keyring {
  /** `context` names the place of the value; a sealed value moved elsewhere does not open. */
  readonly seal: (plain: string, context: string) => Buffer
  readonly open: (sealed: Buffer, context: string) => string
  /** A key for a purpose of its own, the same on every node. */
  readonly derive: (use: string) => Buffer
}

const KEY_ID_LENGTH = 2
const wrapContext = (id: number): string => `data-key/${id}`

/** Opens the data keys with the master key; makes the first one in a new database. */
export async function openKeyring(db: Db, masterKey: Buffer, at: Date): Promise<Keyring> {
  const first = seal(masterKey, randomBytes(KEY_LENGTH), wrapContext(1))
  await inTransaction(
    db,
    (tx) => tx`insert into data_key (id, wrapped, created_at) values (1, ${first}, ${at}) on conflict do nothing`,
  )
  const rows = await db<{ id: number; wrapped: Buffer }[]>`select id, wrapped from data_key order by id`
  const keys = new Map(rows.map(({ id, wrapped }) => [id, unwrap(masterKey, id, wrapped)]))
  const newest = Math.max(...keys.keys())

  const key = (id: number): Buffer => {
    const found = keys.get(id)
    invariant(found !== undefined, `data key ${id} exists`)
    return found
  }
  return {
    seal: (plain, context) => {
      const keyId = Buffer.alloc(KEY_ID_LENGTH)
      keyId.writeUInt16BE(newest)
      return Buffer.concat([keyId, seal(key(newest), Buffer.from(plain), context)])
    },
    open: (sealed, context) => open(key(sealed.readUInt16BE()), sealed.subarray(KEY_ID_LENGTH), context).toString(),
    derive: (use) => deriveKey(key(1), use),
  }
}

function unwrap(masterKey: Buffer, id: number, wrapped: Buffer): Buffer {
  try {
    return open(masterKey, wrapped, wrapContext(id))
  } catch {
    throw new Error('KOBO_MASTER_KEY is not the key with which this database was made')
  }
}
