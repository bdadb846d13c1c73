import { randomBytes } from 'node:crypto'
import { invariant } from '../../kernel/errors.ts'
import { KEY_LENGTH, open, seal } from '../../platform/crypto.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'

/**
 * What data keys are for. Three encrypt: card numbers, the answers that are kept for repeats, and all other secrets. One
 * signs access tokens, and one makes keyed hashes by which something is found or recognised.
 */
export const KEY_PURPOSES = ['records', 'cards', 'answers', 'tokens', 'lookups'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]
export type SealingPurpose = 'records' | 'cards' | 'answers'

/** Those that can be replaced. What `lookups` made is found by its hash, and would not be found by another. */
export const ROTATED_PURPOSES = ['records', 'cards', 'answers', 'tokens'] as const
export type RotatedPurpose = (typeof ROTATED_PURPOSES)[number]

export const SEALING_PURPOSES: readonly SealingPurpose[] = ['records', 'cards', 'answers']

/** A new data key is used when every node has had several chances to learn of it. */
export const SEALS_AFTER_SECONDS = 60

/** A data key as it is stored: encrypted ("wrapped") by the master key, and by the next one while that replaces it. */
export interface DataKeyRow {
  readonly id: number
  /** Null: made before keys had purposes, and for each that has no key of its own. */
  readonly purpose: KeyPurpose | null
  readonly wrapped: Buffer
  readonly wrappedNext: Buffer | null
  readonly createdAt: Date
  /** A number where it is minus infinity. */
  readonly sealsFrom: Date | number
  readonly seals: bigint
  readonly retiredAt: Date | null
}

/** Why keys cannot be exchanged now. */
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

/** The data key, where this master key wraps it: as the present one, or as the one that replaces it. */
export const unwrap = (masterKey: Buffer, { id, wrapped, wrappedNext }: DataKeyRow): Buffer | undefined =>
  unwrapped(masterKey, wrapped, id) ?? unwrapped(masterKey, wrappedNext, id)

/** All data keys that there ever were, the retired among them. */
export const selectDataKeys = (db: Db | Tx): Promise<DataKeyRow[]> =>
  db<DataKeyRow[]>`
    select id, purpose, wrapped, wrapped_next, created_at, seals_from, seals, retired_at from data_key order by id`

/** Reads all data keys, and lets nobody else change them until the transaction ends. */
export async function lockDataKeys(tx: Tx): Promise<readonly DataKeyRow[]> {
  await tx`lock table data_key in share row exclusive mode`
  return selectDataKeys(tx)
}

/** Makes one key for each purpose in a new database. Of several nodes that start at once the first one's stay. */
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
    // Whoever made the first one makes all.
    for (const { id, purpose, wrapped } of made.count === 1 ? further : [])
      await tx`
        insert into data_key (id, purpose, wrapped, created_at) values (${id}, ${purpose}, ${wrapped}, ${at})`
  })
}

/** Makes new keys for some purposes, among keys that are locked; answers their ids in order. */
export async function addDataKeys(
  tx: Tx,
  rows: readonly DataKeyRow[],
  masterKey: Buffer,
  purposes: readonly KeyPurpose[],
  { at, sealsFrom }: { readonly at: Date; readonly sealsFrom: Date },
): Promise<readonly number[]> {
  // The next master key is not known here, so nodes that have it already could not open what we make.
  if (rows.some(({ wrappedNext }) => wrappedNext !== null))
    throw new RotationError('The master key is being replaced: finish that first')
  const last = Math.max(...rows.map(({ id }) => id))
  const ids = purposes.map((_, index) => last + 1 + index)
  for (const [index, id] of ids.entries())
    await tx`
      insert into data_key (id, purpose, wrapped, created_at, seals_from)
      values (${id}, ${purposes[index]}, ${wrap(masterKey, id, randomBytes(KEY_LENGTH))}, ${at}, ${sealsFrom})`
  return ids
}
