import { sealedColumn } from '../../core/security/sealed-column.ts'
import { heldContext } from '../../core/security/vault.ts'
import { attempts } from './repository.ts'

/** The card numbers held during challenges. */
export const sealedAttempts = [sealedColumn('cards', attempts, 'heldNumber', ({ reference }) => heldContext(reference))]
