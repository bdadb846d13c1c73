import { sealedColumn } from '../../core/security/sealed-column.ts'
import { place } from './code.ts'
import { paycodes } from './repository.ts'

/** The codes themselves. */
export const sealedPaycodes = [sealedColumn('records', paycodes, 'sealed', place)]
