import Type from 'typebox'
import {
  AccountNumber,
  BankCode,
  ByReference,
  KoboNumber,
  NOT_FOUND,
  NOT_SENT,
  operation,
  Placed,
  Reference,
  response,
  SessionId,
  Text,
  UNKNOWN,
} from './fields.ts'

const OUTCOMES = [
  response('paid', { sessionId: SessionId }),
  response('declined', { reason: Text, isStopped: Type.Boolean() }),
  UNKNOWN,
] as const

export const debitOperations = {
  'debit/debit': operation({
    capability: 'debits',
    summary: 'Debits an account under a mandate',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      mandateCode: Text,
      accountNumber: AccountNumber,
      bankCode: BankCode,
      amount: KoboNumber,
      narration: Text,
    }),
    response: Type.Union([...OUTCOMES, NOT_SENT]),
    foundBy: 'debit/find',
  }),
  'debit/find': operation({
    capability: 'debits',
    summary: 'Returns the outcome of a debit',
    request: ByReference,
    response: Type.Union([...OUTCOMES, NOT_FOUND]),
  }),
}
