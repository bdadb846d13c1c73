import Type from 'typebox'
import type { DebitRail } from '../debit.ts'
import { type Ask, answer, plainReader, Text } from './adapter.ts'

const OUTCOMES = [
  answer('paid', { sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
  answer('declined', { reason: Text, isStopped: Type.Boolean() }),
  answer('unknown', {}),
] as const
const outcome = plainReader(Type.Union([...OUTCOMES]))
const found = plainReader(Type.Union([...OUTCOMES, answer('not found', {})]))

export const httpDebit = (ask: Ask): DebitRail => ({
  debit: async (order) => (await ask('debit/debit', order, outcome)) ?? { kind: 'unknown' },
  findDebit: async (reference) => (await ask('debit/find', { reference }, found)) ?? { kind: 'unknown' },
})
