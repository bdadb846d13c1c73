import Type from 'typebox'
import { nullable } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { bankRefusals } from './refusals/index.ts'
import { ANY_PERSON } from './roles.ts'
import { group, route } from './route.ts'

export const Bank = Type.Object({
  name: Type.String(),
  code: Type.String(),
  ussdTemplate: nullable(Type.String()),
  baseUssdCode: nullable(Type.String()),
  transferUssdTemplate: nullable(Type.String()),
  bankId: Type.Null(),
  nipBankCode: Type.String(),
})

export const listBanks = route({
  method: 'GET',
  path: '/api/v1/banks',
  summary: 'List all banks',
  permission: NO_PERMISSION.reference,
  person: ANY_PERSON.reference,
  reply: Type.Array(Bank),
})

export const listUssdBanks = route({
  method: 'GET',
  path: '/api/v1/sdk/transactions/banks',
  summary: 'List banks that support USSD',
  // Mobile SDKs send no token.
  access: 'open',
  permission: NO_PERMISSION.reference,
  reply: Type.Array(Bank),
})

export const banks = group({
  title: 'Banks',
  text: 'Names, codes and USSD templates of banks.',
  routes: { listBanks, listUssdBanks },
  refusals: bankRefusals,
})
