import type { IdentityRail } from '../identity.ts'
import { identityOperations as operations } from '../protocol/index.ts'
import type { Adapter } from './adapter.ts'
import { plainReader } from './reader.ts'

const byBvn = plainReader(operations['identity/find-bvn'])
const byNin = plainReader(operations['identity/find-nin'])
const account = plainReader(operations['identity/find-account'])

export const httpIdentity = ({ enquire }: Adapter): IdentityRail => ({
  findBvn: (bvn) => enquire('identity/find-bvn', { bvn }, byBvn),
  findNin: (nin) => enquire('identity/find-nin', { nin }, byNin),
  findAccount: (request) => enquire('identity/find-account', request, account),
})
