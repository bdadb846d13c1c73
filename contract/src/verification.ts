import Type from 'typebox'
import { AccountNumber, BankCode, nullable, words } from './fields.ts'
import { personal } from './personal-data.ts'
import { verificationRefusals, walletRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

// The sandbox knows the numbers in the examples, so that the examples work unchanged.
const Bvn = Type.String({ pattern: '^\\d{11}$', 'x-rule': 'an 11-digit BVN', examples: ['22222222226'] })
const Nin = Type.String({ pattern: '^\\d{11}$', 'x-rule': 'an 11-digit NIN', examples: ['22222222226'] })
const DateOfBirth = Type.String({
  'x-named-day': true,
  description: 'dd-MMM-yyyy',
  examples: ['22-Nov-1977'],
})
const MobileNo = Type.String({
  pattern: '^\\+?\\d{10,15}$',
  'x-rule': 'a phone number of 10 to 15 digits',
  examples: ['07036814157'],
})

const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Kelechi Obinna Danjuma'] })

const NAME_MATCHES = ['FULL_MATCH', 'PARTIAL_MATCH', 'NO_MATCH'] as const
export type NameMatch = (typeof NAME_MATCHES)[number]
const ValueMatch = words(['FULL_MATCH', 'NO_MATCH'])
const MatchPercentage = Type.Integer({ minimum: 0, maximum: 100, examples: [100] })

export const matchBvnDetails = route({
  method: 'POST',
  path: '/api/v1/vas/bvn-details-match',
  summary: 'Match a customer’s details with a BVN',
  description: 'Small differences in the name are tolerated. In live mode, each result is charged to the wallet.',
  permission: 'verification',
  scope: 'identity.verify',
  body: Type.Object({ bvn: Bvn, name: Name, dateOfBirth: DateOfBirth, mobileNo: personal(MobileNo) }),
  reply: Type.Object({
    bvn: Type.String({ examples: ['22222222226'] }),
    name: Type.Object({ matchStatus: words(NAME_MATCHES), matchPercentage: MatchPercentage }),
    dateOfBirth: ValueMatch,
    mobileNo: ValueMatch,
  }),
  refusals: [verificationRefusals.unknownBvn, walletRefusals.insufficientBalance, verificationRefusals.unavailable],
})

export const matchBvnAccount = route({
  method: 'POST',
  path: '/api/v1/vas/bvn-account-match',
  summary: 'Match a bank account with a BVN',
  description:
    'Compares the name on the account with the name of the BVN. In live mode, each result is charged to the wallet.',
  permission: 'verification',
  scope: 'identity.verify',
  body: Type.Object({ bankCode: BankCode, accountNumber: AccountNumber, bvn: Bvn }),
  reply: Type.Object({
    bvn: Type.String({ examples: ['22222222226'] }),
    accountNumber: Type.String(),
    accountName: Type.String({ examples: ['BISOLA IFEOMA OKAFOR'] }),
    matchStatus: words(NAME_MATCHES),
    matchPercentage: MatchPercentage,
  }),
  refusals: [
    verificationRefusals.unknownBank,
    verificationRefusals.unknownBvn,
    verificationRefusals.unknownAccount,
    walletRefusals.insufficientBalance,
    verificationRefusals.unavailable,
  ],
})

export const getNinDetails = route({
  method: 'POST',
  path: '/api/v1/vas/nin-details',
  summary: 'Look up a NIN',
  description: 'In live mode, each result is charged to the wallet.',
  permission: 'verification',
  scope: 'identity.verify',
  body: Type.Object({ nin: Nin }),
  reply: Type.Object({
    nin: Type.String({ examples: ['22222222226'] }),
    lastName: Type.String({ examples: ['Danjuma'] }),
    firstName: Type.String({ examples: ['Kelechi'] }),
    middleName: nullable(Type.String({ examples: ['Obinna'] })),
    dateOfBirth: Type.String({ examples: ['1977-11-22'] }),
    gender: Type.String({ examples: ['MALE'] }),
    mobileNumber: Type.String({ examples: ['2347036814157'] }),
  }),
  refusals: [verificationRefusals.unknownNin, walletRefusals.insufficientBalance, verificationRefusals.unavailable],
})

export const verification = group({
  title: 'Verification',
  text: 'Verify your customers’ identities.',
  routes: { matchBvnDetails, matchBvnAccount, getNinDetails },
  refusals: verificationRefusals,
})
