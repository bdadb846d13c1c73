import { invariant } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../platform/postgres/db.ts'
import { type DataKeyRow, lockDataKeys, RotationError, selectDataKeys, unwrap, unwrapped, wrap } from './data-keys.ts'
import type { MasterKey } from './key-device.ts'

/**
 * Starts a master key rotation: wraps every data key with the next master key too, so that nodes can start with either.
 * Repeating it changes nothing. Returns the number of data keys.
 */
export async function beginRotation(db: Db, masterKey: MasterKey, nextKey: MasterKey): Promise<number> {
  const rows = await selectUsedKeys(db)
  if (await unwrapsAny(nextKey, rows)) throw new RotationError('The next master key is the same as the current one')
  if (rows.some(({ wrappedNext }) => wrappedNext !== null)) {
    if (await unwrapsAllNext(nextKey, rows)) return rows.length
    throw new RotationError('A rotation to another master key is in progress: finish it first')
  }
  const wrapped = await Promise.all(rows.map((row) => wrapAgain(masterKey, nextKey, row)))
  await inTransaction(db, async (tx) => {
    const now = (await lockDataKeys(tx)).filter(({ retiredAt }) => retiredAt === null)
    if (now.length !== rows.length || now.some((row, index) => row.id !== rows[index]?.id || row.wrappedNext !== null))
      throw new RotationError('The data keys have changed meanwhile: try again')
    for (const { id, wrappedNext } of wrapped)
      await tx`update data_key set wrapped_next = ${wrappedNext} where id = ${id}`
  })
  return rows.length
}

const selectUsedKeys = async (db: Db): Promise<readonly DataKeyRow[]> =>
  (await selectDataKeys(db)).filter(({ retiredAt }) => retiredAt === null)

async function unwrapsAny(masterKey: MasterKey, rows: readonly DataKeyRow[]): Promise<boolean> {
  const keys = await Promise.all(rows.map(({ id, wrapped }) => unwrapped(masterKey, wrapped, id)))
  return keys.some((key) => key !== undefined)
}

async function unwrapsAllNext(masterKey: MasterKey, rows: readonly DataKeyRow[]): Promise<boolean> {
  const keys = await Promise.all(rows.map(({ id, wrappedNext }) => unwrapped(masterKey, wrappedNext, id)))
  return keys.every((key) => key !== undefined)
}

async function wrapAgain(masterKey: MasterKey, nextKey: MasterKey, row: DataKeyRow) {
  const key = await unwrap(masterKey, row)
  invariant(key !== undefined, 'the current master key opens every data key')
  return { id: row.id, wrappedNext: await wrap(nextKey, row.id, key) }
}

/**
 * Ends the rotation with the new master key: the old master key no longer unwraps anything. Returns how many data keys
 * were moved from the old master key to the new one.
 */
export async function endRotation(db: Db, masterKey: MasterKey): Promise<number> {
  const rows = (await selectDataKeys(db)).filter(({ wrappedNext }) => wrappedNext !== null)
  if (!(await unwrapsAllNext(masterKey, rows)))
    throw new RotationError('KOBO_MASTER_KEY is still the old key: set the new key, then finish')
  await db`update data_key set wrapped = wrapped_next, wrapped_next = null where id = any(${rows.map(({ id }) => String(id))}::int[])`
  return rows.length
}
