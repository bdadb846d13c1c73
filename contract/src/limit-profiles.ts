import Type from 'typebox'
import { AmountOrZero, Naira, Reference } from './fields.ts'
import { PageQuery, page } from './page.ts'
import { limitProfileRefusals } from './refusals/index.ts'
import { group, route } from './route.ts'

const VOLUME_MAX = 2_147_483_647

const LimitProfileBody = Type.Object({
  limitProfileName: Type.String({ minLength: 1, maxLength: 255, examples: ['Small shops'] }),
  singleTransactionValue: AmountOrZero,
  dailyTransactionValue: Type.Unsafe<number | string>({ ...AmountOrZero, examples: [50_000] }),
  dailyTransactionVolume: Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: VOLUME_MAX,
    pattern: '^\\d{1,9}$',
    'x-rule': 'a whole number of zero or more',
    description: 'how many payments a day',
    examples: [20],
  }),
})

/** What stands in a reserved account of its limit profile. */
export const LimitProfileConfig = Type.Object({
  limitProfileCode: Type.String({ examples: ['FSYVVWU8UPBD'] }),
  limitProfileName: Type.String({ examples: ['Small shops'] }),
  singleTransactionValue: Naira,
  dailyTransactionValue: Type.Number({ ...Naira, examples: [50_000] }),
  dailyTransactionVolume: Type.Integer({ examples: [20] }),
})

/** How much may be paid into a reserved account, at once and on one day in Lagos. */
export const LimitProfile = Type.Object({
  ...LimitProfileConfig.properties,
  dateCreated: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  lastModified: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
})

export const createLimitProfile = route({
  method: 'POST',
  path: '/api/v1/limit-profile',
  summary: 'Create a limit profile',
  description: 'Zero lets nothing pass. Days are days in Lagos.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: LimitProfileBody,
  reply: LimitProfile,
  refusals: [limitProfileRefusals.dailyBelowSingle, limitProfileRefusals.nameTaken],
})

export const listLimitProfiles = route({
  method: 'GET',
  path: '/api/v1/limit-profile',
  summary: 'All limit profiles, newest first',
  permission: 'reservedAccounts',
  person: 'money.read',
  query: Type.Object(PageQuery),
  reply: page(LimitProfile),
})

export const updateLimitProfile = route({
  method: 'PUT',
  path: '/api/v1/limit-profile/:limitProfileCode',
  summary: 'Change a limit profile',
  description: 'Holds from the next payment on, for all accounts that have the profile.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params: Type.Object({ limitProfileCode: Type.String({ ...Reference, examples: ['FSYVVWU8UPBD'] }) }),
  body: LimitProfileBody,
  reply: LimitProfile,
  refusals: [limitProfileRefusals.dailyBelowSingle, limitProfileRefusals.notFound, limitProfileRefusals.nameTaken],
})

export const limitProfiles = group({
  title: 'Limit profiles',
  text: 'How much may be paid into a reserved account, at once and on one day.',
  routes: { createLimitProfile, listLimitProfiles, updateLimitProfile },
  refusals: limitProfileRefusals,
})
