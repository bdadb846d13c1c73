import { sealedColumn } from '../../core/security/sealed-column.ts'
import { codeContext } from './code.ts'
import { paycodes } from './repository.ts'

/** The codes of paycodes. */
export const sealedPaycodes = [sealedColumn('records', paycodes, 'sealed', codeContext)]
