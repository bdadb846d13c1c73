import { invariant } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import { lockDataKeys, RotationError, unwrap, unwrapped, wrap } from './data-keys.ts'

/**
 * Begins to replace the master key: wraps every data key by the next one too, so that nodes start with either. Begun again,
 * it changes nothing. Answers how many data keys there are.
 */
export const beginRotation = (db: Db, masterKey: Buffer, nextKey: Buffer): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (masterKey.equals(nextKey)) throw new RotationError('The next master key is the present one')
    const rows = (await lockDataKeys(tx)).filter(({ retiredAt }) => retiredAt === null)
    if (rows.some(({ wrappedNext }) => wrappedNext !== null)) {
      if (rows.every(({ id, wrappedNext }) => unwrapped(nextKey, wrappedNext, id) !== undefined)) return rows.length
      throw new RotationError('The master key is being replaced by another one: finish that first')
    }
    for (const row of rows) {
      const key = unwrap(masterKey, row)
      invariant(key !== undefined, 'the present master key opens every data key')
      await tx`update data_key set wrapped_next = ${wrap(nextKey, row.id, key)} where id = ${row.id}`
    }
    return rows.length
  })

/** Ends it, by the new master key: from then on the old one opens nothing. Answers how many data keys were still under it. */
export const endRotation = (db: Db, masterKey: Buffer): Promise<number> =>
  inTransaction(db, async (tx) => {
    const rows = (await lockDataKeys(tx)).filter(({ wrappedNext }) => wrappedNext !== null)
    if (rows.some(({ id, wrappedNext }) => unwrapped(masterKey, wrappedNext, id) === undefined))
      throw new RotationError('KOBO_MASTER_KEY is still the old key: finish with the new one')
    await tx`update data_key set wrapped = wrapped_next, wrapped_next = null where wrapped_next is not null`
    return rows.length
  })
