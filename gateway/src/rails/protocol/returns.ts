import Type from 'typebox'
import { AccountNumber, BankCode, ByReference, KoboNumber, operation, Placed, Reference, Text } from './fields.ts'
import { transferOperations } from './transfer.ts'

export const returnOperations = {
  'account/send-back': operation({
    capability: 'returns',
    summary: 'Returns a credit to the sending account',
    asks: Type.Object({
      reference: Reference,
      ...Placed,
      amount: KoboNumber,
      credit: Type.Object({ railReference: Reference, bankCode: BankCode, accountNumber: AccountNumber }),
      narration: Text,
    }),
    answers: transferOperations['transfer/send'].answers,
    foundBy: 'account/find-send-back',
  }),
  'account/find-send-back': operation({
    capability: 'returns',
    summary: 'Returns the outcome of a credit return',
    asks: ByReference,
    answers: transferOperations['transfer/find'].answers,
  }),
}
