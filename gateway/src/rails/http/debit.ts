import Type from 'typebox'
import type { DebitRail } from '../debit.ts'
import { type Adapter, answer, plainReader, Text } from './adapter.ts'

const OUTCOMES = [
  answer('paid', { sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
  answer('declined', { reason: Text, isStopped: Type.Boolean() }),
  answer('unknown', {}),
] as const
const outcome = plainReader(Type.Union([...OUTCOMES]))
const found = plainReader(Type.Union([...OUTCOMES, answer('not found', {})]))

export const httpDebit = ({ order }: Adapter): DebitRail => ({
  debit: (request) => order('debit/debit', request, outcome),
  findDebit: (reference) => order('debit/find', { reference }, found),
})
