import { sealedColumn } from '../../core/security/sealed-column.ts'
import { heldContext } from '../../core/security/vault.ts'
import { attempts } from './repository.ts'

/** The numbers of cards whose holders are being asked. */
export const sealedAttempts = [sealedColumn('cards', attempts, 'heldNumber', ({ reference }) => heldContext(reference))]
