import Type from 'typebox'
import type { IdentityRail } from '../identity.ts'
import { type Adapter, answer, plainReader, Text } from './adapter.ts'

const Person = Type.Object({
  firstName: Text,
  middleName: Type.Union([Text, Type.Null()]),
  lastName: Text,
  dateOfBirth: Type.String({ 'x-day': true }),
  gender: Text,
  mobileNumber: Text,
})

const UNKNOWN_NUMBER = answer('unknown number', {})
const UNAVAILABLE = answer('unavailable', {})

const person = plainReader(Type.Union([answer('found', { person: Person }), UNKNOWN_NUMBER, UNAVAILABLE]))
const account = plainReader(
  Type.Union([
    answer('found', { accountName: Text, holderName: Text }),
    UNKNOWN_NUMBER,
    answer('unknown account', {}),
    UNAVAILABLE,
  ]),
)

export const httpIdentity = ({ enquire }: Adapter): IdentityRail => ({
  findBvn: (bvn) => enquire('identity/find-bvn', { bvn }, person),
  findNin: (nin) => enquire('identity/find-nin', { nin }, person),
  findAccount: (request) => enquire('identity/find-account', request, account),
})
