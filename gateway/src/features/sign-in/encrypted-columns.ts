import { sealedColumn } from '../../core/security/sealed-column.ts'
import { secondFactors } from './repository.ts'
import { secretContext } from './second-factors.ts'

/** The secrets of authenticator apps. */
export const sealedSecondFactors = [sealedColumn('records', secondFactors, 'secret', secretContext)]
