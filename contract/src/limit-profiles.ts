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
    'x-rule': 'a whole number, zero or more',
    description: 'maximum number of payments per day',
    examples: [20],
  }),
})

/** A reserved account's limit profile. */
export const LimitProfileConfig = Type.Object({
  limitProfileCode: Type.String({ examples: ['FSYVVWU8UPBD'] }),
  limitProfileName: Type.String({ examples: ['Small shops'] }),
  singleTransactionValue: Naira,
  dailyTransactionValue: Type.Number({ ...Naira, examples: [50_000] }),
  dailyTransactionVolume: Type.Integer({ examples: [20] }),
})

/** The limits of a reserved account, per payment and per day (Lagos time). */
export const LimitProfile = Type.Object({
  ...LimitProfileConfig.properties,
  dateCreated: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
  lastModified: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }),
})

export const createLimitProfile = route({
  method: 'POST',
  path: '/api/v1/limit-profile',
  summary: 'Create a limit profile',
  description: 'A limit of zero rejects every payment. Days are Lagos days.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  body: LimitProfileBody,
  reply: LimitProfile,
  refusals: [limitProfileRefusals.dailyBelowSingle, limitProfileRefusals.nameTaken],
})

export const listLimitProfiles = route({
  method: 'GET',
  path: '/api/v1/limit-profile',
  summary: 'List all limit profiles, newest first',
  permission: 'reservedAccounts',
  person: 'money.read',
  query: Type.Object(PageQuery),
  reply: page(LimitProfile),
})

export const updateLimitProfile = route({
  method: 'PUT',
  path: '/api/v1/limit-profile/:limitProfileCode',
  summary: 'Update a limit profile',
  description: 'Takes effect with the next payment, for all accounts with the profile.',
  permission: 'reservedAccounts',
  person: 'collect.make',
  params: Type.Object({ limitProfileCode: Type.String({ ...Reference, examples: ['FSYVVWU8UPBD'] }) }),
  body: LimitProfileBody,
  reply: LimitProfile,
  refusals: [limitProfileRefusals.dailyBelowSingle, limitProfileRefusals.notFound, limitProfileRefusals.nameTaken],
})

export const limitProfiles = group({
  title: 'Limit profiles',
  text: 'Limits on payments into reserved accounts, per payment and per day.',
  routes: { createLimitProfile, listLimitProfiles, updateLimitProfile },
  refusals: limitProfileRefusals,
})
