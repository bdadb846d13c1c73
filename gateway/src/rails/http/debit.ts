import { absentRails } from '../absent.ts'
import type { DebitRail } from '../debit.ts'
import { debitOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const outcome = plainReader(operations['debit/debit'])
const found = plainReader(operations['debit/find'])

export const httpDebit = ({ order }: Adapter): DebitRail => ({
  debit: (request) => order('debit/debit', request, outcome, () => absentRails.debit.debit(request)),
  findDebit: (reference) => order('debit/find', { reference }, found, () => absentRails.debit.findDebit(reference)),
})
