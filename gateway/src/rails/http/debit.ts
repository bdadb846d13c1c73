import type { PartnerRails } from '../not-sent.ts'
import { debitOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const outcome = plainReader(operations['debit/debit'])
const found = plainReader(operations['debit/find'])

export const httpDebit = ({ send, find }: Adapter): PartnerRails['debit'] => ({
  debit: (request) => send('debit/debit', request, outcome),
  findDebit: (reference) => find('debit/find', { reference }, found),
})
