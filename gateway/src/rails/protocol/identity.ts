import Type from 'typebox'
import { AccountNumber, BankCode, ElevenDigits, operation, orNull, response, Text, UNAVAILABLE } from './fields.ts'

const Person = Type.Object({
  firstName: Text,
  middleName: orNull(Text),
  lastName: Text,
  dateOfBirth: Type.String({ 'x-day': true }),
  gender: Text,
  mobileNumber: Text,
})
const UNKNOWN_NUMBER = response('unknown number', {})
const PERSON = Type.Union([response('found', { person: Person }), UNKNOWN_NUMBER, UNAVAILABLE])

export const identityOperations = {
  'identity/find-bvn': operation({
    capability: 'identity',
    summary: 'Looks up a BVN',
    request: Type.Object({ bvn: ElevenDigits }),
    response: PERSON,
  }),
  'identity/find-nin': operation({
    capability: 'identity',
    summary: 'Looks up a NIN',
    request: Type.Object({ nin: ElevenDigits }),
    response: PERSON,
  }),
  'identity/find-account': operation({
    capability: 'identity',
    summary: 'Looks up the names on a bank account and on a BVN',
    request: Type.Object({ bvn: ElevenDigits, bankCode: BankCode, accountNumber: AccountNumber }),
    response: Type.Union([
      response('found', { accountName: Text, holderName: Text }),
      UNKNOWN_NUMBER,
      response('unknown account', {}),
      UNAVAILABLE,
    ]),
  }),
}
