import Type from 'typebox'
import {
  AccountNumber,
  BankCode,
  ByReference,
  ElevenDigits,
  KoboNumber,
  NOT_FOUND,
  NOT_SENT,
  operation,
  orNull,
  Placed,
  Reference,
  response,
  SessionId,
  Text,
  UNAVAILABLE,
  UNKNOWN,
} from './fields.ts'

export const Succeeded = response('succeeded', {
  sessionId: SessionId,
  finalAt: Type.Optional(
    Type.String({ 'x-moment': true, description: 'the time until which the money may still be returned, if it may' }),
  ),
  amount: Type.Optional(KoboNumber),
})
const FAILED = response('failed', { reason: Text })
const Account = Type.Object({ bankCode: BankCode, accountNumber: AccountNumber })

export const transferOperations = {
  'transfer/name-enquiry': operation({
    capability: 'name-enquiry',
    summary: 'Looks up the name on a bank account',
    request: Account,
    response: Type.Union([response('found', { accountName: Text }), NOT_FOUND, UNAVAILABLE]),
  }),
  'transfer/send': operation({
    capability: 'transfers',
    summary: 'Sends money to a bank account',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      amount: KoboNumber,
      destination: Type.Object({ bankCode: BankCode, accountNumber: AccountNumber, accountName: Text }),
      narration: Text,
      sender: Type.Object({
        name: orNull(Text),
        accountNumber: orNull(AccountNumber),
        bankCode: orNull(BankCode),
        bvn: orNull(ElevenDigits),
      }),
    }),
    response: Type.Union([Succeeded, FAILED, NOT_SENT, UNKNOWN]),
    foundBy: 'transfer/find',
  }),
  'transfer/find': operation({
    capability: 'transfers',
    summary: 'Returns the outcome of a transfer',
    request: ByReference,
    response: Type.Union([Succeeded, FAILED, UNKNOWN, response('reversed', { sessionId: SessionId }), NOT_FOUND]),
  }),
}
