import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { invariant } from '../../kernel/errors.ts'
import { openCached } from '../../platform/postgres/cached.ts'
import type { Channels } from '../../platform/postgres/channels.ts'
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { audit, NO_MERCHANT } from './audit.ts'
import type { Keyring } from './keyring.ts'
import { sealedColumn } from './sealed-column.ts'

const CHANNEL = 'kobo_receipt_keys'
/** ECDSA with P-256: every phone's browser can verify it. The signature has 64 bytes, as WebCrypto expects it. */
const HASH = 'sha256'
const ENCODING = 'ieee-p1363'

const receiptKeys = table('receipt_key', ['id'], {
  id: column<number>(),
  publicKey: column<string>(),
  privateKey: column<Buffer | null>(),
  createdAt: column<Date>(),
})
type ReceiptKeyRow = Row<typeof receiptKeys>

const contextOf = ({ id }: Pick<ReceiptKeyRow, 'id'>): string => `receipt-key/${id}`
export const sealedReceiptKeys = [sealedColumn('records', receiptKeys, 'privateKey', contextOf)]

/** Signs receipts, and verifies them with any key that ever signed one. */
export interface ReceiptKeys {
  /** Signs a text that may contain the id of the signing key. */
  readonly sign: (textOf: (keyId: string) => string) => { readonly text: string; readonly signature: Buffer }
  readonly isSigned: (keyId: string, text: string, signature: Buffer) => Promise<boolean>
  /** The public keys, as a JSON Web Key Set. */
  readonly published: () => { readonly keys: readonly JsonWebKey[] }
}

interface Deps {
  readonly db: Db
  readonly keyring: Keyring
  readonly channels: Channels
}

/** Opens the keys that sign receipts. A new database gets its first key. */
export async function openReceiptKeys({ db, keyring, channels }: Deps, at: Date): Promise<ReceiptKeys> {
  if ((await selectKeys(db)).length === 0)
    await inTransaction(db, (tx) => receiptKeys.insertNew(tx, [newKey(keyring, 1, at)], sql`(id)`))
  const cached = await openCached(channels, CHANNEL, async () => readKeys(keyring, await selectKeys(db)))
  return {
    sign: (textOf) => {
      const { id, privateKey } = cached.present()
      const text = textOf(id)
      return { text, signature: sign(HASH, Buffer.from(text), { key: privateKey, dsaEncoding: ENCODING }) }
    },
    isSigned: async (keyId, text, signature) => {
      if (!cached.present().publicKeys.has(keyId)) await cached.readAgain() // another node may have just added it
      const key = cached.present().publicKeys.get(keyId)
      return key !== undefined && verify(HASH, Buffer.from(text), { key, dsaEncoding: ENCODING }, signature)
    },
    published: () => ({
      keys: [...cached.present().publicKeys].map(([kid, key]) => ({ kid, alg: 'ES256', use: 'sig', ...jwkOf(key) })),
    }),
  }
}

/** Replaces the signing key on every node, and erases the old private key; returns the new key's id. */
export async function rotateReceiptKey(unit: UnitOfWork, keyring: Keyring): Promise<number> {
  const { tx, at } = unit
  await tx`lock table receipt_key in share row exclusive mode`
  const id = Math.max(0, ...(await selectKeys(tx)).map((row) => row.id)) + 1
  receiptKeys.insert(tx, [newKey(keyring, id, at)])
  void tx`update receipt_key set private_key = null where id < ${id} and private_key is not null`
  audit(unit, {
    merchantId: NO_MERCHANT,
    act: 'receipt-key.rotate',
    actor: 'command line',
    reference: String(id),
    details: {},
  })
  void tx`select pg_notify(${CHANNEL}, ${String(id)})`
  return id
}

const selectKeys = (db: Db | Tx): Promise<ReceiptKeyRow[]> =>
  db<ReceiptKeyRow[]>`select ${receiptKeys.columns} from receipt_key order by id`

function newKey(keyring: Keyring, id: number, at: Date): ReceiptKeyRow {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return {
    id,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: keyring.seal(plain, contextOf({ id })),
    createdAt: at,
  }
}

interface Keys {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKeys: ReadonlyMap<string, KeyObject>
}

function readKeys(keyring: Keyring, rows: readonly ReceiptKeyRow[]): Keys {
  const newest = rows.at(-1)
  invariant(newest !== undefined && newest.privateKey !== null, 'the newest receipt key can sign')
  const plain = Buffer.from(keyring.open(newest.privateKey, contextOf(newest)), 'base64')
  return {
    id: String(newest.id),
    privateKey: createPrivateKey({ key: plain, type: 'pkcs8', format: 'der' }),
    publicKeys: new Map(
      rows.map(({ id, publicKey }) => [
        String(id),
        createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' }),
      ]),
    ),
  }
}

const jwkOf = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })
