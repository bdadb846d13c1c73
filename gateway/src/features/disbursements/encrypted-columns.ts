import { sealedColumn } from '../../core/security/sealed-column.ts'
import { bvnContext } from './orders.ts'
import { transfers } from './repository.ts'

export const sealedTransfers = [sealedColumn('records', transfers, 'senderBvn', bvnContext)]
