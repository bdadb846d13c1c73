import { randomBytes } from 'node:crypto'
import { invariant } from '../../kernel/errors.ts'
import { KEY_LENGTH, open, seal } from '../../platform/crypto.ts'
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts'

/**
 * The purposes of data keys. Three encrypt: card numbers, stored responses and other secrets. One signs access tokens,
 * one makes keyed hashes for lookups.
 */
export const KEY_PURPOSES = ['records', 'cards', 'answers', 'tokens', 'lookups'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]
export type SealingPurpose = 'records' | 'cards' | 'answers'

/** Keys that can be rotated. `lookups` cannot: its hashes would no longer be found. */
export const ROTATED_PURPOSES = ['records', 'cards', 'answers', 'tokens'] as const
export type RotatedPurpose = (typeof ROTATED_PURPOSES)[number]

export const SEALING_PURPOSES: readonly SealingPurpose[] = ['records', 'cards', 'answers']

/** A new data key is used once every node has had several chances to load it. */
export const SEALS_AFTER_SECONDS = 60

/** A stored data key: wrapped by the master key, and by the next one during a rotation. */
export interface DataKeyRow {
  readonly id: number
  /** Null: from before purposes, and used for each without its own key. */
  readonly purpose: KeyPurpose | null
  readonly wrapped: Buffer
  readonly wrappedNext: Buffer | null
  readonly createdAt: Date
  /** A number if it is minus infinity. */
  readonly sealsFrom: Date | number
  readonly seals: bigint
  readonly retiredAt: Date | null
}

/** Why keys cannot be rotated now. */
export class RotationError extends Error {}

const wrapContext = (id: number): string => `data-key/${id}`
export const wrap = (masterKey: Buffer, id: number, key: Buffer): Buffer => seal(masterKey, key, wrapContext(id))

export function unwrapped(masterKey: Buffer, wrapped: Buffer | null, id: number): Buffer | undefined {
  if (wrapped === null) return undefined
  try {
    return open(masterKey, wrapped, wrapContext(id))
  } catch {
    return undefined
  }
}

/** The data key, if this master key wraps it, as the current or the next one. */
export const unwrap = (masterKey: Buffer, { id, wrapped, wrappedNext }: DataKeyRow): Buffer | undefined =>
  unwrapped(masterKey, wrapped, id) ?? unwrapped(masterKey, wrappedNext, id)

/** All data keys, including retired ones. */
export const selectDataKeys = (db: Db | Tx): Promise<DataKeyRow[]> =>
  db<DataKeyRow[]>`
    select id, purpose, wrapped, wrapped_next, created_at, seals_from, seals, retired_at from data_key order by id`

/** Reads and locks all data keys until the transaction ends. */
export async function lockDataKeys(tx: Tx): Promise<readonly DataKeyRow[]> {
  await tx`lock table data_key in share row exclusive mode`
  return selectDataKeys(tx)
}

/** Creates one key per purpose in a new database. If several nodes start at once, the first one's keys stay. */
export async function makeFirstKeys(db: Db, masterKey: Buffer, at: Date): Promise<void> {
  const [first, ...further] = KEY_PURPOSES.map((purpose, index) => ({
    purpose,
    id: index + 1,
    wrapped: wrap(masterKey, index + 1, randomBytes(KEY_LENGTH)),
  }))
  invariant(first !== undefined, 'there are purposes')
  await inTransaction(db, async (tx) => {
    const made = await tx`
      insert into data_key (id, purpose, wrapped, created_at)
      values (${first.id}, ${first.purpose}, ${first.wrapped}, ${at}) on conflict do nothing`
    // The process that made the first one makes all.
    for (const { id, purpose, wrapped } of made.count === 1 ? further : [])
      await tx`
        insert into data_key (id, purpose, wrapped, created_at) values (${id}, ${purpose}, ${wrapped}, ${at})`
  })
}

/** Adds keys for some purposes, with the others locked; returns their ids in order. */
export async function addDataKeys(
  tx: Tx,
  rows: readonly DataKeyRow[],
  masterKey: Buffer,
  purposes: readonly KeyPurpose[],
  { at, sealsFrom }: { readonly at: Date; readonly sealsFrom: Date },
): Promise<readonly number[]> {
  // The next master key is not known here, so nodes that already use it could not unwrap new keys.
  if (rows.some(({ wrappedNext }) => wrappedNext !== null))
    throw new RotationError('A master key rotation is in progress: finish it first')
  const last = Math.max(...rows.map(({ id }) => id))
  const ids = purposes.map((_, index) => last + 1 + index)
  for (const [index, id] of ids.entries())
    await tx`
      insert into data_key (id, purpose, wrapped, created_at, seals_from)
      values (${id}, ${purposes[index]}, ${wrap(masterKey, id, randomBytes(KEY_LENGTH))}, ${at}, ${sealsFrom})`
  return ids
}
