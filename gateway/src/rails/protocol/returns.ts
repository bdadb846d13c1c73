import Type from 'typebox'
import { AccountNumber, BankCode, ByReference, KoboNumber, operation, Placed, Reference, Text } from './fields.ts'
import { transferOperations } from './transfer.ts'

export const returnOperations = {
  'account/send-back': operation({
    capability: 'returns',
    summary: 'Returns a credit to the sending account',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      amount: KoboNumber,
      credit: Type.Object({ railReference: Reference, bankCode: BankCode, accountNumber: AccountNumber }),
      narration: Text,
    }),
    response: transferOperations['transfer/send'].response,
    foundBy: 'account/find-send-back',
  }),
  'account/find-send-back': operation({
    capability: 'returns',
    summary: 'Returns the outcome of a credit return',
    request: ByReference,
    response: transferOperations['transfer/find'].response,
  }),
}
