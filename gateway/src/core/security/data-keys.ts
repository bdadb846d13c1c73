import { randomBytes } from 'node:crypto'
import { KEY_LENGTH, open, seal } from '../../platform/crypto.ts'
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts'
import type { MasterKey } from './key-device.ts'

/**
 * The purposes of data keys. Three encrypt: card numbers, stored responses and other secrets. One signs access tokens,
 * one makes keyed hashes for lookups.
 */
export const KEY_PURPOSES = ['records', 'cards', 'answers', 'tokens', 'lookups'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]
export type SealingPurpose = 'records' | 'cards' | 'answers'

/** Keys that can be rotated. The key for `lookups` cannot: values could no longer be found by their hashes. */
export const ROTATED_PURPOSES = ['records', 'cards', 'answers', 'tokens'] as const
export type RotatedPurpose = (typeof ROTATED_PURPOSES)[number]

export const SEALING_PURPOSES: readonly SealingPurpose[] = ['records', 'cards', 'answers']

/** A new data key encrypts only after this time, when every node has had several chances to load it. */
export const SEALS_AFTER_SECONDS = 60

/** A stored data key, wrapped by the master key; during a rotation also by the next master key. */
export interface DataKeyRow {
  readonly id: number
  /** Null for a key from before purposes existed: it serves every purpose that has no key yet. */
  readonly purpose: KeyPurpose | null
  readonly wrapped: Buffer
  readonly wrappedNext: Buffer | null
  readonly createdAt: Date
  /** The time from which the key encrypts; a number means from the beginning (minus infinity). */
  readonly sealsFrom: Date | number
  readonly seals: bigint
  readonly retiredAt: Date | null
}

/** Why keys cannot be rotated now. */
export class RotationError extends Error {}

const wrapContext = (id: number): string => `data-key/${id}`
export const wrap = async (masterKey: MasterKey, id: number, key: Buffer): Promise<Buffer> =>
  Buffer.isBuffer(masterKey) ? seal(masterKey, key, wrapContext(id)) : masterKey.wrap(key, wrapContext(id))

export async function unwrapped(masterKey: MasterKey, wrapped: Buffer | null, id: number): Promise<Buffer | undefined> {
  if (wrapped === null) return undefined
  try {
    const context = wrapContext(id)
    return Buffer.isBuffer(masterKey) ? open(masterKey, wrapped, context) : await masterKey.unwrap(wrapped, context)
  } catch {
    return undefined
  }
}

/** Unwraps a data key, if this master key wraps it as the current or the next one. */
export const unwrap = async (
  masterKey: MasterKey,
  { id, wrapped, wrappedNext }: DataKeyRow,
): Promise<Buffer | undefined> =>
  (await unwrapped(masterKey, wrapped, id)) ?? (await unwrapped(masterKey, wrappedNext, id))

/** Reads all data keys, including retired ones. */
export const selectDataKeys = (db: Db | Tx): Promise<DataKeyRow[]> =>
  db<DataKeyRow[]>`
    select id, purpose, wrapped, wrapped_next, created_at, seals_from, seals, retired_at from data_key order by id`

/** Reads and locks all data keys until the transaction ends. */
export async function lockDataKeys(tx: Tx): Promise<readonly DataKeyRow[]> {
  await tx`lock table data_key in share row exclusive mode`
  return selectDataKeys(tx)
}

export interface NewDataKey {
  readonly id: number
  readonly purpose: KeyPurpose
  readonly wrapped: Buffer
}

/** Creates keys with the next free ids. A slow device may wrap them, so this happens before the transaction. */
export const newDataKeys = (
  masterKey: MasterKey,
  rows: readonly DataKeyRow[],
  purposes: readonly KeyPurpose[],
): Promise<readonly NewDataKey[]> => {
  const last = Math.max(0, ...rows.map(({ id }) => id))
  return Promise.all(
    purposes.map(async (purpose, index) => {
      const id = last + 1 + index
      return { id, purpose, wrapped: await wrap(masterKey, id, randomBytes(KEY_LENGTH)) }
    }),
  )
}

/** Creates one key per purpose in a new database. If several nodes start at once, the first one's keys are kept. */
export async function makeFirstKeys(db: Db, masterKey: MasterKey, at: Date): Promise<void> {
  if ((await selectDataKeys(db)).length > 0) return
  const keys = await newDataKeys(masterKey, [], KEY_PURPOSES)
  await inTransaction(db, async (tx) => {
    if ((await lockDataKeys(tx)).length > 0) return
    for (const { id, purpose, wrapped } of keys)
      await tx`
        insert into data_key (id, purpose, wrapped, created_at) values (${id}, ${purpose}, ${wrapped}, ${at})`
  })
}

/**
 * Stores new keys while the other keys are locked. Throws if others were added meanwhile, or if a master key rotation
 * is in progress.
 */
export async function addDataKeys(
  tx: Tx,
  rows: readonly DataKeyRow[],
  keys: readonly NewDataKey[],
  { at, sealsFrom }: { readonly at: Date; readonly sealsFrom: Date },
): Promise<void> {
  // The next master key is not known here, so nodes that already use it could not unwrap new keys.
  if (rows.some(({ wrappedNext }) => wrappedNext !== null))
    throw new RotationError('A master key rotation is in progress: finish it first')
  if (rows.some(({ id }) => keys.some((key) => key.id === id)))
    throw new RotationError('Another node has added data keys: try again')
  for (const { id, purpose, wrapped } of keys)
    await tx`
      insert into data_key (id, purpose, wrapped, created_at, seals_from)
      values (${id}, ${purpose}, ${wrapped}, ${at}, ${sealsFrom})`
}
