import { invariant } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../platform/postgres/db.ts'
import { lockDataKeys, RotationError, unwrap, unwrapped, wrap } from './data-keys.ts'

/**
 * Starts a master key rotation: wraps every data key with the next one too, so that nodes can start with either.
 * Repeating it changes nothing. Returns the number of data keys.
 */
export const beginRotation = (db: Db, masterKey: Buffer, nextKey: Buffer): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (masterKey.equals(nextKey)) throw new RotationError('The next master key is the same as the current one')
    const rows = (await lockDataKeys(tx)).filter(({ retiredAt }) => retiredAt === null)
    if (rows.some(({ wrappedNext }) => wrappedNext !== null)) {
      if (rows.every(({ id, wrappedNext }) => unwrapped(nextKey, wrappedNext, id) !== undefined)) return rows.length
      throw new RotationError('A rotation to another master key is in progress: finish it first')
    }
    for (const row of rows) {
      const key = unwrap(masterKey, row)
      invariant(key !== undefined, 'the present master key opens every data key')
      await tx`update data_key set wrapped_next = ${wrap(nextKey, row.id, key)} where id = ${row.id}`
    }
    return rows.length
  })

/**
 * Ends the rotation with the new master key: the old one no longer unwraps anything. Returns how many data keys it
 * still wrapped.
 */
export const endRotation = (db: Db, masterKey: Buffer): Promise<number> =>
  inTransaction(db, async (tx) => {
    const rows = (await lockDataKeys(tx)).filter(({ wrappedNext }) => wrappedNext !== null)
    if (rows.some(({ id, wrappedNext }) => unwrapped(masterKey, wrappedNext, id) === undefined))
      throw new RotationError('KOBO_MASTER_KEY is still the old key: set the new key, then finish')
    await tx`update data_key set wrapped = wrapped_next, wrapped_next = null where wrapped_next is not null`
    return rows.length
  })
