import { sealedColumn } from '../../core/security/sealed-column.ts'
import { codeContext } from './code.ts'
import { paycodes } from './repository.ts'

export const sealedPaycodes = [sealedColumn('records', paycodes, 'sealed', codeContext)]
