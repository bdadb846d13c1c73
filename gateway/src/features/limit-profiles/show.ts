import type { LimitProfile, LimitProfileConfig } from '@kobo/contract'
import type { Static } from 'typebox'
import { slashed } from '../../kernel/dates.ts'
import { toNaira } from '../../kernel/money.ts'
import type { LimitProfileRow } from './repository.ts'

/** Returns a limit profile as a reserved account shows it. */
export const showLimitProfileConfig = (profile: LimitProfileRow): Static<typeof LimitProfileConfig> => ({
  limitProfileCode: profile.code,
  limitProfileName: profile.name,
  singleTransactionValue: toNaira(profile.singleTransactionValue),
  dailyTransactionValue: toNaira(profile.dailyTransactionValue),
  dailyTransactionVolume: profile.dailyTransactionVolume,
})

export const showLimitProfile = (profile: LimitProfileRow): Static<typeof LimitProfile> => ({
  ...showLimitProfileConfig(profile),
  dateCreated: slashed(profile.createdAt),
  lastModified: slashed(profile.modifiedAt),
})
